// SPDX-License-Identifier: Apache-2.0
/*
 * bram_clear: read registers of block memories that are 0 after a reset, whether they were about to be read or not: one
 * narrow, one that follows its address at every clock, one too wide for a byte-wide port.
 */
#include "hls.h"

struct bram_clear_in {
    u1 re, we;
    u6 ra, wa;
    u36 data;
};
struct bram_clear_out {
    u7 narrow;
    u16 follows;
    u36 wide;
};
struct bram_clear {
    struct bram_clear_out out;
    u7 narrow;   /* read register of few */
    u16 follows; /* of words */
    u36 wide;    /* of broad */
    HLS_BRAM_READ_FIRST u7 few[64];
    HLS_BRAM_READ_FIRST u16 words[64];
    HLS_BRAM_READ_FIRST u36 broad[64];
};

HLS_RESET void bram_clear_reset(struct bram_clear *self)
{
    self->out = (struct bram_clear_out){0};
    self->narrow = 0;
    self->follows = 0;
    self->wide = 0;
}

HLS_MODULE void bram_clear(struct bram_clear *self, const struct bram_clear_in *in)
{
    self->out.narrow = self->narrow;
    self->out.follows = self->follows;
    self->out.wide = self->wide;
    self->follows = self->words[in->ra];
    if (in->re) {
        self->narrow = self->few[in->ra];
        self->wide = self->broad[in->ra];
    }
    if (in->we) {
        self->few[in->wa] = (u7)in->data;
        self->words[in->wa] = (u16)(in->data >> 7);
        self->broad[in->wa] = in->data;
    }
}
