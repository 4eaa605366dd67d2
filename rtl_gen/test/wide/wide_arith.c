// SPDX-License-Identifier: Apache-2.0
/*
 * wide_arith: addition, subtraction, comparison and logic on 200 and 384 bits.
 */
#include "hls.h"

struct wide_arith_in {
    uint(200) a;
    u64 b;
    u2 op;
};
struct wide_arith_out {
    uint(200) acc;
    u1 less, equal_top;
    u64 folded;
};
struct wide_arith {
    struct wide_arith_out out;
    uint(384) product;
};

HLS_RESET void wide_arith_reset(struct wide_arith *self)
{
    *self = (struct wide_arith){.out.acc = ~(uint(200))0 - 5, .product = 1};
}

HLS_MODULE void wide_arith(struct wide_arith *self, const struct wide_arith_in *in)
{
    self->out.less = self->out.acc < in->a;
    self->out.equal_top = self->out.acc >> 196 == in->a >> 196;
    switch (in->op) {
    case 0:
        self->out.acc += in->a;
        break;
    case 1:
        self->out.acc -= (uint(200))in->b << 100;
        break;
    case 2:
        self->out.acc = ~self->out.acc & (in->a | (uint(200))0xff << 77);
        break;
    case 3:
        self->out.acc = -self->out.acc;
        break;
    }
    self->product = self->product * 3 + ((uint(384))in->a << 184) + in->b;
    self->out.folded =
        (u64)(self->product >> 320) ^ (u64)(self->product >> 190) ^ (u64)self->product;
}
