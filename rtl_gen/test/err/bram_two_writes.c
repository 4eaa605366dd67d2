// SPDX-License-Identifier: Apache-2.0
/* Two writes of a BRAM, one after the other. */
#include "hls.h"

struct bram_two_writes_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct bram_two_writes_out {
    u8 y;
};
struct bram_two_writes {
    struct bram_two_writes_out out;
    u8 store[16] HLS_BRAM;
};

HLS_RESET void bram_two_writes_reset(struct bram_two_writes *self)
{
    self->out.y = 0;
}

HLS_MODULE void bram_two_writes(struct bram_two_writes *self, const struct bram_two_writes_in *in)
{
    self->out.y = self->store[in->at];
    self->store[in->to] = in->d;
    self->store[(u4)(in->to + 1)] = in->go;
}
