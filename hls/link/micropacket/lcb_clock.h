// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_clock.h - ports and registers of the global clock's passage over the link.
 *
 * The time goes out in seven parts of 8 bits, all of one snapshot, the highest 4 of the last one zeros;
 * parts that come in order are put together again. Correcting for the cable is up to whoever reads round_trip.
 */
#ifndef LCB_CLOCK_H
#define LCB_CLOCK_H

#include "link/flit/link_types.h"

#define CLOCK_PART_BITS (LCB_BODY_BITS - 3)
#define CLOCK_BITS      52
#define CLOCK_LAST      6                          /* number of the last part */
#define CLOCK_APART     (1 << (LCB_TURN_BITS + 2)) /* micropackets that parts may be apart */
#define CLOCK_ALL_BITS  ((CLOCK_LAST + 1) * CLOCK_PART_BITS)

typedef uint(CLOCK_BITS) lcb_time;

struct lcb_clock_in {
    lcb_time now;       /* ours */
    u1 sent;            /* lcb_tx has put the offered part into a tail */
    u1 run;             /* data comes in; while 0 the parts received so far are discarded */
    u1 verdict;         /* a micropacket came in, good or bad */
    u1 peer_part_valid; /* lcb_rx got this part */
    lcb_body peer_part;
};

struct lcb_clock_out {
    lcb_body part;     /* the part that is due */
    u1 peer_now_valid; /* for one clock: all of a snapshot of the peer's time came */
    lcb_time peer_now; /* with peer_now_valid */
};

struct lcb_clock {
    struct lcb_clock_out out;
    uint(CLOCK_BITS - CLOCK_PART_BITS) latest; /* parts 1 to 6 of the part 0 on offer */
    uint(CLOCK_BITS - CLOCK_PART_BITS) rest;   /* parts still to be sent, the next one lowest */
    uint(CLOCK_ALL_BITS) gathered;             /* parts that came, the latest one highest */
    u3 awaited;                                /* part that continues them, 0: none */
    uint(LCB_TURN_BITS + 2) since;             /* micropackets since the latest one */
};

HLS_RESET void lcb_clock_reset(struct lcb_clock *self);
HLS_MODULE void lcb_clock(struct lcb_clock *self, const struct lcb_clock_in *in);

#endif
