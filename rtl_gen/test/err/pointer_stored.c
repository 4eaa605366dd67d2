// SPDX-License-Identifier: Apache-2.0
/* A pointer in a local array. */
#include "hls.h"

struct pointer_stored_in {
    u1 go;
};
struct pointer_stored_out {
    u8 y;
};
struct pointer_stored {
    struct pointer_stored_out out;
};

HLS_RESET void pointer_stored_reset(struct pointer_stored *self)
{
    *self = (struct pointer_stored){0};
}

HLS_MODULE void pointer_stored(struct pointer_stored *self, const struct pointer_stored_in *in)
{
    u8 a = 1, b = 2;
    const u8 *way[2] = {&a, &b};
    self->out.y = *way[in->go];
}
