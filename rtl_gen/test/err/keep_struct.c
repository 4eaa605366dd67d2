// SPDX-License-Identifier: Apache-2.0
/* An HLS_KEEP function with a struct. */
#include "hls.h"

struct pair_of {
    u8 a, b;
};

HLS_KEEP static u8 sum(struct pair_of p)
{
    return p.a + p.b;
}

struct keep_struct_in {
    u1 go;
};
struct keep_struct_out {
    u8 y;
};
struct keep_struct {
    struct keep_struct_out out;
};

HLS_RESET void keep_struct_reset(struct keep_struct *self)
{
    *self = (struct keep_struct){0};
}

HLS_MODULE void keep_struct(struct keep_struct *self, const struct keep_struct_in *in)
{
    self->out.y = sum((struct pair_of){self->out.y, in->go});
}
