// SPDX-License-Identifier: Apache-2.0
/*
 * loop_nested: loops in loops, the inner bound depending on the outer index: the upper triangle
 * of a 5 x 5 matrix of flags, and a matrix-vector product over GF(2).
 */
#include "hls.h"

struct loop_nested_in {
    u5 row[5];
    u5 column;
};
struct loop_nested_out {
    u5 product;
    u4 pairs;
    u5 diagonal;
};
struct loop_nested {
    struct loop_nested_out out;
};

HLS_RESET void loop_nested_reset(struct loop_nested *self)
{
    *self = (struct loop_nested){0};
}

HLS_MODULE void loop_nested(struct loop_nested *self, const struct loop_nested_in *in)
{
    u4 pairs = 0;
    u5 product = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++) {
            if ((in->row[i] >> j & 1) && (in->row[j] >> i & 1)) {
                pairs++;
            }
        }
        u1 sum = 0;
        for (int j = 0; j < 5; j++) {
            sum ^= in->row[i] >> j & in->column >> j & 1;
        }
        product |= (u5)sum << i;
        self->out.diagonal ^= (in->row[i] >> i & 1) << i;
    }
    self->out.product = product;
    self->out.pairs = pairs;
}
