// SPDX-License-Identifier: Apache-2.0
/*
 * lane_train.h - ports and registers of the discovery frame detector, one per lane.
 *
 * Finds frames in the words of one lane, keeps a score of good ones, and outputs the contents of a frame if
 * the frame before it had the same.
 */
#ifndef LANE_TRAIN_H
#define LANE_TRAIN_H

#include "link/lane/frame.h"

struct lane_train_in {
    u1 valid;
    u16 word;
    u16 sync;           /* constant of this lane */
    u1 hunt;            /* look for frames; while 0 the score is 0 */
    u1 arm;             /* take start frames */
    lcb_lanes lane_map; /* that name these lanes */
    u4 epoch;           /* and come from this epoch */
};

struct lane_train_out {
    u1 good;   /* the score is high: the lane can be used */
    u16 info0; /* of the last two frames that agreed, start and count masked */
    u16 info1;
    struct link_identity identity;
    u10 echo;
    u1 start; /* for one clock: the word before this clock's was the last of a start frame */
    frame_counts count; /* frames to follow before data */
};

struct lane_train {
    struct lane_train_out out;
    u3 index; /* word of the frame that is expected next */
    u6 score;
    u1 hit;    /* the word of the clock before ended a frame; the score does not know yet */
    u1 miss;   /* or it was wrong */
    u1 same;   /* so far the frame coming in is the same as the one before it */
    u16 info0; /* of the frame coming in, behind it still of the one before */
    u16 info1;
    struct link_identity identity;
    u10 echo;
    u16 check; /* CRC-16 of the words so far */
};

HLS_RESET void lane_train_reset(struct lane_train *self);
HLS_MODULE void lane_train(struct lane_train *self, const struct lane_train_in *in);

#endif
