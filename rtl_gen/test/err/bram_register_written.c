// SPDX-License-Identifier: Apache-2.0
/* The read register of a BRAM gets something else, too. */
#include "hls.h"

struct bram_register_written_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct bram_register_written_out {
    u8 y;
};
struct bram_register_written {
    struct bram_register_written_out out;
    u8 store[16] HLS_BRAM;
};

HLS_RESET void bram_register_written_reset(struct bram_register_written *self)
{
    self->out.y = 0;
}

HLS_MODULE void bram_register_written(struct bram_register_written *self,
                                      const struct bram_register_written_in *in)
{
    if (in->go) {
        self->out.y = self->store[in->at];
    } else {
        self->out.y = in->d;
    }
    if (in->d == 3) {
        self->store[in->to] = in->d;
    }
}
