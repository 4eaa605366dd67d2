// SPDX-License-Identifier: Apache-2.0
/*
 * parity_sets.c - few sums of many bits: sums of a set add up what they have in common once. Four of one word are a set of three
 * and one that stays; two of another are a set.
 */
#include "hls.h"

struct parity_sets_in {
    u48 word;
    u63 other;
};
struct parity_sets_out {
    u4 four;
    u2 two;
};
struct parity_sets {
    struct parity_sets_out out;
};

HLS_RESET void parity_sets_reset(struct parity_sets *self)
{
    *self = (struct parity_sets){0};
}

HLS_MODULE void parity_sets(struct parity_sets *self, const struct parity_sets_in *in)
{
    static const u48 mask[4] = {0xFFFF0000FFFF, 0xFF00FF00FF00, 0x0F0F0F0F0F0F, 0x5A5A3C3C9669};
    u1 low = (u1)__builtin_parityll(in->other & 0x7FFFFFFFFFFFF000);
    u1 high = (u1)__builtin_parityll(in->other & 0x7FFFF0FFFFFFFFFF);

    self->out.four = 0;
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        u1 odd = (u1)__builtin_parityll(in->word & mask[i]);

        self->out.four |= (u4)((u4)odd << i);
    }
    self->out.two = (u2)(((u2)high << 1) | low);
}
