// SPDX-License-Identifier: Apache-2.0
/* An array without a size. */
#include "hls.h"

struct member_flexible_in {
    u1 go;
};
struct member_flexible_out {
    u8 y;
};
struct member_flexible {
    struct member_flexible_out out;
    u8 queue[];
};

HLS_RESET void member_flexible_reset(struct member_flexible *self)
{
    *self = (struct member_flexible){0};
}

HLS_MODULE void member_flexible(struct member_flexible *self, const struct member_flexible_in *in)
{
    self->out.y += in->go;
}
