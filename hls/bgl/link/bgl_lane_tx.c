// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_lane_tx.c - the sending side of a lane of one byte a clock: frames, then data through the scrambler.
 */
#include "bgl/link/bgl_lane_tx.h"

#include "link/lane/scrambler.h"

HLS_RESET void bgl_lane_tx_reset(struct bgl_lane_tx *self)
{
    *self = (struct bgl_lane_tx){0};
}

/* A word of a frame; its sum so far is its check. */
static inline u16 frame_word(const struct bgl_lane_tx *self, const struct bgl_lane_tx_in *in)
{
    switch (self->index) {
    case 0:
        return frame_sync[0];
    case 1:
        return self->info0;
    case 2:
        return self->info1;
    case 3:
        return in->identity.chip;
    case 4:
        return frame_port_word(in->identity.port, in->echo);
    default:
        return self->check;
    }
}

/* The upper byte of the next word of a frame; the lower one follows. */
static inline void begin_word(struct bgl_lane_tx *self, const struct bgl_lane_tx_in *in)
{
    u16 word = frame_word(self, in);
    u16 sum = self->index == 1 ? (u16)0xFFFF : self->check;

    if (self->index == 0) {
        self->count = self->counts ? (u4)(self->count - 1) : (u4)15;
        self->counts = in->start;
        self->info0 = in->info0 | frame_info0(0, 0, 0, in->start, in->start ? self->count : (u4)0);
        self->info1 = in->info1;
    }
    self->check = frame_check(sum, word);
    self->last = self->counts && self->count == 0 && self->index == FRAME_LAST;
    self->index = self->index == FRAME_LAST ? (u3)0 : (u3)(self->index + 1);
    self->out.tx = (u8)(word >> 8);
    self->low = (u8)word;
}

HLS_MODULE void bgl_lane_tx(struct bgl_lane_tx *self, const struct bgl_lane_tx_in *in)
{
    u16 mask = scrambler_word(self->scrambler);

    if (self->out.data) {
        self->out.tx = in->send ^ (self->out.odd ? (u8)mask : (u8)(mask >> 8));
        self->scrambler = self->out.odd ? scrambler_step(self->scrambler) : self->scrambler;
    } else {
        self->scrambler = scrambler_start(0, in->identity);
        if (self->out.odd) {
            self->out.tx = self->low;
            self->out.data = self->last;
        } else {
            begin_word(self, in);
        }
    }
    self->out.odd = !self->out.odd;
    if (!in->start) {
        self->out.data = 0;
        self->counts = 0;
        self->last = 0;
    }
    if (in->quiet) {
        self->out.tx = 0;
    }
    hls_cover(self->out.data);
}
