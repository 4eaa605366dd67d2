// SPDX-License-Identifier: Apache-2.0
/*
 * ternary: conditional expressions, nested, with values of different width and sign.
 */
#include "hls.h"

struct ternary_in {
    u8 a;
    sint(6) b;
    u2 choose;
};
struct ternary_out {
    u8 big;
    sint(10) mixed;
    u8 left, right;
};
struct ternary {
    struct ternary_out out;
};

HLS_RESET void ternary_reset(struct ternary *self)
{
    *self = (struct ternary){.out.left = 1, .out.right = 2};
}

HLS_MODULE void ternary(struct ternary *self, const struct ternary_in *in)
{
    self->out.big = in->a > self->out.big   ? in->a
                    : self->out.big == 0xff ? (u8)1
                                            : (u8)(self->out.big - 1);
    self->out.mixed = in->choose == 0   ? in->b
                      : in->choose == 1 ? -(int)in->a
                      : in->choose == 2 ? in->a + in->b
                                        : (in->b < 0 ? -100 : 100);
    self->out.left += in->choose & 1 ? in->a : self->out.right;
    self->out.right ^= in->choose & 1 ? (u8)0 : (u8)(in->a + 9);
}
