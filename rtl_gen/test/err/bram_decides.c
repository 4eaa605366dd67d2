// SPDX-License-Identifier: Apache-2.0
/* A BRAM read into a condition. */
#include "hls.h"

struct bram_decides_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct bram_decides_out {
    u8 y;
};
struct bram_decides {
    struct bram_decides_out out;
    u8 store[16] HLS_BRAM;
};

HLS_RESET void bram_decides_reset(struct bram_decides *self)
{
    self->out.y = 0;
}

HLS_MODULE void bram_decides(struct bram_decides *self, const struct bram_decides_in *in)
{
    if (self->store[in->at] == 3) {
        self->out.y++;
    }
    if (in->go) {
        self->store[in->to] = in->d;
    }
}
