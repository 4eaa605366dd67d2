// SPDX-License-Identifier: Apache-2.0
/* A const register. */
#include "hls.h"

struct member_const_in {
    u8 data;
};
struct member_const_out {
    u8 last;
};
struct member_const {
    struct member_const_out out;
    const u8 step;
};

HLS_RESET void member_const_reset(struct member_const *self)
{
    self->out = (struct member_const_out){0};
}

HLS_MODULE void member_const(struct member_const *self, const struct member_const_in *in)
{
    self->out.last = in->data + self->step;
}
