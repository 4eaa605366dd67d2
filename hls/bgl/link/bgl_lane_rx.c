// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_lane_rx.c - the receiving side of a lane of one byte a clock.
 *
 * lane_train says of the word of the clock before that it ended a start frame, so the byte of this clock is the first of the
 * next frame or of the data.
 */
#include "bgl/link/bgl_lane_rx.h"

#include "link/lane/scrambler.h"

#define FRAME_BYTES (2 * FRAME_WORDS)

HLS_RESET void bgl_lane_rx_reset(struct bgl_lane_rx *self)
{
    self->out = (struct bgl_lane_rx_out){0};
    lane_train_reset(&self->train);
    self->lower = 0;
    self->upper = 0;
    self->waits = 0;
    self->index = 0;
    self->check = 0;
    self->left = 0;
    self->counts = 0;
    self->scrambler = 0;
}

static inline void forward_frames(struct bgl_lane_rx *self)
{
    self->out.good = self->train.out.good;
    self->out.agreed = self->train.out.good;
    self->out.info0 = self->train.out.info0;
    self->out.info1 = self->train.out.info1;
    self->out.echo = self->train.out.echo;
    if (self->train.out.good) {
        self->out.identity = self->train.out.identity;
    }
}

/* 64 words without a whole frame: the other byte is the upper one. */
static inline void find_upper(struct bgl_lane_rx *self, u16 word)
{
    u1 sync = word == frame_sync[0];
    u1 whole = self->index == FRAME_LAST && word == self->check;
    u16 sum = self->index == 1 ? (u16)0xFFFF : self->check;

    self->check = frame_check(sum, word);
    if (self->index == 0 || self->index == FRAME_LAST) {
        self->index = self->index == 0 && sync ? (u3)1 : (u3)0;
    } else {
        self->index++;
    }
    if (whole) {
        self->waits = 0;
    } else if (++self->waits == 0) {
        self->lower = 1; /* this lower byte becomes an upper one */
        self->index = 0;
    }
}

/* Where data begins, as the start frames say, and the data. */
static inline void take_data(struct bgl_lane_rx *self, const struct bgl_lane_rx_in *in, u1 lower)
{
    u16 mask = scrambler_word(self->scrambler);
    u1 begins = self->train.out.start && self->train.out.count == 0;

    self->out.valid = 0;
    if (self->out.started || begins || (self->counts && self->left == 0)) {
        self->out.hole = self->out.started && !(in->rx_valid && in->up);
        self->out.started |= in->rx_valid;
        self->out.valid = in->rx_valid;
        self->out.lower = lower;
        self->out.data = in->rx ^ (lower ? (u8)mask : (u8)(mask >> 8));
        if (in->rx_valid && lower) {
            self->scrambler = scrambler_step(self->scrambler);
        }
    } else {
        self->scrambler = scrambler_start(0, self->out.identity);
        if (self->train.out.start) {
            u8 frames = self->train.out.count;

            self->left = (u8)((u8)(frames << 3) + (u8)(frames << 2) - in->rx_valid);
            self->counts = 1;
        } else if (in->rx_valid) {
            self->left--;
        }
    }
}

HLS_MODULE void bgl_lane_rx(struct bgl_lane_rx *self, const struct bgl_lane_rx_in *in)
{
    u1 lower = self->lower;
    u16 word = (u16)((u16)self->upper << 8) | in->rx;
    struct lane_train_in train = {
        .valid = in->rx_valid && lower,
        .word = word,
        .sync = frame_sync[0],
        .hunt = in->hunt && in->up,
        .arm = in->arm,
        .lane_map = 1,
        .epoch = in->epoch,
    };

    static_assert(FRAME_BYTES == 12); /* left counts them by shifts */
    self->out.hole = 0;
    take_data(self, in, lower);
    if (!in->arm) {
        self->out.valid = 0;
        self->out.started = 0;
        self->out.hole = 0;
        self->counts = 0;
    }
    forward_frames(self);
    if (in->rx_valid) {
        self->lower = !lower;
        self->upper = in->rx;
        if (lower && in->hunt && !self->out.started) {
            find_upper(self, word);
        }
    }
    lane_train(&self->train, &train);
    hls_cover(self->out.started);
}
