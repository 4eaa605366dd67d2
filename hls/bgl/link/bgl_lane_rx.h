// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_lane_rx.h - ports and registers of the receiving side of a lane of one byte a clock.
 *
 * Joins bytes to words, finds out which byte of two is the upper one, hands words to lane_train, and behind the start frames
 * takes the scrambler off the data.
 *
 *  clock  0  in.rx
 *         1  out.data
 */
#ifndef BGL_LANE_RX_H
#define BGL_LANE_RX_H

#include "link/lane/lane_train.h"

struct bgl_lane_rx_in {
    u1 up;       /* the wrapper has clock and bytes */
    u1 rx_valid; /* a byte in this clock */
    u8 rx;
    u1 hunt;
    u1 arm;
    u4 epoch;
};

struct bgl_lane_rx_out {
    u1 good;
    u1 agreed; /* what follows is of two frames that are alike */
    u16 info0;
    u16 info1;
    struct link_identity identity;
    u10 echo;
    u1 started; /* data came */
    u1 valid;   /* a byte of it */
    u1 lower;   /* the lower one of a word */
    u8 data;
    u1 hole; /* data mode and no byte: the framing is lost */
};

struct bgl_lane_rx {
    struct bgl_lane_rx_out out;
    struct lane_train train;
    u1 lower; /* the byte that comes is the lower one of a word */
    u8 upper; /* the one before it */
    u6 waits; /* words without a frame */
    u3 index; /* word of a frame that may have begun: its check tells */
    u16 check;
    u8 left;   /* bytes of start frames to follow */
    u1 counts; /* left is valid */
    u23 scrambler;
};

HLS_RESET void bgl_lane_rx_reset(struct bgl_lane_rx *self);
HLS_MODULE void bgl_lane_rx(struct bgl_lane_rx *self, const struct bgl_lane_rx_in *in);

#endif
