// SPDX-License-Identifier: Apache-2.0
/*
 * helper_digit: a helper whose name ends in a number, and a bit of whose argument nobody reads.
 */
#include "hls.h"

struct helper_digit_in {
    u8 a;
    u8 b;
};
struct helper_digit_out {
    u4 sum;
};
struct helper_digit {
    struct helper_digit_out out;
};

static u4 lowest_of_8(u8 set)
{
    u4 n = 0;

    for (int i = 6; i >= 0; i--) {
        n = (u1)(set >> i) ? (u4)i : n;
    }
    return n;
}

HLS_RESET void helper_digit_reset(struct helper_digit *self)
{
    self->out.sum = 0;
}

HLS_MODULE void helper_digit(struct helper_digit *self, const struct helper_digit_in *in)
{
    self->out.sum = (u4)(lowest_of_8(in->a) + lowest_of_8(in->b));
}
