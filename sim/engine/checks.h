// SPDX-License-Identifier: Apache-2.0
/*
 * checks.h - assertions of the native models that have failed.
 */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include <stdint.h>

extern uint64_t sim_failed_checks;

#endif
