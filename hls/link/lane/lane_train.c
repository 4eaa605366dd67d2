// SPDX-License-Identifier: Apache-2.0
/*
 * lane_train.c - finds discovery frames in the words of one lane.
 *
 * With a score of 0 any word may be the sync word; else a frame is expected every FRAME_WORDS words, and each that
 * is missing or wrong costs the score of four good ones. So a lane with a bit error rate of 1e-3
 * gets good and one with 1e-2 does not.
 */
#include "link/lane/lane_train.h"

#define SCORE_FULL 63
#define SCORE_GOOD 32
#define SCORE_LOSS 4

HLS_RESET void lane_train_reset(struct lane_train *self)
{
    *self = (struct lane_train){};
}

/* What the word of the clock before was worth. */
static inline void keep_score(struct lane_train *self)
{
    if (self->hit) {
        self->score += self->score != SCORE_FULL;
    } else if (self->miss) {
        self->score = self->score < SCORE_LOSS ? 0 : self->score - SCORE_LOSS;
    }
    self->hit = 0;
    self->miss = 0;
}

/* A whole frame with a right check. */
static inline void take_frame(struct lane_train *self, const struct lane_train_in *in)
{
    if (self->same) {
        self->out.info0 = frame_steady(self->info0);
        self->out.info1 = self->info1;
        self->out.identity = self->identity;
        self->out.echo = self->echo;
    }
    self->out.start = in->arm && frame_start(self->info0) &&
                      frame_tx_map(self->info0) == in->lane_map &&
                      frame_epoch(self->info0) == in->epoch;
    self->out.count = frame_count(self->info0);
}

/* What a word says, and whether the frame before said it too. */
static inline void take_info(struct lane_train *self, u16 word)
{
    switch (self->index) {
    case 0:
        self->same = 1;
        break;
    case 1:
        self->same &= frame_steady(word ^ self->info0) == 0;
        self->info0 = word;
        break;
    case 2:
        self->same &= word == self->info1;
        self->info1 = word;
        break;
    case 3:
        self->same &= word == self->identity.chip;
        self->identity.chip = word;
        break;
    case 4:
        self->same &= word == frame_port_word(self->identity.port, self->echo);
        self->identity.port = frame_port(word);
        self->echo = frame_echo(word);
        break;
    default:
        break;
    }
}

/* One more word of a frame. */
static inline void take_word(struct lane_train *self, const struct lane_train_in *in)
{
    u1 checked = self->index == 0 || self->index == FRAME_LAST;
    u1 right = in->word == (self->index == 0 ? in->sync : self->check);
    u16 sum = self->index == 1 ? (u16)0xFFFF : self->check;

    self->hit = self->index == FRAME_LAST && right;
    self->miss = checked && !right;
    if (self->hit) {
        take_frame(self, in);
    }
    self->check = frame_check(sum, in->word);
    take_info(self, in->word);
    if (self->index == FRAME_LAST) {
        self->index = 0;
    } else {
        self->index += self->index != 0 || right || self->score > SCORE_LOSS;
    }
}

HLS_MODULE void lane_train(struct lane_train *self, const struct lane_train_in *in)
{
    self->out.start = 0;
    keep_score(self);
    if (!in->hunt) {
        self->score = 0;
        self->index = 0;
        self->out.good = 0;
        return;
    }
    self->out.good = self->score >= SCORE_GOOD;
    if (in->valid) {
        take_word(self, in);
    }
}
