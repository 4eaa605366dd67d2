// SPDX-License-Identifier: Apache-2.0
/* Two reads of a BRAM in one call. */
#include "hls.h"

struct bram_two_reads_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct bram_two_reads_out {
    u8 y;
};
struct bram_two_reads {
    struct bram_two_reads_out out;
    u8 copy;
    u8 store[16] HLS_BRAM;
};

HLS_RESET void bram_two_reads_reset(struct bram_two_reads *self)
{
    self->out.y = 0;
    self->copy = 0;
}

HLS_MODULE void bram_two_reads(struct bram_two_reads *self, const struct bram_two_reads_in *in)
{
    self->out.y = self->store[in->at];
    self->copy = self->store[in->to];
    if (in->go) {
        self->store[in->to] = in->d;
    }
}
