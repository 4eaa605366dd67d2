// SPDX-License-Identifier: Apache-2.0
/* More array dimensions than the tool follows. */
#include "hls.h"

struct member_five_dimensions_in {
    u1 go;
};
struct member_five_dimensions_out {
    u8 y;
};
struct member_five_dimensions {
    struct member_five_dimensions_out out;
    u1 cube[2][2][2][2][2];
};

HLS_RESET void member_five_dimensions_reset(struct member_five_dimensions *self)
{
    *self = (struct member_five_dimensions){0};
}

HLS_MODULE void member_five_dimensions(struct member_five_dimensions *self,
                                       const struct member_five_dimensions_in *in)
{
    self->out.y += in->go;
}
