// SPDX-License-Identifier: Apache-2.0
/* hls_reset_by under a condition. */
#include "hls.h"

struct rst_late_in {
    u1 rst;
    u1 up;
};

struct rst_late_out {
    u4 n;
};

struct rst_late {
    struct rst_late_out out;
};

HLS_RESET void rst_late_reset(struct rst_late *self)
{
    self->out.n = 0;
}

HLS_MODULE void rst_late(struct rst_late *self, const struct rst_late_in *in)
{
    if (in->up) {
        hls_reset_by(in->rst, rst_late_reset, self);
    }
    self->out.n++;
}
