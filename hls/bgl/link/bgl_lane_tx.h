// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_lane_tx.h - ports and registers of the sending side of a lane of one byte a clock.
 *
 * The wire is a sequence of 16-bit words, high byte first: discovery frames (link/lane/frame.h), sixteen start frames, and
 * then what the framer sends, scrambled.
 *
 *  clock  0  framer.out.send
 *         1  in lane_tx
 *         2  out.tx
 */
#ifndef BGL_LANE_TX_H
#define BGL_LANE_TX_H

#include "link/lane/frame.h"

struct bgl_lane_tx_in {
    u8 send; /* of the framer, the upper one of a word while out.odd is 0 */
    u1 quiet;
    u1 start; /* run of lcb_link */
    u16 info0;
    u16 info1;
    struct link_identity identity;
    u10 echo;
};

struct bgl_lane_tx_out {
    u8 tx;
    u1 odd;  /* the next clock sends the lower byte of a word */
    u1 data; /* and it is the framer's */
};

struct bgl_lane_tx {
    struct bgl_lane_tx_out out;
    u8 low;    /* the lower byte of a frame's word */
    u3 index;  /* word of the frame that comes next */
    u1 counts; /* start frames are being sent */
    u4 count;  /* of them to follow */
    u1 last;   /* the word that is being sent is the last one before data */
    u16 info0; /* of the frame that is being sent */
    u16 info1;
    u16 check;
    u23 scrambler;
};

HLS_RESET void bgl_lane_tx_reset(struct bgl_lane_tx *self);
HLS_MODULE void bgl_lane_tx(struct bgl_lane_tx *self, const struct bgl_lane_tx_in *in);

#endif
