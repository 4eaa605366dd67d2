// SPDX-License-Identifier: Apache-2.0
/*
 * frame4.h - what of a discovery frame is different with four lanes: frame.h includes it.
 *
 *   word 1   info0     15    12 11     8 7      4  3  2      0
 *                     +--------+--------+--------+---+--------+
 *                     | epoch  | rx map |tx map  | s | count  |
 *                     +--------+--------+--------+---+--------+
 *
 * Half as many start frames, and no mark of packet mode.
 */
#ifndef FRAME4_H
#define FRAME4_H

#include "link/flit/link_types.h"

static const u16 frame_sync[LANES] = {0xB5C3, 0xD64E, 0x8B79, 0x69A7};

static inline u16 frame_info0(u4 epoch, u4 rx_map, u4 tx_map, u1 start, u3 count)
{
    return (u16)(((u16)epoch << 12) | ((u16)rx_map << 8) | ((u16)tx_map << 4) | ((u16)start << 3) |
                 count);
}

/* clang-format off */
static inline u4 frame_epoch(u16 info0)  { return (u4)(info0 >> 12); }
static inline u4 frame_rx_map(u16 info0) { return (u4)(info0 >> 8); }
static inline u4 frame_tx_map(u16 info0) { return (u4)(info0 >> 4); }
static inline u1 frame_start(u16 info0)  { return (u1)(info0 >> 3); }
static inline u3 frame_count(u16 info0)  { return (u3)info0; }
/* clang-format on */

/* What stays the same from frame to frame. */
static inline u16 frame_steady(u16 info0)
{
    return info0 & (u16)0xFFF0;
}

static inline u1 frame_framing(u16 info0)
{
    (void)info0;
    return 1;
}

#endif
