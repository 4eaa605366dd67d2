// SPDX-License-Identifier: Apache-2.0
/*
 * ops_divide: division and remainder by constants and by guarded values, signed towards zero.
 */
#include "hls.h"

struct ops_divide_in {
    u16 a;
    u7 b;
    sint(16) s;
    sint(7) t;
};
struct ops_divide_out {
    u16 quotient;
    u7 remainder;
    sint(16) squotient;
    sint(7) sremainder;
    u14 by10;
    u4 mod10;
    sint(14) by_minus7;
    sint(5) mod12;
};
struct ops_divide {
    struct ops_divide_out out;
};

HLS_RESET void ops_divide_reset(struct ops_divide *self)
{
    *self = (struct ops_divide){0};
}

HLS_MODULE void ops_divide(struct ops_divide *self, const struct ops_divide_in *in)
{
    if (in->b != 0) {
        self->out.quotient = in->a / in->b;
        self->out.remainder = in->a % in->b;
    }
    if (in->t != 0 && in->t != -1) {
        self->out.squotient = in->s / in->t;
        self->out.sremainder = in->s % in->t;
    }
    self->out.by10 = in->a / 10;
    self->out.mod10 = in->a % 10;
    self->out.by_minus7 = in->s / -7;
    self->out.mod12 = in->s % 12;
}
