// SPDX-License-Identifier: Apache-2.0
/*
 * loop_while: loops whose bound follows from the width of the data: position of the top bit, and
 * counting bits by clearing the lowest one.
 */
#include "hls.h"

struct loop_while_in {
    u8 value;
    u6 mask;
};
struct loop_while_out {
    u4 length;
    u3 ones;
    u12 total;
};
struct loop_while {
    struct loop_while_out out;
};

HLS_RESET void loop_while_reset(struct loop_while *self)
{
    *self = (struct loop_while){0};
}

HLS_MODULE void loop_while(struct loop_while *self, const struct loop_while_in *in)
{
    u4 length = 0;
    u8 x = in->value;
    while (x) {
        x >>= 1;
        length++;
    }
    u3 ones = 0;
    for (u6 m = in->mask, i = 0; i < 6 && m; i++) {
        m &= m - 1;
        ones++;
    }
    self->out.length = length;
    self->out.ones = ones;
    self->out.total += (u12)length * ones + 1;
}
