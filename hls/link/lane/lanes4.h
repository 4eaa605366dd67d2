// SPDX-License-Identifier: Apache-2.0
/*
 * lanes4.h - how words of 64 bits fill one to four lanes of 16 bits.
 *
 *            clock, phase 0        phase 1               phase 2               phase 3
 *  4 lanes   a3 a2 a1 a0           b3 b2 b1 b0           c3 c2 c1 c0           d3 d2 d1 d0
 *  3 lanes   a3 a2 a1              a0 b3 b2              b1 b0 c3              c2 c1 c0
 *  2 lanes   a3 a2                 a1 a0                 b3 b2                 b1 b0
 *  1 lane    a3                    a2                    a1                    a0
 *
 *  a3 is a[63:48]. The leftmost chunk goes to the highest lane of the map, the next to the next lower one.
 */
#ifndef LANES4_H
#define LANES4_H

#include "hls.h"

/* Lanes of the map. */
static inline u3 lanes_number(u4 map)
{
    return (u3)((u3)(u1)map + (u1)(map >> 1) + (u1)(map >> 2) + (u1)(map >> 3));
}

static inline u1 lanes_one(u4 map)
{
    return map != 0 && (map & (map - 1)) == 0;
}

/* A word begins in this phase: the sender needs one. */
static inline u1 lanes_begin(u4 map, u2 phase)
{
    u3 lanes = lanes_number(map);

    return phase == 0 || lanes == 4 || (lanes == 3 && phase != 3) || (lanes == 2 && phase == 2);
}

/* A word ends in this phase: the receiver has one. */
static inline u1 lanes_end(u4 map, u2 phase)
{
    u3 lanes = lanes_number(map);

    return phase == 3 || lanes == 4 || (lanes == 3 && phase != 0) || (lanes == 2 && phase == 1);
}

/* Chunks of words before that stand in front of the one that begins in this phase: with three lanes alone. */
static inline u2 lanes_joined(u4 map, u2 phase)
{
    return lanes_number(map) == 3 && phase != 3 ? phase : (u2)0;
}

/* Place n of the map, 0 the highest, one-hot. */
static inline u4 lanes_place(u4 map, int n)
{
    u4 place = 0;
    u3 above = 0;

    for (int lane = 3; lane >= 0; lane--) {
        u1 used = (u1)(map >> lane);

        place |= (u4)((u4)(u1)(used && above == (u3)n) << lane);
        above += used;
    }
    return place;
}

/*
 * Lanes of chunks. `chunk` has a flag for each chunk of a word, the highest first; with three lanes chunk c (0 the highest) of
 * word w goes to place (w + c) modulo 3: `third` has a flag for each place if the first word is word 0, `turn` is that
 * word's number modulo 3.
 */
static inline u4 lanes_of(u4 map, u4 chunk, u3 third, u2 turn)
{
    u3 lanes = lanes_number(map);
    u1 even = (u1)(chunk >> 3) || (u1)(chunk >> 1), odd = (u1)(chunk >> 2) || (u1)chunk;
    u3 turned = turn == 0   ? third
                : turn == 1 ? (u3)(((u3)(third << 1)) | (u1)(third >> 2))
                            : (u3)(((u3)(third << 2)) | (u2)(third >> 1));
    u4 places = lanes == 4   ? (u4)((u4)((u4)(u1)chunk << 3) | (u4)((u4)(u1)(chunk >> 1) << 2) |
                                  (u4)((u4)(u1)(chunk >> 2) << 1) | (u1)(chunk >> 3))
                : lanes == 3 ? (u4)turned
                : lanes == 2 ? (u4)((u4)((u4)odd << 1) | even)
                             : (u4)(even || odd);
    u4 set = 0;

    for (int n = 0; n < 4; n++) {
        set |= (u1)(places >> n) ? lanes_place(map, n) : (u4)0;
    }
    return set;
}

static inline u2 lanes_next(u2 phase)
{
    return (u2)(phase + 1);
}

#endif
