// SPDX-License-Identifier: Apache-2.0
/* A LUTRAM read after its write. */
#include "hls.h"

struct lutram_read_after_write_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct lutram_read_after_write_out {
    u8 y;
};
struct lutram_read_after_write {
    struct lutram_read_after_write_out out;
    u8 store[16] HLS_LUTRAM(1);
};

HLS_RESET void lutram_read_after_write_reset(struct lutram_read_after_write *self)
{
    self->out.y = 0;
}

HLS_MODULE void lutram_read_after_write(struct lutram_read_after_write *self,
                                        const struct lutram_read_after_write_in *in)
{
    if (in->go) {
        self->store[in->to] = in->d;
    }
    self->out.y = self->store[in->at];
}
