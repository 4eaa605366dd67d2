// SPDX-License-Identifier: Apache-2.0
/*
 * array_pow2: a register file of eight words, written and read by a three-bit index; two writes
 * per clock, the later one wins, and a read after a write sees the new value.
 */
#include "hls.h"

struct array_pow2_in {
    u3 wa, wb, ra;
    u12 a, b;
    u1 we;
};
struct array_pow2_out {
    u12 older, newer;
};
struct array_pow2 {
    struct array_pow2_out out;
    u12 word[8];
};

HLS_RESET void array_pow2_reset(struct array_pow2 *self)
{
    *self = (struct array_pow2){.word = {10, 20, 30, 40, 50, 60, 70, 80}};
}

HLS_MODULE void array_pow2(struct array_pow2 *self, const struct array_pow2_in *in)
{
    self->out.older = self->word[in->ra];
    self->word[in->wa] = in->a;
    if (in->we) {
        self->word[in->wb] = self->word[in->wb] + in->b;
    }
    self->out.newer = self->word[in->ra];
}
