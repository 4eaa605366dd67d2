// SPDX-License-Identifier: Apache-2.0
/* A struct read as another type. */
#include "hls.h"

struct pointer_cast_in {
    u1 go;
};
struct pointer_cast_out {
    u8 y;
};
struct pointer_cast {
    struct pointer_cast_out out;
    u32 word;
};

HLS_RESET void pointer_cast_reset(struct pointer_cast *self)
{
    *self = (struct pointer_cast){0};
}

HLS_MODULE void pointer_cast(struct pointer_cast *self, const struct pointer_cast_in *in)
{
    self->word += in->go;
    self->out.y = ((u8 *)&self->word)[self->out.y & 3];
}
