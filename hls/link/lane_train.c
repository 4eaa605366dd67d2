// SPDX-License-Identifier: Apache-2.0
/*
 * lane_train.c - finds discovery frames in the words of one lane.
 *
 * Without score any word may be the sync word; with one the frames have their place, and each that
 * is missing or wrong costs the score of four good ones. So a lane with a bit error rate of 1e-3
 * gets good and one with 1e-2 does not.
 */
#include "link/lane_train.h"

#define SCORE_FULL 63
#define SCORE_GOOD 32
#define SCORE_LOSS 4

HLS_RESET void lane_train_reset(struct lane_train *self)
{
    *self = (struct lane_train){};
}

/* A whole frame with a right check. */
static inline void take_frame(struct lane_train *self, const struct lane_train_in *in)
{
    u16 steady = frame_steady(self->info0);

    self->score += self->score != SCORE_FULL;
    if (steady == self->last0 && self->info1 == self->last1) {
        self->out.info0 = steady;
        self->out.info1 = self->info1;
    }
    self->last0 = steady;
    self->last1 = self->info1;
    self->out.start = in->arm && frame_start(self->info0) &&
                      frame_tx_map(self->info0) == in->lane_map &&
                      frame_epoch(self->info0) == in->epoch;
    self->out.count = frame_count(self->info0);
}

/* One more word of a frame. */
static inline void take_word(struct lane_train *self, const struct lane_train_in *in)
{
    u1 checked = self->index == 0 || self->index == 3;
    u1 right = in->word == (self->index == 0 ? in->sync : self->check);
    u16 sum = self->index == 1 ? (u16)0xFFFF : self->check;

    if (self->index == 3 && right) {
        take_frame(self, in);
    } else if (checked && !right) {
        self->score = self->score < SCORE_LOSS ? 0 : self->score - SCORE_LOSS;
    }
    self->check = frame_check(sum, in->word);
    self->info0 = self->index == 1 ? in->word : self->info0;
    self->info1 = self->index == 2 ? in->word : self->info1;
    self->index += self->index != 0 || right || self->score != 0;
}

HLS_MODULE void lane_train(struct lane_train *self, const struct lane_train_in *in)
{
    self->out.start = 0;
    if (!in->hunt) {
        self->score = 0;
        self->index = 0;
        self->out.good = 0;
        return;
    }
    if (in->valid) {
        take_word(self, in);
    }
    self->out.good = self->score >= SCORE_GOOD;
}
