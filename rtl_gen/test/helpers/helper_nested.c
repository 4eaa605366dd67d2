// SPDX-License-Identifier: Apache-2.0
/*
 * helper_nested: helpers calling helpers, three levels deep, by value and by pointer.
 */
#include "hls.h"

struct helper_nested_in {
    u16 x;
    u1 twice;
};
struct helper_nested_out {
    u16 y;
    u5 ones;
    u16 history;
};
struct helper_nested {
    struct helper_nested_out out;
};

static u1 parity4(u4 x)
{
    return (0x6996 >> x) & 1;
}

static u1 parity16(u16 x)
{
    x ^= x >> 8;
    return parity4((u4)(x >> 4)) ^ parity4((u4)x);
}

static u16 step(u16 x)
{
    return x << 1 | parity16(x & 0xb400);
}

static void advance(u16 *x, u5 *ones)
{
    *x = step(*x);
    *ones += parity16(*x);
}

HLS_RESET void helper_nested_reset(struct helper_nested *self)
{
    *self = (struct helper_nested){.out.y = 0xace1};
}

HLS_MODULE void helper_nested(struct helper_nested *self, const struct helper_nested_in *in)
{
    self->out.y ^= in->x;
    advance(&self->out.y, &self->out.ones);
    if (in->twice) {
        advance(&self->out.y, &self->out.ones);
    }
    self->out.history = step(self->out.history) + self->out.ones;
}
