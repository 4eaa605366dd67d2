// SPDX-License-Identifier: Apache-2.0
/*
 * ops_mixed: odd widths together with plain integers and with one another: C's conversion rules
 * decide the width and the sign of each operation.
 */
#include "hls.h"

struct ops_mixed_in {
    u5 a;
    u12 b;
    u33 c;
    sint(9) s;
    sint(20) t;
    int i;
};
struct ops_mixed_out {
    u12 in12;       /* u5 + u12 is computed in 12 bits */
    u13 in32;       /* u12 + 1 is computed as int */
    u40 in33;       /* u33 * u12 wraps at 33 bits */
    sint(24) in20;  /* sint(20) with sint(9) in 20 bits */
    u20 unsigned20; /* u20 with sint(20): unsigned wins */
    long in64;
    u1 below_zero, differs;
};
struct ops_mixed {
    struct ops_mixed_out out;
};

HLS_RESET void ops_mixed_reset(struct ops_mixed *self)
{
    *self = (struct ops_mixed){0};
}

HLS_MODULE void ops_mixed(struct ops_mixed *self, const struct ops_mixed_in *in)
{
    self->out.in12 = in->a + in->b;
    self->out.in32 = (in->b + 1) >> 1 | (in->b + 4095) >> 12 << 12;
    self->out.in33 = (u40)(in->c * in->b) + in->a;
    self->out.in20 = (in->t >> 2) - in->s;
    self->out.unsigned20 = ((u20)in->b + in->t) / 3;
    self->out.in64 = (in->i & 0xffffff) * 5l - in->c + in->s;
    self->out.below_zero = (in->s >> 1) - in->a < 0;
    self->out.differs = in->s != in->t >> 11;
}
