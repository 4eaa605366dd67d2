// SPDX-License-Identifier: Apache-2.0
/*
 * lutram_one: a memory of 16 words read combinationally once per clock and written once; the read
 * value goes through logic in the same clock.
 */
#include "hls.h"

struct lutram_one_in {
    u4 ra, wa;
    u1 we;
    u13 data;
};
struct lutram_one_out {
    u13 read;
    u13 sum;
};
struct lutram_one {
    struct lutram_one_out out;
    HLS_LUTRAM(1) u13 word[16];
};

HLS_RESET void lutram_one_reset(struct lutram_one *self)
{
    self->out = (struct lutram_one_out){0};
}

HLS_MODULE void lutram_one(struct lutram_one *self, const struct lutram_one_in *in)
{
    u13 read = self->word[in->ra];
    self->out.read = read ^ 0x0aaa;
    self->out.sum += read;
    if (in->we) {
        self->word[in->wa] = in->data + self->out.sum;
    }
}
