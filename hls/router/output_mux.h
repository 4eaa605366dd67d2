// SPDX-License-Identifier: Apache-2.0
/*
 * output_mux.h - ports and registers of the output side of a tile: column buffers to the link.
 */
#ifndef OUTPUT_MUX_H
#define OUTPUT_MUX_H

#include "router/column_buffer.h"
#include "router/column_packets.h"

struct output_mux_in {
    struct column_flit column[RTR_ROWS]; /* from the subswitch of each row of this column */
    u1 ready;                            /* the link takes the flit of out.valid in this clock */
    rtr_vcs room;  /* VC v: a packet of any length fits into the queue at the other end */
    rtr_vcs spare; /* VC v: and one more, of any VC, chosen in the clock before */
    rtr_rows
        first; /* packets from these rows go first, of every 16th choice those from the others */
    rtr_load peer_load; /* of the queue at the other end */
};

struct output_mux_out {
    u1 valid; /* stays with its flit until ready */
    rtr_flit flit;
    u1 head;
    u1 tail;
    u1 bad; /* with tail: the packet is corrupted, and its destination drops it */
    struct vc_note
        start; /* a packet of this VC was chosen: charge it as the longest until its head shows */
    struct vc_note freed[RTR_ROWS]; /* to the subswitches of this column */
    rtr_load load;
    u1 stall_request; /* a packet of the request VCs waits for room */
    u1 stall_response;
    u1 corrected; /* one wrong bit in a memory: corrected */
    u1 fatal;     /* two: uncorrectable */
};

struct output_mux {
    struct output_mux_out out;
    struct column_buffer buffer[RTR_ROWS];
    struct column_packets whole[RTR_ROWS];

    /* The packet that is being sent. */
    u1 open; /* its tail has not been popped */
    rtr_row row;
    rtr_vc vc;
    u4 turn; /* counts packets: each fourth need not be whole, 15 is the turn of the rows that do not go first */
    rtr_rows first; /* rows that go first at this turn */
    u1 rest;        /* it is the turn of those that do not: they have rounds of their own */

    /* The flit that was popped last, from row, and waits for the output register to be free. */
    u1 popped;
    u1 popped_head;
    u1 popped_tail;

    u1 bad; /* a flit of the packet that is being sent was uncorrectable or marked bad */
    u1 cut; /* its head was uncorrectable and was sent alone: the flits behind it are discarded */

    uint(RTR_VC_BITS + RTR_COL_LOG2 + 4) flits; /* in all column buffers */

    /* Round robin: all after the one that went last. */
    rtr_rows row_after;
    rtr_rows rest_after; /* at the turn of the rows that do not go first */
    column_buffer_vcs vc_after[RTR_ROWS];
};

HLS_RESET void output_mux_reset(struct output_mux *self);
HLS_MODULE void output_mux(struct output_mux *self, const struct output_mux_in *in);

#endif
