// SPDX-License-Identifier: Apache-2.0
/*
 * ops_unsigned_middle: every operator on unsigned values of 9, 16, 17, 23, 31 and 32 bits.
 */
#include "hls.h"

#define OPS_NAME  ops_9
#define OPS_WIDTH 9
#include "ops.inc"
#define OPS_NAME  ops_16
#define OPS_WIDTH 16
#include "ops.inc"
#define OPS_NAME  ops_17
#define OPS_WIDTH 17
#include "ops.inc"
#define OPS_NAME  ops_23
#define OPS_WIDTH 23
#include "ops.inc"
#define OPS_NAME  ops_31
#define OPS_WIDTH 31
#include "ops.inc"
#define OPS_NAME  ops_32
#define OPS_WIDTH 32
#include "ops.inc"

struct ops_unsigned_middle_in {
    u32 a, b;
    u4 op;
};
struct ops_unsigned_middle_out {
    u32 r9, r16, r17, r23, r31, r32;
};
struct ops_unsigned_middle {
    struct ops_unsigned_middle_out out;
};

HLS_RESET void ops_unsigned_middle_reset(struct ops_unsigned_middle *self)
{
    *self = (struct ops_unsigned_middle){0};
}

HLS_MODULE void ops_unsigned_middle(struct ops_unsigned_middle *self,
                                    const struct ops_unsigned_middle_in *in)
{
    self->out.r9 = ops_9(in->a, in->b, in->op);
    self->out.r16 = ops_16(in->a, in->b, in->op);
    self->out.r17 = ops_17(in->a, in->b, in->op);
    self->out.r23 = ops_23(in->a, in->b, in->op);
    self->out.r31 = ops_31(in->a, in->b, in->op);
    self->out.r32 = ops_32(in->a, in->b, in->op);
}
