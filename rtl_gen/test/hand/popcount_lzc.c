// SPDX-License-Identifier: Apache-2.0
/*
 * popcount_lzc: ones and leading zeros of 64 bits. The contract is in README.md.
 */
#include "hls.h"

struct popcount_lzc_in {
    u64 x;
};
struct popcount_lzc_out {
    u7 ones;
    u7 zeros; /* above the highest one; 64 when there is none */
};
struct popcount_lzc {
    struct popcount_lzc_out out;
};

HLS_RESET void popcount_lzc_reset(struct popcount_lzc *self)
{
    *self = (struct popcount_lzc){.out.zeros = 64};
}

HLS_MODULE void popcount_lzc(struct popcount_lzc *self, const struct popcount_lzc_in *in)
{
    self->out.ones = (u7)__builtin_popcountll(in->x);
    self->out.zeros = in->x ? (u7)__builtin_clzll(in->x) : (u7)64;
}
