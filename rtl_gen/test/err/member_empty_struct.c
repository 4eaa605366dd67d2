// SPDX-License-Identifier: Apache-2.0
/* A struct without members. */
#include "hls.h"

struct nothing {
};

struct member_empty_struct_in {
    u1 go;
};
struct member_empty_struct_out {
    u8 y;
};
struct member_empty_struct {
    struct member_empty_struct_out out;
    struct nothing none;
};

HLS_RESET void member_empty_struct_reset(struct member_empty_struct *self)
{
    *self = (struct member_empty_struct){0};
}

HLS_MODULE void member_empty_struct(struct member_empty_struct *self,
                                    const struct member_empty_struct_in *in)
{
    self->out.y += in->go;
}
