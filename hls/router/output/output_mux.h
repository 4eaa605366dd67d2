// SPDX-License-Identifier: Apache-2.0
/*
 * output_mux.h - ports and registers of the output side of a tile: column buffers to the link.
 */
#ifndef OUTPUT_MUX_H
#define OUTPUT_MUX_H

#include "router/output/column_buffer.h"

struct output_mux_in {
    struct column_flit column[RTR_ROWS]; /* from the subswitch of each row of this column */
    u1 ready;                            /* the link takes the flit of out.valid in this clock */
    rtr_vcs room;  /* VC v: a packet of any length fits into the queue at the other end */
    rtr_vcs spare; /* VC v: and one more, of any VC, chosen in the clock before */
    rtr_rows
        first; /* packets from these rows go first, of every 16th choice those from the others */
    u1 tick;   /* at a processor's port: half of its patience has passed */
    rtr_load peer_load;   /* of the queue at the other end, as it says, of both */
    rtr_far far_request;  /* and as estimated, of requests, */
    rtr_far far_response; /* of responses */
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
    struct load_pair load;
    u1 dropped;       /* a packet was chosen and goes nowhere: the valve */
    u1 stall_request; /* a packet of the request VCs waits for room */
    u1 stall_response;
    u1 corrected; /* a single-bit error in a memory: corrected */
    u1 fatal;     /* two: uncorrectable */
#if DEV_MAINT
    u1 busy; /* a flit waits in a column buffer, or for the link */
#endif
};

/* Which packet of a row is the next to be chosen, or is being sent: that at the front of one of its VCs. */
struct output_candidate {
    rtr_vc vc;
    column_buffer_vcs one;   /* the same one-hot */
    column_buffer_vcs after; /* all VCs behind it: round robin */
};

/* A flit on its way to the output register. */
struct output_flit {
    u1 valid;
    u1 head;
    u1 tail;
};

struct output_mux {
    struct output_mux_out out; /* start.vc stays: the VC of the packet that was chosen last */
    struct column_buffer buffer[RTR_ROWS];

    struct output_candidate candidate[RTR_ROWS]; /* may have no flit or no room */
    rtr_rows open;   /* one-hot: the row whose packet is being sent; its tail has not been popped */
    rtr_rows wins;   /* rows that have enough of a packet beside the candidate, and prefer it */
    rtr_rows better; /* rows whose candidates go before the others ... */
    u1 better_enough; /* ... because enough of them is here, if it still is */
    rtr_rows older
        [RTR_ROWS]; /* bit j of row r, j < r: row j was served before row r, and goes before it */
    u4 turn; /* counts packets: for each fourth not enough need be here, 15 is the turn of the rows that do not go first */
    u1 turned; /* in the call before, and those that are better do not know of it */

    /* The valve of a class, requests and responses. */
    u2 waited[2]; /* ticks since a packet of the class was sent, while others wait: 2 at most */
    u2 shut;      /* bit of the class: its packets go, and those without room are dropped */
    u1 drops;     /* the packet that is open is dropped */

    struct output_flit popped; /* in the read register of its column buffer ... */
    rtr_row row;               /* ... of this row */

    struct output_flit next; /* goes to the output register */
    rtr_code next_code;
    u1 next_bad; /* its control word was uncorrectable */
    rtr_vc next_vc;

    u1 bad; /* a flit of the packet that is being sent was uncorrectable or marked bad */
#if RTR_LENGTH_BITS != 0
    u1 cut; /* its head was uncorrectable and was sent alone: the flits behind it are discarded */
#endif

    uint(RTR_VC_BITS + RTR_COL_LOG2 + 4) flits; /* in all column buffers */
};

/*
 * For each class: half of what waits here, saturated, of both classes, which go by turns; and what waits there of the class. Of the two
 * words on that the peer's, which is of both classes, has the lower weight: what stands there in front of a processor is not in the way
 * of the other class.
 */
static inline struct load_pair output_load(rtr_load waiting, rtr_load peer, rtr_far far_request,
                                           rtr_far far_response)
{
    rtr_far word = (rtr_far)(peer >> 3);
    rtr_load half = (rtr_load)(waiting >> 1);

    return (struct load_pair){
        .of_requests = half + (word > far_request ? word : far_request),
        .of_responses = half + (word > far_response ? word : far_response),
    };
}

HLS_RESET void output_mux_reset(struct output_mux *self);
HLS_MODULE void output_mux(struct output_mux *self, const struct output_mux_in *in);

#endif
