// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_deframer.h - ports and registers of what takes acks and packets off the wire and judges them.
 *
 *  clock  0  byte 0 of a packet in lane_rx.out
 *         1  held for the gap word before it
 *         2  out.bus: byte 0
 *         9  out.bus: byte 7, with the verdict on the header
 *   32n + 6  out.over, the verdict on the packet
 */
#ifndef BGL_DEFRAMER_H
#define BGL_DEFRAMER_H

#include "bgl/packet/bgl_types.h"

struct bgl_deframer_in {
    u1 valid; /* lane_rx: a byte of the data */
    u1 lower;
    u8 data;
    u1 hole;      /* a byte is missing */
    u1 run;       /* arm of lcb_link */
    u1 clear;     /* a new epoch */
    u1 crc_clear; /* CRC-32 begins anew */
};

struct bgl_deframer_out {
    struct bgl_byte bus; /* bytes of packets */
    u3 n;                /* of the packet on it: chunks - 1, as its gap word says */
    u1 head;             /* with byte 7: the header is right and the number the expected one */
    u1 over;             /* the packet is over */
    u1 accepted;         /* with over: its CRC-24 is right */
    u1 whole;            /* and its valid byte says that it is good */
    u8 expected;
    u1 due; /* an ack */
    u1 ack; /* an ack with a right CRC came */
    u56 ack_bytes;
    u1 lost;       /* the framing, until run falls */
    crc32_sum crc; /* over all accepted packets of this epoch */
    /* Events, each for one clock. */
    u1 good; /* a right packet or ack */
    u1 repeated;
    u1 gap;
    u1 head_wrong;
    u1 crc_wrong;
    u1 ack_wrong;
    u1 gap_corrected;
    u1 gap_lost;
};

enum deframer_state {
    DEFRAMER_GAP,
    DEFRAMER_DECODE, /* a gap word is whole; what follows it begins */
    DEFRAMER_ACK,
    DEFRAMER_PACKET,
    DEFRAMER_CRC,
};

struct bgl_deframer {
    struct bgl_deframer_out out;
    enum deframer_state state;
    u8 held; /* the byte of the clock before */
    u1 held_valid;
    u1 held_lower;
    u8 upper;
    u16 word;          /* a gap word */
    u4 m;              /* and what its votes say */
    u1 packet_follows; /* the ack */
    u9 index;          /* byte of a packet */
    u56 ack;
    u8 crc8;
    crc24_sum crc24;
    crc32_sum crc32;
    u8 number; /* of the packet that comes, and whether it is taken */
    u1 taken;
    u1 again;    /* it was taken before */
    u1 wrong;    /* its CRC-24, so far */
    u8 length;   /* byte 2 */
    u2 in_a_row; /* wrong headers */
};

HLS_RESET void bgl_deframer_reset(struct bgl_deframer *self);
HLS_MODULE void bgl_deframer(struct bgl_deframer *self, const struct bgl_deframer_in *in);

#endif
