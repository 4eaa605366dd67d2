// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_framer.h - ports and registers of what puts gap words, acks and packets onto the wire.
 *
 *     gap 2 | ack 8 | packet 32 n | valid 1 | CRC-24 3 | gap 2 | ...
 *
 * A gap word is begun in a clock in which lane_tx sends a lower byte, so that lane_tx takes its upper byte as one. An ack that is
 * due goes out at the next gap, before a packet that waits, but not before one that has waited for an ack already; a packet that comes
 * meanwhile is held in 16 bytes.
 */
#ifndef BGL_FRAMER_H
#define BGL_FRAMER_H

#include "bgl/packet/bgl_types.h"

struct bgl_framer_in {
    u1 data; /* lane_tx sends what comes from here */
    u1 odd;
    struct bgl_byte bus; /* packets, from resend */
    u3 n;                /* with the first byte: chunks - 1 */
    u1 due; /* an ack is wanted: a packet was accepted or repeated, or chunks became free */
    u8 expected;
    u7 freed[BGL_VCS];
};

struct bgl_framer_out {
    u8 send;
    u1 soon;      /* a packet whose first byte comes in LEAD clocks will find the wire free */
    u1 acked;     /* an ack begins in this clock */
    u1 token_ack; /* and it says of freed chunks what the last one did not */
    u1 overflow;  /* bytes came that were not to come */
    u1 parity;    /* event: a byte that was held is wrong */
};

enum framer_state {
    FRAMER_UPPER, /* of a gap word */
    FRAMER_LOWER,
    FRAMER_ACK,
    FRAMER_PACKET,
    FRAMER_CRC,
};

struct bgl_framer {
    struct bgl_framer_out out;
    HLS_LUTRAM(1) u8 held[16];
    HLS_LUTRAM(1) u3 held_marks[16]; /* parity, ctl */
    u4 write;
    u5 count;
    u3 n;     /* of the packet that came last */
    u1 waits; /* it has not been begun */
    u1 bad;   /* a byte of the packet on the wire had a wrong parity */
    enum framer_state state;
    u8 lower; /* byte of the gap word */
    u1 spoke; /* the last thing was an ack without a packet */
    u1 ack_follows;
    u1 packet_follows;
    u3 index; /* byte of an ack, of the CRC */
    u56 ack;
    u8 ack_crc;
    crc24_sum crc;
    u9 left; /* clocks until the wire is free for the next first byte */
    u1 due;
    u11 silence;       /* clocks since the last ack */
    u7 freed[BGL_VCS]; /* as last said */
};

/*
 * Clocks from `soon` to the first byte of who sees it: availability 1, request 1, offer 1, grant 1, bus 2, sender 1, resend 1; an offer
 * that waits for its select one more.
 */
#define FRAMER_LEAD 9

HLS_RESET void bgl_framer_reset(struct bgl_framer *self);
HLS_MODULE void bgl_framer(struct bgl_framer *self, const struct bgl_framer_in *in);

#endif
