// SPDX-License-Identifier: Apache-2.0
/* A module without a reset function. */
#include "hls.h"

struct no_reset_in {
    u1 go;
};
struct no_reset_out {
    u8 y;
};
struct no_reset {
    struct no_reset_out out;
};

HLS_MODULE void no_reset(struct no_reset *self, const struct no_reset_in *in)
{
    self->out.y += in->go;
}
