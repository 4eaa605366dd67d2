// SPDX-License-Identifier: Apache-2.0
/*
 * inst_deep: a child inside a child inside the top, the innermost used at two levels.
 */
#include "hls.h"

struct inst_deep_leaf_in {
    u5 x;
};
struct inst_deep_leaf_out {
    u7 y;
};
struct inst_deep_leaf {
    struct inst_deep_leaf_out out;
    u5 last;
};

struct inst_deep_middle_in {
    u5 a, b;
};
struct inst_deep_middle_out {
    u8 sum;
};
struct inst_deep_middle {
    struct inst_deep_middle_out out;
    struct inst_deep_leaf left, right;
};

struct inst_deep_in {
    u5 a, b;
    u1 swap;
};
struct inst_deep_out {
    u9 total;
};
struct inst_deep {
    struct inst_deep_out out;
    struct inst_deep_leaf own;
    struct inst_deep_middle middle;
};

HLS_RESET void inst_deep_leaf_reset(struct inst_deep_leaf *self)
{
    *self = (struct inst_deep_leaf){.last = 21};
}

HLS_MODULE void inst_deep_leaf(struct inst_deep_leaf *self, const struct inst_deep_leaf_in *in)
{
    self->out.y = self->out.y / 2 + in->x - self->last;
    self->last = in->x;
}

HLS_RESET void inst_deep_middle_reset(struct inst_deep_middle *self)
{
    self->out.sum = 5;
    inst_deep_leaf_reset(&self->left);
    inst_deep_leaf_reset(&self->right);
}

HLS_MODULE void inst_deep_middle(struct inst_deep_middle *self,
                                 const struct inst_deep_middle_in *in)
{
    self->out.sum = self->left.out.y + 3 * self->right.out.y;
    struct inst_deep_leaf_in left_in = {in->a};
    struct inst_deep_leaf_in right_in = {in->b};
    inst_deep_leaf(&self->left, &left_in);
    inst_deep_leaf(&self->right, &right_in);
}

HLS_RESET void inst_deep_reset(struct inst_deep *self)
{
    self->out.total = 0;
    inst_deep_leaf_reset(&self->own);
    inst_deep_middle_reset(&self->middle);
}

HLS_MODULE void inst_deep(struct inst_deep *self, const struct inst_deep_in *in)
{
    self->out.total = (u9)self->middle.out.sum - self->own.out.y;
    struct inst_deep_middle_in middle_in = {in->a, in->b};
    if (in->swap) {
        middle_in.a = in->b;
        middle_in.b = in->a;
    }
    struct inst_deep_leaf_in own_in = {(u5)self->middle.out.sum};
    inst_deep_middle(&self->middle, &middle_in);
    inst_deep_leaf(&self->own, &own_in);
}
