// SPDX-License-Identifier: Apache-2.0
/*
 * ops_signed_narrow: every operator on signed values of 2, 3, 5, 8 and 13 bits.
 */
#include "hls.h"

typedef sint(64) s64;

#define OPS_NAME  ops_2
#define OPS_WIDTH 2
#include "ops_signed.inc"
#define OPS_NAME  ops_3
#define OPS_WIDTH 3
#include "ops_signed.inc"
#define OPS_NAME  ops_5
#define OPS_WIDTH 5
#include "ops_signed.inc"
#define OPS_NAME  ops_8
#define OPS_WIDTH 8
#include "ops_signed.inc"
#define OPS_NAME  ops_13
#define OPS_WIDTH 13
#include "ops_signed.inc"

struct ops_signed_narrow_in {
    sint(13) a, b;
    u4 op;
};
struct ops_signed_narrow_out {
    sint(13) r2, r3, r5, r8, r13;
};
struct ops_signed_narrow {
    struct ops_signed_narrow_out out;
};

HLS_RESET void ops_signed_narrow_reset(struct ops_signed_narrow *self)
{
    *self = (struct ops_signed_narrow){0};
}

HLS_MODULE void ops_signed_narrow(struct ops_signed_narrow *self,
                                  const struct ops_signed_narrow_in *in)
{
    self->out.r2 = (sint(13))ops_2(in->a, in->b, in->op);
    self->out.r3 = (sint(13))ops_3(in->a, in->b, in->op);
    self->out.r5 = (sint(13))ops_5(in->a, in->b, in->op);
    self->out.r8 = (sint(13))ops_8(in->a, in->b, in->op);
    self->out.r13 = (sint(13))ops_13(in->a, in->b, in->op);
}
