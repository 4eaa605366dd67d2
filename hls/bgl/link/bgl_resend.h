// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_resend.h - ports and registers of a link's retransmission: packets that are not acknowledged, 2 KB of them.
 *
 * Every packet flows through: n, VC, number and CRC-8 are written into its header, it is kept, and, unless older ones are being
 * repeated, it goes on to the framer in the same clock. After a time-out, and when the link was trained again, all from `base` on are sent
 * again, written anew from number and {n, VC}.
 *
 *  clock  0  in.bus
 *         1  out.tx
 */
#ifndef BGL_RESEND_H
#define BGL_RESEND_H

#include "bgl/link/bgl_sequence.h"
#include "bgl/packet/bgl_types.h"

/* {n - 1, vc, valid} of a packet. */
#define ECC      info_ecc
#define ECC_DATA 6
#define ECC_BITS 5
#include "common/ecc.inc"

struct bgl_resend_in {
    u1 run;   /* the link carries data */
    u1 clear; /* a new epoch: nothing is kept */
    u1 crc_clear;
    struct bgl_byte bus; /* from the sender */
    u3 n;                /* of the packet on it, with the first byte */
    u2 vc;
    u1 soon; /* framer: a packet may begin */
    u1 ack;  /* with a right CRC */
    u56 ack_bytes;
    u12 round_trip;
    u16 timeout;
    u8 retry_limit;
};

struct bgl_resend_out {
    struct bgl_byte tx; /* to the framer */
    u3 tx_n;
    u1 room;      /* for a full packet, and nothing is being repeated */
    u1 ack_right; /* the ack of a clock ago is of the window */
    u56 right_bytes;
    u1 acked;      /* and something new */
    u1 flowing;    /* a packet comes */
    u1 spent;      /* so many time-outs without progress: the link has to be trained again */
    u1 lost;       /* {n, vc, valid} is uncorrectable */
    u8 base;       /* number of the oldest packet */
    u8 number;     /* of the next new one */
    crc32_sum crc; /* over all packets of this epoch */
    /* Events, each for one clock. */
    u1 ack_wrong;
    u1 timed_out;
    u1 repeated;
    u1 corrected;
    u1 fatal;
    u1 parity;
    u1 escapes; /* a dynamic packet comes on VC 2 */
};

enum resend_state {
    RESEND_LIVE, /* packets pass */
    RESEND_WAIT, /* the space of what is acknowledged is being counted */
    RESEND_NEXT, /* which one is sent again */
    RESEND_FETCH,
    RESEND_STREAM,
};

struct bgl_resend {
    struct bgl_resend_out out;
    HLS_BRAM word_ecc_word memory[256];
    HLS_LUTRAM(2) info_ecc_word info[64];
    word_ecc_word read;
    /* the packet that comes */
    u1 open;
    u1 live; /* it passes to the framer */
    u1 bad;
    u9 at; /* its byte */
    u3 n;
    u2 vc;
    u8 crc8;
    u56 gather;
    u8 write; /* word */
    u2 ahead; /* words of it that are in, up to two */
    /* numbers */
    u8 acked;   /* the peer wants this one */
    u8 sent;    /* all before this one have been on the wire */
    u7 used;    /* chunks */
    u8 base_at; /* word */
    u17 timer;
    u17 limit;
    u8 retries;
    /* repetition */
    enum resend_state state;
    u1 again;   /* another time-out */
    u8 send;    /* number */
    u8 send_at; /* word that is read next */
    u9 index;   /* byte */
    u3 send_n;
    u2 send_vc;
    u8 send_crc8;
    u1 send_bad;
    u1 fetch; /* the word that was read is corrected */
    u64 word;
    u64 ahead_word;
};

HLS_RESET void bgl_resend_reset(struct bgl_resend *self);
HLS_MODULE void bgl_resend(struct bgl_resend *self, const struct bgl_resend_in *in);

#endif
