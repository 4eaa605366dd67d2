// SPDX-License-Identifier: Apache-2.0
/* A pointer that depends on an input. */
#include "hls.h"

struct pointer_chosen_in {
    u1 go;
};
struct pointer_chosen_out {
    u8 y;
};
struct pointer_chosen {
    struct pointer_chosen_out out;
    u8 a[2], b[3];
};

HLS_RESET void pointer_chosen_reset(struct pointer_chosen *self)
{
    *self = (struct pointer_chosen){0};
}

HLS_MODULE void pointer_chosen(struct pointer_chosen *self, const struct pointer_chosen_in *in)
{
    u8 *p = in->go ? self->a : self->b;
    p[1]++;
    self->out.y = self->a[1];
}
