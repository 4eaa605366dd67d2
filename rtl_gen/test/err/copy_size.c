// SPDX-License-Identifier: Apache-2.0
/* A fill of as many bytes as an input says. */
#include "hls.h"

struct copy_size_in {
    u8 bytes;
};
struct copy_size_out {
    u8 y;
};
struct copy_size {
    struct copy_size_out out;
};

HLS_RESET void copy_size_reset(struct copy_size *self)
{
    *self = (struct copy_size){0};
}

HLS_MODULE void copy_size(struct copy_size *self, const struct copy_size_in *in)
{
    u8 x[4] = {1, 2, 3, 4};
    __builtin_memset(x, 0, in->bytes);
    self->out.y = x[3];
}
