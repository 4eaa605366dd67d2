// SPDX-License-Identifier: Apache-2.0
/* A global variable would be a register outside the struct. */
#include "hls.h"

u8 count;

struct value_global_in {
    u1 go;
};
struct value_global_out {
    u8 y;
};
struct value_global {
    struct value_global_out out;
};

HLS_RESET void value_global_reset(struct value_global *self)
{
    *self = (struct value_global){0};
}

HLS_MODULE void value_global(struct value_global *self, const struct value_global_in *in)
{
    count += in->go;
    self->out.y = count;
}
