// SPDX-License-Identifier: Apache-2.0
/*
 * instructions.h - the processor's count of instructions in our own program.
 */
#ifndef SIM_SPEED_INSTRUCTIONS_H
#define SIM_SPEED_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins to count; -1 if the system has no such counter for us, as in most virtual machines. */
int instructions_open(void);

/* Ends it; false if nothing was counted. */
bool instructions_close(int counter, uint64_t *count);

#endif
