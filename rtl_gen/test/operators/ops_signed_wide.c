// SPDX-License-Identifier: Apache-2.0
/*
 * ops_signed_wide: every operator on signed values of 17, 32, 33 and 64 bits.
 */
#include "hls.h"

typedef sint(64) s64;

#define OPS_NAME  ops_17
#define OPS_WIDTH 17
#include "ops_signed.inc"
#define OPS_NAME  ops_32
#define OPS_WIDTH 32
#include "ops_signed.inc"
#define OPS_NAME  ops_33
#define OPS_WIDTH 33
#include "ops_signed.inc"
#define OPS_NAME  ops_64
#define OPS_WIDTH 64
#include "ops_signed.inc"

struct ops_signed_wide_in {
    s64 a, b;
    u6 narrow;
    u4 op;
};
struct ops_signed_wide_out {
    s64 r17, r32, r33, r64;
};
struct ops_signed_wide {
    struct ops_signed_wide_out out;
};

HLS_RESET void ops_signed_wide_reset(struct ops_signed_wide *self)
{
    *self = (struct ops_signed_wide){0};
}

HLS_MODULE void ops_signed_wide(struct ops_signed_wide *self, const struct ops_signed_wide_in *in)
{
    s64 b = in->b >> in->narrow;
    self->out.r17 = ops_17(in->a, b, in->op);
    self->out.r32 = ops_32(in->a, b, in->op);
    self->out.r33 = ops_33(in->a, b, in->op);
    self->out.r64 = ops_64(in->a, b, in->op);
}
