// SPDX-License-Identifier: Apache-2.0
/*
 * wide_signed: a signed accumulator of 100 bits: sign extension, arithmetic shift, comparison.
 */
#include "hls.h"

struct wide_signed_in {
    sint(40) x;
    u7 shift;
};
struct wide_signed_out {
    sint(100) acc;
    sint(40) top;
    u1 negative;
    u1 below;
};
struct wide_signed {
    struct wide_signed_out out;
};

HLS_RESET void wide_signed_reset(struct wide_signed *self)
{
    *self = (struct wide_signed){.out.acc = -1};
}

HLS_MODULE void wide_signed(struct wide_signed *self, const struct wide_signed_in *in)
{
    u7 by = in->shift < 100 ? in->shift : (u7)99;
    self->out.top = (sint(40))(self->out.acc >> by);
    self->out.negative = self->out.acc < 0;
    self->out.below = self->out.acc < (sint(100))in->x * ((sint(100))1 << 50);
    self->out.acc = (self->out.acc >> 1) + (sint(100))in->x * ((sint(100))1 << 58);
}
