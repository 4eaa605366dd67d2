// SPDX-License-Identifier: Apache-2.0
/*
 * ops_compare: all six comparisons, with and without sign, of values of different width, against
 * each other and against constants at the edges.
 */
#include "hls.h"

struct ops_compare_in {
    u6 a;
    u9 b;
    sint(6) s;
    sint(9) t;
};
struct ops_compare_out {
    u6 plain, with_sign, zero, limits;
};
struct ops_compare {
    struct ops_compare_out out;
};

static u6 compare(int x, int y)
{
    return (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5;
}

HLS_RESET void ops_compare_reset(struct ops_compare *self)
{
    *self = (struct ops_compare){0};
}

HLS_MODULE void ops_compare(struct ops_compare *self, const struct ops_compare_in *in)
{
    self->out.plain = compare(in->a, in->b);
    self->out.with_sign = compare(in->s, in->t);
    self->out.zero = (in->s < 0) | (in->s >= 0) << 1 | (in->t <= 0) << 2 | (in->t > 0) << 3 |
                     (in->a > 0) << 4 | (in->b == 0) << 5;
    self->out.limits ^= (in->a < 63) | (in->s == -32) << 1 | (in->t > -256) << 2 |
                        (in->a <= (in->b >> 3)) << 3 | ((u6)in->s > in->a) << 4 |
                        ((sint(9))in->b < in->t) << 5;
}
