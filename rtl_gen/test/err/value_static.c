// SPDX-License-Identifier: Apache-2.0
/* A static variable would be a register outside the struct. */
#include "hls.h"

struct value_static_in {
    u1 go;
};
struct value_static_out {
    u8 y;
};
struct value_static {
    struct value_static_out out;
};

HLS_RESET void value_static_reset(struct value_static *self)
{
    *self = (struct value_static){0};
}

HLS_MODULE void value_static(struct value_static *self, const struct value_static_in *in)
{
    static u8 count;
    count += in->go;
    self->out.y = count;
}
