// SPDX-License-Identifier: Apache-2.0
/*
 * lutram_two: a memory with two combinational reads, one of them a read-modify-write.
 */
#include "hls.h"

struct lutram_two_in {
    u3 from, to;
    u9 add;
    u2 op;
};
struct lutram_two_out {
    u9 a, b;
};
struct lutram_two {
    struct lutram_two_out out;
    HLS_LUTRAM(2) u9 word[8];
};

HLS_RESET void lutram_two_reset(struct lutram_two *self)
{
    self->out.a = 1;
    self->out.b = 2;
}

HLS_MODULE void lutram_two(struct lutram_two *self, const struct lutram_two_in *in)
{
    u9 a = self->word[in->from];
    u9 b = self->word[in->to];
    self->out.a = a;
    self->out.b = b;
    if (in->op != 0) {
        self->word[in->to] = in->op == 1 ? a : a + b + in->add;
    }
}
