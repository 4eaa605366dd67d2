// SPDX-License-Identifier: Apache-2.0
/*
 * lanes.h - how words of 48 bits fill one, two or three lanes of 16 bits.
 *
 *            clock, phase 0        phase 1               phase 2
 *  3 lanes   a2 a1 a0              b2 b1 b0              c2 c1 c0
 *  2 lanes   a2 a1                 a0 b2                 b1 b0
 *  1 lane    a2                    a1                    a0
 *
 *  a2 is a[47:32]. The leftmost chunk goes to the highest lane of the map, the next to the next
 *  lower one.
 */
#ifndef LANES_H
#define LANES_H

#include "hls.h"

static inline u1 lanes_three(u3 map)
{
    return map == 7;
}

static inline u1 lanes_one(u3 map)
{
    return map != 0 && (map & (map - 1)) == 0;
}

/* A word begins in this phase: the sender needs one. */
static inline u1 lanes_begin(u3 map, u2 phase)
{
    return lanes_three(map) || phase == 0 || (phase == 1 && !lanes_one(map));
}

/* A word ends in this phase: the receiver has one. */
static inline u1 lanes_end(u3 map, u2 phase)
{
    return lanes_three(map) || phase == 2 || (phase == 1 && !lanes_one(map));
}

static inline u2 lanes_next(u2 phase)
{
    return phase == 2 ? (u2)0 : (u2)(phase + 1);
}

#endif
