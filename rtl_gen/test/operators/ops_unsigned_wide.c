// SPDX-License-Identifier: Apache-2.0
/*
 * ops_unsigned_wide: every operator on unsigned values of 33, 47, 63 and 64 bits.
 */
#include "hls.h"

#define OPS_NAME  ops_33
#define OPS_WIDTH 33
#include "ops.inc"
#define OPS_NAME  ops_47
#define OPS_WIDTH 47
#include "ops.inc"
#define OPS_NAME  ops_63
#define OPS_WIDTH 63
#include "ops.inc"
#define OPS_NAME  ops_64
#define OPS_WIDTH 64
#include "ops.inc"

struct ops_unsigned_wide_in {
    u64 a, b;
    u6 narrow; /* b is cut to that many bits, so that quotients and products vary */
    u4 op;
};
struct ops_unsigned_wide_out {
    u64 r33, r47, r63, r64;
};
struct ops_unsigned_wide {
    struct ops_unsigned_wide_out out;
};

HLS_RESET void ops_unsigned_wide_reset(struct ops_unsigned_wide *self)
{
    *self = (struct ops_unsigned_wide){0};
}

HLS_MODULE void ops_unsigned_wide(struct ops_unsigned_wide *self,
                                  const struct ops_unsigned_wide_in *in)
{
    u64 b = in->b >> in->narrow;
    self->out.r33 = ops_33(in->a, b, in->op);
    self->out.r47 = ops_47(in->a, b, in->op);
    self->out.r63 = ops_63(in->a, b, in->op);
    self->out.r64 = ops_64(in->a, b, in->op);
}
