// SPDX-License-Identifier: Apache-2.0
/* A bit-field as a register. */
#include "hls.h"

struct member_bitfield_in {
    u1 go;
};
struct member_bitfield_out {
    u8 y;
};
struct member_bitfield {
    struct member_bitfield_out out;
    unsigned state : 3;
};

HLS_RESET void member_bitfield_reset(struct member_bitfield *self)
{
    *self = (struct member_bitfield){0};
}

HLS_MODULE void member_bitfield(struct member_bitfield *self, const struct member_bitfield_in *in)
{
    self->out.y += in->go;
}
