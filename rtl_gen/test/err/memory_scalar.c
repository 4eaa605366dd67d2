// SPDX-License-Identifier: Apache-2.0
/* A memory mark on a single register. */
#include "hls.h"

struct memory_scalar_in {
    u1 go;
};
struct memory_scalar_out {
    u8 y;
};
struct memory_scalar {
    struct memory_scalar_out out;
    u48 buffer HLS_BRAM;
};

HLS_RESET void memory_scalar_reset(struct memory_scalar *self)
{
    self->out = (struct memory_scalar_out){0};
}

HLS_MODULE void memory_scalar(struct memory_scalar *self, const struct memory_scalar_in *in)
{
    self->out.y += in->go;
}
