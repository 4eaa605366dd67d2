// SPDX-License-Identifier: Apache-2.0
/* A volatile variable. */
#include "hls.h"

struct value_volatile_in {
    u1 go;
};
struct value_volatile_out {
    u8 y;
};
struct value_volatile {
    struct value_volatile_out out;
};

HLS_RESET void value_volatile_reset(struct value_volatile *self)
{
    *self = (struct value_volatile){0};
}

HLS_MODULE void value_volatile(struct value_volatile *self, const struct value_volatile_in *in)
{
    volatile u8 x = self->out.y;
    self->out.y = x + in->go;
}
