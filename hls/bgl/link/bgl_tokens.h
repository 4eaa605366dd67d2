// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_tokens.h - ports and registers of the token accounts of one link: of its sender, and what its receiver gives back.
 *
 * A token is a chunk of a VC FIFO of 32. VCs 0 and 1 are charged as many as a packet has, VCs 2 and 3 always eight: with real lengths
 * the place that a ring keeps free would fall to pieces. `freed` and `told` are sums modulo 128 since the epoch began, so an ack that is lost or
 * repeated loses and makes nothing.
 */
#ifndef BGL_TOKENS_H
#define BGL_TOKENS_H

#include "bgl/packet/bgl_types.h"

struct bgl_tokens_in {
    u1 clear; /* a new epoch */
    /* sender */
    u1 charge; /* a packet was begun */
    u2 charge_vc;
    u3 charge_n; /* chunks - 1 */
    u1 ack;      /* right, and within the window */
    u56 ack_bytes;
    u6 thresholds[3]; /*  of free tokens */
    /* receiver: chunks that left for good in this clock */
    u5 leaves[BGL_VCS];
};

struct bgl_tokens_out {
    u4 one;       /* a bit for each VC: tokens of a full packet */
    u4 two;       /* of two, VCs 2 and 3 */
    u2 ranges[2]; /* VCs 0, 1: thresholds that the free tokens reach */
    u7 used[BGL_VCS];
    u7 told[BGL_VCS];
    u7 freed[BGL_VCS];
    u1 due;   /* an ack: chunks became free */
    u1 wrong; /* an ack's sums are not possible */
    u1 home;  /* all tokens are here */
};

struct bgl_tokens {
    struct bgl_tokens_out out;
};

HLS_RESET void bgl_tokens_reset(struct bgl_tokens *self);
HLS_MODULE void bgl_tokens(struct bgl_tokens *self, const struct bgl_tokens_in *in);

#endif
