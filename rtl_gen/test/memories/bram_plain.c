// SPDX-License-Identifier: Apache-2.0
/*
 * bram_plain: a block memory read into one register under an enable; reading and writing the same
 * address in one clock is kept from happening. The read register has no reset.
 */
#include "hls.h"

struct bram_plain_in {
    u1 re, we;
    u6 ra, wa;
    u22 data;
};
struct bram_plain_out {
    u22 read;
    u22 sum;
};
struct bram_plain {
    struct bram_plain_out out;
    HLS_BRAM u22 word[64];
    u1 fresh;
};

HLS_RESET void bram_plain_reset(struct bram_plain *self)
{
    self->out.sum = 0;
    self->fresh = 0;
}

HLS_MODULE void bram_plain(struct bram_plain *self, const struct bram_plain_in *in)
{
    if (self->fresh) {
        self->out.sum = (self->out.sum << 1 | self->out.sum >> 21) ^ self->out.read;
    }
    self->fresh = in->re;
    if (in->re) {
        self->out.read = self->word[in->ra];
    }
    if (in->we && !(in->re && in->ra == in->wa)) {
        self->word[in->wa] = in->data;
    }
}
