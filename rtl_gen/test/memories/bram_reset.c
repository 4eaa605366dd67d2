// SPDX-License-Identifier: Apache-2.0
/*
 * bram_reset: the read register of a block memory with a reset value, and read-modify-write over
 * two clocks with the address in a register.
 */
#include "hls.h"

struct bram_reset_in {
    u1 start;
    u4 to;
    u3 add;
};
struct bram_reset_out {
    u1 busy;
    u12 last;
};
struct bram_reset {
    struct bram_reset_out out;
    u12 read; /* read register of bin_count */
    HLS_BRAM u12 bin_count[16];
    u4 bin;
    u3 weight;
};

HLS_RESET void bram_reset_reset(struct bram_reset *self)
{
    self->out = (struct bram_reset_out){0};
    self->read = 0xabc;
    self->bin = 0;
    self->weight = 0;
}

HLS_MODULE void bram_reset(struct bram_reset *self, const struct bram_reset_in *in)
{
    if (self->out.busy) {
        self->bin_count[self->bin] = self->read + self->weight;
        self->out.busy = 0;
    } else {
        self->out.last = self->read;
        if (in->start) {
            self->read = self->bin_count[in->to];
            self->bin = in->to;
            self->weight = in->add;
            self->out.busy = 1;
        }
    }
}
