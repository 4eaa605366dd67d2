// SPDX-License-Identifier: Apache-2.0
/* An `out` that is no struct. */
#include "hls.h"

struct out_not_struct_in {
    u1 go;
};
struct out_not_struct {
    u8 out;
};

HLS_RESET void out_not_struct_reset(struct out_not_struct *self)
{
    *self = (struct out_not_struct){0};
}

HLS_MODULE void out_not_struct(struct out_not_struct *self, const struct out_not_struct_in *in)
{
    self->out += in->go;
}
