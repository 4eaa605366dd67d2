// SPDX-License-Identifier: Apache-2.0
/* Two modules on one struct: an instance of it would be either. */
#include "hls.h"

struct same_struct_in {
    u1 go;
};
struct same_struct_out {
    u8 y;
};
struct same_struct {
    struct same_struct_out out;
};

HLS_RESET void same_struct_reset(struct same_struct *self)
{
    *self = (struct same_struct){0};
}

HLS_MODULE void other(struct same_struct *self, const struct same_struct_in *in)
{
    self->out.y -= in->go;
}

HLS_MODULE void same_struct(struct same_struct *self, const struct same_struct_in *in)
{
    self->out.y += in->go;
}
