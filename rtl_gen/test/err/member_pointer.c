// SPDX-License-Identifier: Apache-2.0
/* A pointer as a register. */
#include "hls.h"

struct member_pointer_in {
    u1 go;
};
struct member_pointer_out {
    u8 y;
};
struct member_pointer {
    struct member_pointer_out out;
    u8 *next;
};

HLS_RESET void member_pointer_reset(struct member_pointer *self)
{
    *self = (struct member_pointer){0};
}

HLS_MODULE void member_pointer(struct member_pointer *self, const struct member_pointer_in *in)
{
    self->out.y += in->go;
}
