// SPDX-License-Identifier: Apache-2.0
/*
 * memwatch.h - the rule of HLS_BRAM in the native life: no address is read and written in one call.
 *
 * The native model must be compiled with -fsanitize-coverage=func,trace-loads,trace-stores, which
 * makes clang announce every load and store; those into the watched memories are noted.
 */
#ifndef MEMWATCH_H
#define MEMWATCH_H

#include "tb/cosim.h"

/* Watch the memories of one module whose registers are at self. */
void memwatch_open(const struct cosim_module *module, const void *self);
/* A new clock: forget what was read and written. */
void memwatch_clock(void);
/* Word of a memory that was written since, or -1. */
long memwatch_written(const struct cosim_memory *memory);
/* The memory of which one address was read and written since, or NULL. */
const struct cosim_memory *memwatch_collision(void);

#endif
