// SPDX-License-Identifier: Apache-2.0
/*
 * builtins: the compiler's bit counting and byte swapping functions.
 */
#include "hls.h"

struct builtins_in {
    u32 x;
    u64 y;
};
struct builtins_out {
    u6 ones;
    u7 ones64;
    u6 trailing;
    u6 leading;
    u7 leading64;
    u1 odd;
    u32 swapped;
    u16 half_swapped;
    u6 first;
};
struct builtins {
    struct builtins_out out;
};

HLS_RESET void builtins_reset(struct builtins *self)
{
    *self = (struct builtins){0};
}

HLS_MODULE void builtins(struct builtins *self, const struct builtins_in *in)
{
    unsigned x = in->x;
    unsigned long y = in->y;
    self->out.ones = __builtin_popcount(x);
    self->out.ones64 = __builtin_popcountl(y);
    self->out.trailing = x ? __builtin_ctz(x) : 32;
    self->out.leading = x ? __builtin_clz(x) : 32;
    self->out.leading64 = y ? __builtin_clzl(y >> (x & 63) | 1) : 64;
    self->out.odd = __builtin_parity(x);
    self->out.swapped = __builtin_bswap32(x);
    self->out.half_swapped ^= __builtin_bswap16((unsigned short)y);
    self->out.first = __builtin_ffs((int)(x << (y & 31)));
}
