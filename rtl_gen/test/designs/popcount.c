// SPDX-License-Identifier: Apache-2.0
/*
 * popcount: ones of 40 bits, by a loop and by a tree of adders; both must agree.
 */
#include "hls.h"

struct popcount_in {
    u40 x;
    u1 invert;
};
struct popcount_out {
    u6 by_loop, by_tree;
    u1 agree;
    u13 sum;
};
struct popcount {
    struct popcount_out out;
};

static u6 count_tree(u40 x)
{
    u64 y = x;
    y = (y & 0x5555555555555555) + (y >> 1 & 0x5555555555555555);
    y = (y & 0x3333333333333333) + (y >> 2 & 0x3333333333333333);
    y = (y & 0x0f0f0f0f0f0f0f0f) + (y >> 4 & 0x0f0f0f0f0f0f0f0f);
    return (u6)(y * 0x0101010101010101 >> 56);
}

HLS_RESET void popcount_reset(struct popcount *self)
{
    *self = (struct popcount){.out.agree = 1};
}

HLS_MODULE void popcount(struct popcount *self, const struct popcount_in *in)
{
    u40 x = in->invert ? ~in->x : in->x;
    u6 n = 0;
    for (int i = 0; i < 40; i++) {
        n += (u6)(x >> i & 1);
    }
    self->out.by_loop = n;
    self->out.by_tree = count_tree(x);
    self->out.agree = self->out.by_loop == self->out.by_tree;
    self->out.sum += n;
}
