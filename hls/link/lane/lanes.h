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
 *  lower one. Four lanes: lanes4.h.
 */
#ifndef LANES_H
#define LANES_H

#include "link/flit/link_types.h"

#if LANES == 4
#include "link/lane/lanes4.h"
#else

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

/* Chunks to lanes: with two lanes a word takes one and a half clocks, so words alternate. */
static inline u3 lanes_of(u3 map, u3 even, u3 odd)
{
    u3 upper = (u1)(map >> 2) ? 4 : 2;
    u3 lower = (u1)map ? 1 : 2;
    u1 first = (even & 5) != 0 || (odd & 2) != 0;
    u1 second = (even & 2) != 0 || (odd & 5) != 0;

    if (lanes_three(map)) {
        return even | odd;
    }
    if (lanes_one(map)) {
        return (even | odd) != 0 ? map : (u3)0;
    }
    return (first ? upper : (u3)0) | (second ? lower : (u3)0);
}

static inline u2 lanes_next(u2 phase)
{
    return phase == 2 ? (u2)0 : (u2)(phase + 1);
}

#endif

#endif
