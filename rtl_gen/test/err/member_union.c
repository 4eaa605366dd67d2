// SPDX-License-Identifier: Apache-2.0
/* A union as a register. */
#include "hls.h"

struct member_union_in {
    u1 go;
};
struct member_union_out {
    u8 y;
};
struct member_union {
    struct member_union_out out;
    union {
        u16 word;
        u8 byte[2];
    } both;
};

HLS_RESET void member_union_reset(struct member_union *self)
{
    *self = (struct member_union){0};
}

HLS_MODULE void member_union(struct member_union *self, const struct member_union_in *in)
{
    self->out.y += in->go;
}
