// SPDX-License-Identifier: Apache-2.0
/*
 * bram_depth: a memory of 600 words, and what the last of them is; the Verilog has 1,024, so that no index wants a comparison.
 */
#include "hls.h"

struct bram_depth_in {
    u1 re, we;
    u10 ra, wa;
    u32 data;
};
struct bram_depth_out {
    u32 read, sum;
};
struct bram_depth {
    struct bram_depth_out out;
    HLS_BRAM u32 word[600];
    u1 fresh;
};

HLS_RESET void bram_depth_reset(struct bram_depth *self)
{
    self->out = (struct bram_depth_out){0};
    self->fresh = 0;
}

HLS_MODULE void bram_depth(struct bram_depth *self, const struct bram_depth_in *in)
{
    if (self->fresh)
        self->out.sum = (self->out.sum << 1 | self->out.sum >> 31) ^ self->out.read;
    self->fresh = in->re && in->ra < 600;
    if (self->fresh)
        self->out.read = self->word[in->ra];
    if (in->we && in->wa < 600 && !(self->fresh && in->ra == in->wa))
        self->word[in->wa] = in->data;
}
