// SPDX-License-Identifier: Apache-2.0
/* An array of no elements. */
#include "hls.h"

struct member_empty_array_in {
    u1 go;
};
struct member_empty_array_out {
    u8 y;
};
struct member_empty_array {
    struct member_empty_array_out out;
    u8 queue[0];
};

HLS_RESET void member_empty_array_reset(struct member_empty_array *self)
{
    *self = (struct member_empty_array){0};
}

HLS_MODULE void member_empty_array(struct member_empty_array *self,
                                   const struct member_empty_array_in *in)
{
    self->out.y += in->go;
}
