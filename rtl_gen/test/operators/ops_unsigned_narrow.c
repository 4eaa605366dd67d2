// SPDX-License-Identifier: Apache-2.0
/*
 * ops_unsigned_narrow: every operator on unsigned values of 1, 2, 3, 5, 7 and 8 bits.
 */
#include "hls.h"

#define OPS_NAME  ops_1
#define OPS_WIDTH 1
#include "ops.inc"
#define OPS_NAME  ops_2
#define OPS_WIDTH 2
#include "ops.inc"
#define OPS_NAME  ops_3
#define OPS_WIDTH 3
#include "ops.inc"
#define OPS_NAME  ops_5
#define OPS_WIDTH 5
#include "ops.inc"
#define OPS_NAME  ops_7
#define OPS_WIDTH 7
#include "ops.inc"
#define OPS_NAME  ops_8
#define OPS_WIDTH 8
#include "ops.inc"

struct ops_unsigned_narrow_in {
    u8 a, b;
    u4 op;
};
struct ops_unsigned_narrow_out {
    u8 r1, r2, r3, r5, r7, r8;
};
struct ops_unsigned_narrow {
    struct ops_unsigned_narrow_out out;
};

HLS_RESET void ops_unsigned_narrow_reset(struct ops_unsigned_narrow *self)
{
    *self = (struct ops_unsigned_narrow){0};
}

HLS_MODULE void ops_unsigned_narrow(struct ops_unsigned_narrow *self,
                                    const struct ops_unsigned_narrow_in *in)
{
    self->out.r1 = ops_1(in->a, in->b, in->op);
    self->out.r2 = ops_2(in->a, in->b, in->op);
    self->out.r3 = ops_3(in->a, in->b, in->op);
    self->out.r5 = ops_5(in->a, in->b, in->op);
    self->out.r7 = ops_7(in->a, in->b, in->op);
    self->out.r8 = ops_8(in->a, in->b, in->op);
}
