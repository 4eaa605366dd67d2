// SPDX-License-Identifier: Apache-2.0
/*
 * inst_pass: children fed directly by a part of the parent's input struct, or by a compound literal
 * in the call.
 */
#include "hls.h"

struct inst_pass_filter_in {
    u8 sample;
    u2 gain;
};
struct inst_pass_filter_out {
    u12 level;
};
struct inst_pass_filter {
    struct inst_pass_filter_out out;
};

struct inst_pass_in {
    struct inst_pass_filter_in left;
    struct inst_pass_filter_in right[2];
};
struct inst_pass_out {
    u13 whole;
};
struct inst_pass {
    struct inst_pass_out out;
    struct inst_pass_filter left, right[2], sum;
};

HLS_RESET void inst_pass_filter_reset(struct inst_pass_filter *self)
{
    *self = (struct inst_pass_filter){.out.level = 64};
}

HLS_MODULE void inst_pass_filter(struct inst_pass_filter *self,
                                 const struct inst_pass_filter_in *in)
{
    self->out.level = self->out.level - (self->out.level >> 2) + ((u12)in->sample << in->gain);
}

HLS_RESET void inst_pass_reset(struct inst_pass *self)
{
    self->out = (struct inst_pass_out){0};
    inst_pass_filter_reset(&self->left);
    inst_pass_filter_reset(&self->right[0]);
    inst_pass_filter_reset(&self->right[1]);
    inst_pass_filter_reset(&self->sum);
}

HLS_MODULE void inst_pass(struct inst_pass *self, const struct inst_pass_in *in)
{
    u12 right = self->right[0].out.level ^ self->right[1].out.level;
    u12 left = self->left.out.level;
    self->out.whole = (u13)self->sum.out.level + left - right;
    inst_pass_filter(&self->left, &in->left);
    inst_pass_filter(&self->right[0], &in->right[0]);
    inst_pass_filter(&self->right[1], &in->right[1]);
    inst_pass_filter(&self->sum,
                     &(struct inst_pass_filter_in){.sample = left >> 4, .gain = right & 3});
}
