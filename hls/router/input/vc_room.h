// SPDX-License-Identifier: Apache-2.0
/*
 * vc_room.h - ports and registers of the accounts for one buffer of vc_queue.inc: who may send a flit there.
 *
 * Whoever sends may tell of it one clock late: out.room keeps one place in reserve, for the flit that is sent before the
 * one before it is counted. vc_credit.inc counts without a wipe after reset and also says whether flits are outstanding;
 * in its place here it takes 91 LUT4 instead of 72, and a tile has nine of these.
 */
#ifndef VC_ROOM_H
#define VC_ROOM_H

#include "router/flit/rtr_types.h"

#define VC_ROOM_LOG2 (RTR_ROW_LOG2 < RTR_STAGE_LOG2 ? RTR_ROW_LOG2 : RTR_STAGE_LOG2)
#define VC_ROOM      (1 << VC_ROOM_LOG2) /* flits of a VC that may be in the buffer */

typedef uint(VC_ROOM_LOG2) vc_room_count;

struct vc_room_in {
    u1 sent; /* a flit of sent_vc */
    rtr_vc sent_vc;
    struct vc_note freed; /* by the buffer */
    u1 wipe; /* sets the flits of sent_vc that are outstanding to 0; nothing is sent or freed in that clock */
};

struct vc_room_out {
    rtr_vcs room; /* VC v has room for a flit, and for one more */
};

struct vc_room {
    struct vc_room_out out;
    HLS_LUTRAM(2) vc_room_count used[1 << RTR_VC_BITS];
    HLS_LUTRAM(2) vc_room_count known[1 << RTR_VC_BITS];
};

HLS_RESET void vc_room_reset(struct vc_room *self);
HLS_MODULE void vc_room(struct vc_room *self, const struct vc_room_in *in);

#endif
