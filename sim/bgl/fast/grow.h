// SPDX-License-Identifier: Apache-2.0
/*
 * grow.h - memory of lists that grow.
 */
#ifndef SIM_BGL_FAST_GROW_H
#define SIM_BGL_FAST_GROW_H

#include <stdlib.h>

#include "sim/base/program.h"

/* The memory with so many bytes, as realloc() has it; ends the program when there is none. */
static inline void *grow(void *memory, size_t size)
{
    void *grown = realloc(memory, size);
    if (!grown)
        sim_fail("out of memory (%zu bytes)", size);
    return grown;
}

#endif
