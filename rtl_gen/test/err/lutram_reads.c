// SPDX-License-Identifier: Apache-2.0
/* More reads of a LUTRAM than declared. */
#include "hls.h"

struct lutram_reads_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct lutram_reads_out {
    u8 y;
};
struct lutram_reads {
    struct lutram_reads_out out;
    u8 store[16] HLS_LUTRAM(1);
};

HLS_RESET void lutram_reads_reset(struct lutram_reads *self)
{
    self->out.y = 0;
}

HLS_MODULE void lutram_reads(struct lutram_reads *self, const struct lutram_reads_in *in)
{
    self->out.y = self->store[in->at] + self->store[in->to];
    if (in->go) {
        self->store[in->to] = in->d;
    }
}
