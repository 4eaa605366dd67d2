// SPDX-License-Identifier: Apache-2.0
/* A copy of more bytes than the source has. */
#include "hls.h"

struct copy_beyond_in {
    u8 a;
};
struct copy_beyond_out {
    u8 y[8];
};
struct copy_beyond {
    struct copy_beyond_out out;
};

HLS_RESET void copy_beyond_reset(struct copy_beyond *self)
{
    *self = (struct copy_beyond){0};
}

HLS_MODULE void copy_beyond(struct copy_beyond *self, const struct copy_beyond_in *in)
{
    u8 four[4] = {in->a};

    __builtin_memcpy(self->out.y, four, 8);
}
