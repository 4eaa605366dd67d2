// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_watch.h - ports and registers of the watchdog.
 *
 * Finds links that run without progress because the state of the two ends disagrees: nothing that was sent is
 * acknowledged, or credits are missing although the peer's input queue is empty.
 */
#ifndef LCB_WATCH_H
#define LCB_WATCH_H

#include "link/flit/link_types.h"

#if LCB_PACKET
#define WATCH_LOG2 15 /* good packets and records until it acts */
#else
#include "link/micropacket/sideband.h"

#define WATCH_LOG2 13 /* good micropackets until it acts */
#endif
#define HUSH_LOG2 14 /* clocks until an idle micropacket is asked for */

struct lcb_watch_in {
    u1 run; /* lcb_link: data in both directions */
    /* lcb_rx */
#if LCB_PACKET
    u1 good;  /* a right CRC */
    u1 said;  /* of a SEEK, which says */
    u1 heard; /* whether the peer's input queue is empty */
#else
    u1 good; /* a right CRC, of a micropacket with this sideband */
    lcb_side side;
#endif
    /* lcb_tx */
    u1 waits;
    u1 acked;
    u1 idle;
    u1 short_of; /* lcb_credit */
    u1 empty;    /* our input queue holds nothing of the peer's */
};

struct lcb_watch_out {
    u1 stuck; /* for one clock: begin a new epoch */
    u1 hush;  /* lcb_tx: send an idle micropacket next, which says that our input queue is empty */
};

struct lcb_watch {
    struct lcb_watch_out out;
    u1 peer_empty; /* the peer has said that it is empty since all that was sent was acknowledged */
    u1 waited;     /* waits of the clock before */
    uint(WATCH_LOG2) fruitless; /* good micropackets since the last progress */
    uint(HUSH_LOG2) unsaid;     /* clocks since an idle micropacket said that we are empty */
};

HLS_RESET void lcb_watch_reset(struct lcb_watch *self);
HLS_MODULE void lcb_watch(struct lcb_watch *self, const struct lcb_watch_in *in);

#endif
