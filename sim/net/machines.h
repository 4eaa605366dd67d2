// SPDX-License-Identifier: Apache-2.0
/*
 * machines.h - the machines that networks are built of, as SIM_MACHINES of scripts/make/machines.mk.
 *
 * What is compiled once for each machine gets its name as SIM_MACHINE.
 */
#ifndef SIM_MACHINES_H
#define SIM_MACHINES_H

#define SIM_MACHINES(X) X(aries) X(a16) X(gemini) X(yarc)

#ifndef SIM_MACHINE
#define SIM_MACHINE aries
#endif
#define SIM_JOIN(a, b) a##b
#define SIM_NAME(a, b) SIM_JOIN(a, b)
#define SIM_STRING(a)  #a
#define SIM_QUOTED(a)  SIM_STRING(a)
#define THIS_MACHINE   SIM_NAME(machine_, SIM_MACHINE)
#define THIS_MAINT     SIM_NAME(maint_, SIM_MACHINE)
#define THIS_ROUTER    SIM_NAME(router_, SIM_MACHINE)
#define THIS_NAME      SIM_QUOTED(SIM_MACHINE)

#endif
