// SPDX-License-Identifier: Apache-2.0
/*
 * Loops that end by what shrinks in them: a number of four bits that is counted down, ones that are taken off one by one,
 * quotients. None has another bound.
 */
#include "hls.h"

struct loop_shrinks_in {
    u4 n;
    u8 x, step;
};

struct loop_shrinks_out {
    u8 counted, down_to_two, up;
    u4 ones, digits;
    u8 left;
};

struct loop_shrinks {
    struct loop_shrinks_out out;
};

HLS_RESET void loop_shrinks_reset(struct loop_shrinks *self)
{
    *self = (struct loop_shrinks){0};
}

HLS_MODULE void loop_shrinks(struct loop_shrinks *self, const struct loop_shrinks_in *in)
{
    u8 sum = 0;
    u4 n = in->n, ones = 0, digits = 0;

    while (n--)
        sum += in->step;
    self->out.counted = sum;
    self->out.left = n;

    sum = 0;
    for (u4 i = in->n; i != 2; i--)
        sum = (u8)(sum << 1) ^ in->x;
    self->out.down_to_two = sum;

    sum = 0;
    for (u3 i = (u3)in->n; i; i++)
        sum += 3;
    self->out.up = sum;

    for (u8 x = in->x; x; x &= x - 1)
        ones++;
    self->out.ones = ones;
    for (u8 x = in->x; x > 0; x /= 3)
        digits++;
    self->out.digits = digits;
}
