// SPDX-License-Identifier: Apache-2.0
/* A pointer made a number. */
#include "hls.h"

struct pointer_number_in {
    u1 go;
};
struct pointer_number_out {
    u8 y;
};
struct pointer_number {
    struct pointer_number_out out;
};

HLS_RESET void pointer_number_reset(struct pointer_number *self)
{
    *self = (struct pointer_number){0};
}

HLS_MODULE void pointer_number(struct pointer_number *self, const struct pointer_number_in *in)
{
    self->out.y = (u8)(unsigned long)self + in->go;
}
