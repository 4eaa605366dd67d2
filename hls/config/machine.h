// SPDX-License-Identifier: Apache-2.0
/*
 * machine.h - picks the configuration of one machine.
 *
 * Every block includes this file and nothing else of config/. Without a choice it is aries;
 * -D MACHINE_FORMAL=1 takes the small link that proofs can afford.
 */
#ifndef CONFIG_MACHINE_H
#define CONFIG_MACHINE_H

#if defined(MACHINE_FORMAL)
#include "config/formal.h"
#else
#include "config/aries.h"
#endif

#endif
