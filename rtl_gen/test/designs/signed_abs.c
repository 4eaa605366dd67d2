// SPDX-License-Identifier: Apache-2.0
/*
 * signed_abs: absolute values, signs, signed minimum and maximum, sum of absolute differences.
 */
#include "hls.h"

struct signed_abs_in {
    sint(9) a, b;
    u1 clear;
};
struct signed_abs_out {
    u9 magnitude;
    u10 difference;
    u16 sum;
    sint(9) min, max;
    sint(2) sign;
};
struct signed_abs {
    struct signed_abs_out out;
};

static u10 magnitude(sint(11) x)
{
    return (u10)(x < 0 ? -x : x);
}

HLS_RESET void signed_abs_reset(struct signed_abs *self)
{
    *self = (struct signed_abs){.out = {.min = 255, .max = -256}};
}

HLS_MODULE void signed_abs(struct signed_abs *self, const struct signed_abs_in *in)
{
    if (in->clear && in->a == in->b) {
        signed_abs_reset(self);
        return;
    }
    self->out.magnitude = magnitude(in->a);
    self->out.difference = magnitude((sint(11))in->a - (sint(11))in->b);
    self->out.sum += self->out.difference;
    self->out.sign = (in->a > 0) - (in->a < 0);
    if (in->a < self->out.min) {
        self->out.min = in->a;
    }
    if (in->b > self->out.max) {
        self->out.max = in->b;
    }
}
