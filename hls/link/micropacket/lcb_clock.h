// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_clock.h - ports and registers of the global clock's passage over the link.
 *
 * The time goes out in seven parts of 8 bits, all of one snapshot, the highest 4 of the last one zeros;
 * parts that come in order are put together again. peer_age says when the first of them came: `now` in the cycle with
 * peer_now_valid, less peer_age, is one more than `now` in the cycle of part 0. From peer_now to there is the link's delay, constant from
 * bring-up to bring-up.
 */
#ifndef LCB_CLOCK_H
#define LCB_CLOCK_H

#include "link/flit/link_types.h"

#define CLOCK_PART_BITS (LCB_BODY_BITS - 3)
#define CLOCK_BITS      52
#define CLOCK_LAST      6                          /* number of the last part */
#define CLOCK_APART     (1 << (LCB_TURN_BITS + 2)) /* micropackets that parts may be apart */
#define CLOCK_ALL_BITS  ((CLOCK_LAST + 1) * CLOCK_PART_BITS)

/* Parts may be 128 micropackets of 30 clocks apart, on one lane. */
#define CLOCK_AGE_BITS 15
#if CLOCK_LAST * CLOCK_APART * 3 * LCB_SLOTS >= 1 << CLOCK_AGE_BITS
#error "config: a snapshot may take longer than CLOCK_AGE_BITS can count"
#endif

typedef uint(CLOCK_BITS) lcb_time;
typedef uint(CLOCK_AGE_BITS) lcb_age;

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
    lcb_time peer_now; /* held until the next one */
    lcb_age peer_age;  /* with peer_now_valid: clocks that `now` advanced since part 0 came */
};

struct lcb_clock {
    struct lcb_clock_out out;
    uint(CLOCK_BITS - CLOCK_PART_BITS) latest; /* parts 1 to 6 of the part 0 on offer */
    uint(CLOCK_BITS - CLOCK_PART_BITS) rest;   /* parts still to be sent, the next one lowest */
    uint(CLOCK_ALL_BITS) gathered;             /* parts that came, the latest one highest */
    lcb_age began;                             /* `now` when part 0 came */
    u3 awaited;                                /* part that continues them, 0: none */
    uint(LCB_TURN_BITS + 2) since;             /* micropackets since the latest one */
};

HLS_RESET void lcb_clock_reset(struct lcb_clock *self);
HLS_MODULE void lcb_clock(struct lcb_clock *self, const struct lcb_clock_in *in);

#endif
