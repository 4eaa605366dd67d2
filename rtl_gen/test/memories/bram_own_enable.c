// SPDX-License-Identifier: Apache-2.0
/*
 * bram_own_enable: block memories of single bits whose read registers are their own enables: a next
 * value of one bit that is no multiplexer any more, but an AND or an OR.
 */
#include "hls.h"

struct bram_own_enable_in {
    u1 re, more, we, wdata;
    u4 ra, wa;
};
struct bram_own_enable_out {
    u1 high, low;
};
struct bram_own_enable {
    struct bram_own_enable_out out;
    HLS_BRAM_READ_FIRST u1 while_high[16];
    HLS_BRAM_READ_FIRST u1 while_low[16];
    u1 high, low;
};

HLS_RESET void bram_own_enable_reset(struct bram_own_enable *self)
{
    self->out = (struct bram_own_enable_out){0};
    self->high = 1;
    self->low = 0;
}

HLS_MODULE void bram_own_enable(struct bram_own_enable *self, const struct bram_own_enable_in *in)
{
    self->out.high = self->high;
    self->out.low = self->low;
    if (self->high)
        self->high = self->while_high[in->ra];
    if (in->re && !self->low)
        self->low = self->while_low[in->ra];
    if (in->we) {
        self->while_high[in->wa] = in->wdata | in->more;
        self->while_low[in->wa] = in->wdata;
    }
}
