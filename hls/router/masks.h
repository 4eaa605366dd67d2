// SPDX-License-Identifier: Apache-2.0
/*
 * masks.h - sets of VCs; arbiters and multiplexers of up to eight.
 */
#ifndef MASKS_H
#define MASKS_H

#include "router/rtr_types.h"

static inline rtr_vcs vc_bit(rtr_vc vc)
{
    return (rtr_vcs)((rtr_vcs)1 << vc);
}

/* The lowest VC of a set; 0 if there is none. */
static inline rtr_vc vc_lowest(rtr_vcs set)
{
    rtr_vc vc = 0;

    for (int i = RTR_VCS - 1; i >= 0; i--) {
        vc = (u1)(set >> i) ? (rtr_vc)i : vc;
    }
    return vc;
}

/* A mask of all bits above the lowest one of a set. */
static inline u8 mask_above(u8 set)
{
    u8 above = (u8)(set << 1);

    above |= (u8)(above << 1);
    above |= (u8)(above << 2);
    above |= (u8)(above << 4);
    return above;
}

/* One-hot: the lowest bit of a set. */
static inline u8 mask_lowest(u8 set)
{
    return (u8)(set & ~mask_above(set));
}

/* The number of the bit of a one-hot set; 0 if it is empty. */
static inline u3 mask_index(u8 one)
{
    u1 low = (one & 0xAA) != 0;
    u1 middle = (one & 0xCC) != 0;
    u1 high = (one & 0xF0) != 0;

    return (u3)((u3)low | (u3)((u3)middle << 1) | (u3)((u3)high << 2));
}

/*
 * Round robin without an adder: of the set those above the one served last, or, if there are none, all; the lowest of the
 * result is served. `after` is the mask of all above the one served last: mask_above() of the result is the next one.
 */
static inline u8 mask_turn(u8 set, u8 after)
{
    u8 ahead = set & after;

    return ahead != 0 ? ahead : set;
}

/* One of eight codes: the tree of multiplexers. */
static inline rtr_code one_of_codes(const rtr_code code[8], u3 n)
{
    u1 a = (u1)n, b = (u1)(n >> 1), c = (u1)(n >> 2);
    rtr_code low = b ? (a ? code[3] : code[2]) : (a ? code[1] : code[0]);
    rtr_code high = b ? (a ? code[7] : code[6]) : (a ? code[5] : code[4]);

    return c ? high : low;
}

#endif
