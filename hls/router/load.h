// SPDX-License-Identifier: Apache-2.0
/*
 * load.h - loads of ports as tiles tell them each other: in four bits, so that those of both classes go in one clock.
 *
 * Sixteen steps: in twos below 16, above that a leading one and the two bits behind it. A load is told as the highest
 * step that is not above it, 64 and more as 56.
 */
#ifndef LOAD_H
#define LOAD_H

#include "router/rtr_types.h"

/* Which step a load is told as. */
static inline rtr_told load_tell(rtr_load load)
{
    if (load >= 64) {
        return 15;
    }
    if (load >= 32) {
        return (rtr_told)12 | (u2)(load >> 3);
    }
    return load >= 16 ? (rtr_told)8 | (u2)(load >> 2) : (rtr_told)(load >> 1);
}

/* The load that a step stands for. */
static inline rtr_load load_told(rtr_told told)
{
    u3 mantissa = (u3)4 | (u2)told;

    if (told >= 12) {
        return (rtr_load)mantissa << 3;
    }
    return told >= 8 ? (rtr_load)mantissa << 2 : (rtr_load)told << 1;
}

#endif
