// SPDX-License-Identifier: Apache-2.0
/* A BRAM read into arithmetic. */
#include "hls.h"

struct bram_computed_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct bram_computed_out {
    u8 y;
};
struct bram_computed {
    struct bram_computed_out out;
    u8 store[16] HLS_BRAM;
};

HLS_RESET void bram_computed_reset(struct bram_computed *self)
{
    self->out.y = 0;
}

HLS_MODULE void bram_computed(struct bram_computed *self, const struct bram_computed_in *in)
{
    self->out.y = self->store[in->at] + 1;
    if (in->go) {
        self->store[in->to] = in->d;
    }
}
