// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_link.h - ports and registers of the link of one port: lanes, frames, acks, retransmission and tokens.
 */
#ifndef BGL_LINK_H
#define BGL_LINK_H

#include "bgl/link/bgl_counts.h"
#include "bgl/link/bgl_deframer.h"
#include "bgl/link/bgl_framer.h"
#include "bgl/link/bgl_lane_rx.h"
#include "bgl/link/bgl_lane_tx.h"
#include "bgl/link/bgl_resend.h"
#include "bgl/link/bgl_tokens.h"
#include "link/lcb_link.h"

/* What registers show of a link, and what they tell it. */
struct bgl_link_state {
    u3 state;
    u4 epoch;
    u12 round_trip;
    struct link_identity peer;
    crc32_sum send_crc;
    crc32_sum receive_crc;
    u7 tokens[BGL_VCS];
    u8 base;
    u8 following;
};

struct bgl_link_control {
    u1 restart; /* for one clock */
    u1 kill;
    u1 clear_crc;
    u1 clear;
    u1 loopback;
    u1 drop;
    u1 stop;
    u16 timeout;
    u8 retry;
};

struct bgl_link_in {
    /* wire */
    u1 rx_up;
    u1 rx_valid;
    u8 rx;
    struct bgl_link_control control;
    struct link_identity identity;
    u6 thresholds[3]; /* of tokens */
    /* sender */
    struct bgl_byte bus;
    u3 bus_n;
    u2 bus_vc;
    u1 granted; /* a packet is still coming */
    /* receiver */
    u5 leaves[BGL_VCS];
    u1 lost;
    u1 drained;
    /* events of theirs */
    u1 dropped;
    u1 corrected;
    u1 uncorrectable;
    u1 parity;
    u1 header;
    u1 bypassed;
    u1 lapsed;
    u1 received; /* a packet, accepted */
    u2 received_vc;
};

struct bgl_link_out {
    u8 tx;
    /* pipe */
    struct bgl_byte rx_bus;
    u3 rx_n;
    u1 head;
    u1 over;
    u1 accepted;
    u1 whole;
    /* sender */
    enum link_state link_state;
    u1 absent; /* a fresh end has waited for a peer for so long that none is there */
    u1 soon;
    u1 room;
    u4 one;
    u4 two;
    u2 ranges[2];
    struct bgl_link_state shown;
    u5 index; /* of the counter in `count` */
    u32 count;
    u1 resend_fatal; /* events */
    u1 sent_wrong;   /* parity of a byte on its way to the wire */
};

struct bgl_link {
    struct bgl_link_out out;
    struct bgl_lane_tx lane_tx;
    struct bgl_lane_rx lane_rx;
    struct lcb_link link;
    struct bgl_framer framer;
    struct bgl_deframer deframer;
    struct bgl_resend resend;
    struct bgl_tokens tokens;
    struct bgl_counts counts;
    u14 alone; /* clocks of an epoch in which the end is fresh and does not run, up to BGL_ALONE */
    u1 flushing; /* lcb_link's flush was seen, and a granted packet is still coming */
};

HLS_RESET void bgl_link_reset(struct bgl_link *self);
HLS_MODULE void bgl_link(struct bgl_link *self, const struct bgl_link_in *in);

#endif
