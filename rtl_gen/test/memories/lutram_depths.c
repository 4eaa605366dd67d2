// SPDX-License-Identifier: Apache-2.0
/*
 * lutram_depths: memories of different depths in one module, beside a loop over an array: Yosys 0.23
 * wants one initial value of the loop variable that they share.
 */
#include "hls.h"

struct lutram_depths_in {
    u1 we;
    u4 addr;
    u8 data;
};
struct lutram_depths_out {
    u8 low, high;
    u8 count[6];
};
struct lutram_depths {
    struct lutram_depths_out out;
    HLS_LUTRAM(1) u8 few[8];
    HLS_LUTRAM(1) u8 many[16];
};

HLS_RESET void lutram_depths_reset(struct lutram_depths *self)
{
    self->out = (struct lutram_depths_out){0};
}

HLS_MODULE void lutram_depths(struct lutram_depths *self, const struct lutram_depths_in *in)
{
    for (int i = 0; i < 6; i++)
        if (in->data != self->out.count[i])
            self->out.count[i] += in->addr;
    self->out.low = self->few[(u3)in->addr];
    self->out.high = self->many[in->addr];
    if (in->we) {
        self->few[(u3)in->addr] = in->data;
        self->many[in->addr] = in->data;
    }
}
