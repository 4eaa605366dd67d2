// SPDX-License-Identifier: Apache-2.0
/*
 * output_mux.h - ports and registers of the output side of a tile: column buffers to the link.
 */
#ifndef OUTPUT_MUX_H
#define OUTPUT_MUX_H

#include "router/rtr_types.h"

struct output_mux_in {
    struct column_flit column[RTR_ROWS]; /* from the subswitch of each row of this column */
    u1 ready;                            /* the link takes the flit of out.valid in this clock */
    rtr_vcs room;       /* VC v: a packet of any length fits into the queue at the other end */
    rtr_load peer_load; /* of the queue at the other end */
};

struct output_mux_out {
    u1 valid; /* stays with its flit until ready */
    rtr_flit flit;
    u1 head;
    u1 tail;
    u1 bad; /* with tail: the packet is spoilt */
    struct vc_note
        start; /* a packet of this VC was chosen: charge it as the longest until its head shows */
    struct vc_note freed[RTR_ROWS]; /* to the subswitches of this column */
    rtr_load load;
    u1 stall_request; /* a packet of the request VCs waits for room */
    u1 stall_response;
    u1 corrected; /* one wrong bit in a memory */
    u1 fatal;     /* two */
};

#endif
