// SPDX-License-Identifier: Apache-2.0
/*
 * arbiter.h - round robin among up to eight that ask, as masks: bit i is requester i.
 *
 * Two ways to remember whose turn it is. As a mask of all behind the one served last (mask_turn): the winner is one-hot
 * without a decoder, for arbiters whose winner drives a multiplexer. As the number of the one served last (mask_next): for
 * those that need the number anyway, to address a memory.
 */
#ifndef ARBITER_H
#define ARBITER_H

#include "hls.h"

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
 * Of the set those above the one served last, or, if there are none, all; the lowest of the result is served. `after` is the
 * mask of all above the one served last: mask_above() of the result is the next one.
 */
static inline u8 mask_turn(u8 set, u8 after)
{
    u8 ahead = set & after;

    return ahead != 0 ? ahead : set;
}

/* One-hot: the lowest of mask_turn(). Each bit finds out by itself, without a choice between two searches. */
static inline u8 mask_serve(u8 set, u8 after)
{
    u8 ahead = set & after;
    u8 behind = ahead != 0 ? (u8)0 : set & ~after;

    return (ahead & ~mask_above(ahead)) | (behind & ~mask_above(set));
}

/* The number of the member of the set to be served behind number `last`; 0 if the set is empty. */
static inline u3 mask_next(u8 set, u3 last)
{
    u8 turn = mask_turn(set, (u8)((u8)0xFE << last));
    u3 next = 0;

    for (int i = 7; i >= 0; i--) {
        next = (u1)(turn >> i) ? (u3)i : next;
    }
    return next;
}

#endif
