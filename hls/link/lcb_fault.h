// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_fault.h - ports and registers of the block that finds the lane that corrupts micropackets.
 *
 * Keeps the first bad copy of a missing micropacket and compares it with its good replay, lane by
 * lane.
 */
#ifndef LCB_FAULT_H
#define LCB_FAULT_H

#include "link/lane/frame.h"
#include "link/micropacket/sideband.h"

struct lcb_fault_in {
    u1 valid; /* lane_rx: the same words that lcb_rx gets */
    lcb_word word;
    u1 run;
    lcb_lanes lane_map;
    /* lcb_rx: the verdict, two clocks after the tail */
    u1 crc_error;
    u1 accepted;
    lcb_side side;
    lcb_seq expected;
};

struct lcb_fault_out {
    lcb_lanes lanes; /* for one clock: lanes whose bits differed */
};

struct lcb_fault {
    struct lcb_fault_out out;
    lcb_slot slot;
    u1 bank; /* of the copy that is being written, the other one is compared with */
    u1 held; /* the copy in the other bank waits for its replay */
#if LANES == 4
    u4 chunks;    /* of any slot that differ, in the micropacket coming in, the highest first */
    u3 thirds;    /* places of three lanes that differ, if its first word were word 0 */
    u2 third;     /* slot modulo 3 */
    u2 turn;      /* number of its first word, modulo 3 */
    u2 held_turn; /* of the copy in the other bank */
#else
    u3 even; /* chunks of even slots that differ, in the micropacket coming in */
    u3 odd;  /* of odd slots */
#endif
    lcb_lanes lanes; /* lanes that differ, of the micropacket whose verdict is due */
    HLS_LUTRAM(1) lcb_word copy[2 << LCB_SLOT_LOG2];
};

HLS_RESET void lcb_fault_reset(struct lcb_fault *self);
HLS_MODULE void lcb_fault(struct lcb_fault *self, const struct lcb_fault_in *in);

#endif
