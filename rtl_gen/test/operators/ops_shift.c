// SPDX-License-Identifier: Apache-2.0
/*
 * ops_shift: shifts by dynamic amounts of several widths, logical and arithmetic, of values
 * narrower and wider than int, and both ways at once.
 */
#include "hls.h"

struct ops_shift_in {
    u8 octet;
    sint(8) sbyte;
    u24 word;
    sint(40) slong;
    u64 big;
    u6 amount;
};
struct ops_shift_out {
    u8 left, right;
    sint(8) arithmetic;
    u32 spread;
    sint(40) slong_right;
    u64 rotated;
    u1 picked;
};
struct ops_shift {
    struct ops_shift_out out;
};

HLS_RESET void ops_shift_reset(struct ops_shift *self)
{
    *self = (struct ops_shift){.out.rotated = 1};
}

HLS_MODULE void ops_shift(struct ops_shift *self, const struct ops_shift_in *in)
{
    u3 by = in->amount & 7;
    self->out.left = in->octet << by;
    self->out.right = in->octet >> by;
    self->out.arithmetic = in->sbyte >> by;
    self->out.spread = (u32)in->word << (in->amount & 31);
    self->out.slong_right = in->slong >> (in->amount < 40 ? in->amount : (u6)39);
    self->out.rotated ^= in->big << in->amount | in->big >> (-in->amount & 63);
    self->out.picked = in->word >> (in->amount % 24) & 1;
}
