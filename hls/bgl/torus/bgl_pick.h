// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_pick.h - how select and sender choose one of those that ask, as masks: by range of fullness, and at random.
 */
#ifndef BGL_PICK_H
#define BGL_PICK_H

#include "hls.h"

/* How many of three thresholds a number reaches. */
static inline u2 pick_range(u6 number, const u6 thresholds[3])
{
    return (u2)((u2)(number >= thresholds[0]) + (u2)(number >= thresholds[1]) +
                (u2)(number >= thresholds[2]));
}

/* Those of a set in the highest range; `range` of each, n of them. */
static inline u16 pick_fullest(u16 set, const u2 *range, int n)
{
    u16 high = 0;
    u16 low = 0;

    for (int i = 0; i < n; i++) {
        high |= (u16)((u16)(u1)(range[i] >> 1) << i);
        low |= (u16)((u16)(u1)range[i] << i);
    }
    u16 best = (set & high) != 0 ? (u16)(set & high) : set;

    return (best & low) != 0 ? (u16)(best & low) : best;
}

/* One-hot: the first of a set from a random place on. */
static inline u16 pick_random(u16 set, u4 random, int n)
{
    u16 turn = set & (u16)((u16)((1 << n) - 1) << random);
    u16 of = turn != 0 ? turn : set;

    return (u16)(of & -of);
}

#endif
