// SPDX-License-Identifier: Apache-2.0
/* A memory whose depth is not a power of two. */
#include "hls.h"

struct memory_depth_in {
    u1 go;
};
struct memory_depth_out {
    u8 y;
};
struct memory_depth {
    struct memory_depth_out out;
    u48 buffer[100] HLS_BRAM;
};

HLS_RESET void memory_depth_reset(struct memory_depth *self)
{
    self->out = (struct memory_depth_out){0};
}

HLS_MODULE void memory_depth(struct memory_depth *self, const struct memory_depth_in *in)
{
    self->out.y += in->go;
}
