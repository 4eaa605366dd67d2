// SPDX-License-Identifier: Apache-2.0
/* An input that is called rst and resets nothing. */
#include "hls.h"

struct rst_unused_in {
    u1 rst;
    u4 up;
};

struct rst_unused_out {
    u4 n;
};

struct rst_unused {
    struct rst_unused_out out;
};

HLS_RESET void rst_unused_reset(struct rst_unused *self)
{
    self->out.n = 0;
}

HLS_MODULE void rst_unused(struct rst_unused *self, const struct rst_unused_in *in)
{
    self->out.n = in->rst ? (u4)0 : (u4)(self->out.n + in->up);
}
