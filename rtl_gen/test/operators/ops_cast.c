// SPDX-License-Identifier: Apache-2.0
/*
 * ops_cast: cutting, extending with and without sign, reinterpreting, and truth values.
 */
#include "hls.h"

struct ops_cast_in {
    u10 a;
    sint(10) s;
    u64 big;
};
struct ops_cast_out {
    u3 cut;
    u30 zero_extended, sign_extended;
    sint(6) reinterpreted;
    sint(50) widened;
    u16 middle;
    bool truth;
    u8 from_bool;
};
struct ops_cast {
    struct ops_cast_out out;
};

HLS_RESET void ops_cast_reset(struct ops_cast *self)
{
    *self = (struct ops_cast){0};
}

HLS_MODULE void ops_cast(struct ops_cast *self, const struct ops_cast_in *in)
{
    self->out.cut = (u3)in->a;
    self->out.zero_extended = (u30)in->a << 4;
    self->out.sign_extended = (u30)(sint(30))in->s;
    self->out.reinterpreted = (sint(6))(u6)(in->a >> 2);
    self->out.widened = (sint(50))(sint(7))in->a * (sint(50))in->s;
    self->out.middle = (u16)(in->big >> 23);
    self->out.truth = (bool)(in->a & 0x30);
    self->out.from_bool = (u8)((bool)in->s + (bool)(u2)in->a * 4 + (in->s == (sint(10))in->a) * 16);
}
