// SPDX-License-Identifier: Apache-2.0
/* Two writes of a LUTRAM that can happen in one call. */
#include "hls.h"

struct lutram_two_writes_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct lutram_two_writes_out {
    u8 y;
};
struct lutram_two_writes {
    struct lutram_two_writes_out out;
    u8 store[16] HLS_LUTRAM(1);
};

HLS_RESET void lutram_two_writes_reset(struct lutram_two_writes *self)
{
    self->out.y = 0;
}

HLS_MODULE void lutram_two_writes(struct lutram_two_writes *self,
                                  const struct lutram_two_writes_in *in)
{
    self->out.y = self->store[in->at];
    if (in->go) {
        self->store[in->to] = in->d;
    }
    if (in->d == 0) {
        self->store[in->at] = 1;
    }
}
