// SPDX-License-Identifier: Apache-2.0
/*
 * helper_value: helpers with arguments and result by value, called more than once, modifying their
 * own copies.
 */
#include "hls.h"

struct helper_value_in {
    u8 a, b, c;
};
struct helper_value_out {
    u8 low, middle, high;
    u10 sum;
};
struct helper_value {
    struct helper_value_out out;
};

static u8 smaller(u8 x, u8 y)
{
    return x < y ? x : y;
}

static u8 larger(u8 x, u8 y)
{
    return x < y ? y : x;
}

static u10 weigh(u10 x, u3 times)
{
    x += times;
    times ^= 5;
    return x * times;
}

HLS_RESET void helper_value_reset(struct helper_value *self)
{
    *self = (struct helper_value){0};
}

HLS_MODULE void helper_value(struct helper_value *self, const struct helper_value_in *in)
{
    u8 low = smaller(in->a, in->b);
    u8 high = larger(in->a, in->b);
    self->out.low = smaller(low, in->c);
    self->out.high = larger(high, in->c);
    self->out.middle = larger(low, smaller(high, in->c));
    self->out.sum = weigh(in->a, in->b & 7) + weigh(self->out.sum, in->c & 3);
}
