// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_fault.h - ports and registers of the block that finds the lane that corrupts packets.
 *
 * Keeps the first bad copy of a missing packet and compares it with its good replay, lane by lane.
 */
#ifndef PKT_FAULT_H
#define PKT_FAULT_H

#include "link/packet/phit.h"

struct pkt_fault_in {
    u1 run;
    u3 lane_map;
    /* pkt_rx: a phit of a packet */
    u1 seen;
    u1 head;
    u1 odd;
    u1 second;
    phit_bits parts;
    /* and, with the next one at the earliest, the verdict */
    u1 cut;
    u1 accepted;
};

struct pkt_fault_out {
    u3 lanes; /* for one clock: lanes whose bits differed */
};

struct pkt_fault {
    struct pkt_fault_out out;
    u1 bank;         /* of the copy that is being written; the other one is compared with */
    lcb_phits count; /* phits of it */
    u1 place;        /* the half of its first word, */
    u1 odd;          /* and that word's number */
    u1 held;         /* the copy in the other bank waits for its replay */
    lcb_phits held_count;
    u1 held_place;
    u1 held_odd;
    u3 even_chunks; /* chunks of even words of the bad copy that differ */
    u3 odd_chunks;
    HLS_LUTRAM(1) phit_bits copy[64];
};

HLS_RESET void pkt_fault_reset(struct pkt_fault *self);
HLS_MODULE void pkt_fault(struct pkt_fault *self, const struct pkt_fault_in *in);

#endif
