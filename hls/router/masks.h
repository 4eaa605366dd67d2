// SPDX-License-Identifier: Apache-2.0
/*
 * masks.h - arbiters on masks of up to eight.
 */
#ifndef MASKS_H
#define MASKS_H

#include "hls.h"

/* The lowest member of a set, alone. */
static inline u8 mask_lowest(u8 set)
{
    u8 above = (u8)(set << 1);

    above |= (u8)(above << 1);
    above |= (u8)(above << 2);
    above |= (u8)(above << 4);
    return (u8)(set & ~above);
}

/* Which one it is. */
static inline u3 mask_index(u8 one)
{
    u1 low = (one & 0xAA) != 0;
    u1 middle = (one & 0xCC) != 0;
    u1 high = (one & 0xF0) != 0;

    return (u3)((u3)low | (u3)((u3)middle << 1) | (u3)((u3)high << 2));
}

/* Round robin: one of the set; who was served in this round goes after who was not. */
static inline u8 mask_pick(u8 set, u8 served)
{
    u8 fresh = (u8)(set & ~served);

    return mask_lowest(fresh != 0 ? fresh : set);
}

/* The round after one of the set was served; when all of the set were, theirs begins anew. */
static inline u8 mask_served(u8 set, u8 served, u8 one)
{
    return (u8)(((set & ~served) != 0 ? served : (u8)(served & ~set)) | one);
}

#endif
