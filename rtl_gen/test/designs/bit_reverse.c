// SPDX-License-Identifier: Apache-2.0
/*
 * bit_reverse: the bits of 21 in reverse, by a loop, and of 64 in swaps of growing groups.
 */
#include "hls.h"

struct bit_reverse_in {
    u21 a;
    u64 b;
};
struct bit_reverse_out {
    u21 reversed_a;
    u64 mixed_b;
};
struct bit_reverse {
    struct bit_reverse_out out;
};

static u64 swap_groups(u64 x, u64 mask, int by)
{
    return (x & mask) << by | (x >> by & mask);
}

HLS_RESET void bit_reverse_reset(struct bit_reverse *self)
{
    *self = (struct bit_reverse){0};
}

HLS_MODULE void bit_reverse(struct bit_reverse *self, const struct bit_reverse_in *in)
{
    u21 a = 0;
    for (int i = 0; i < 21; i++) {
        a |= (in->a >> i & 1) << (20 - i);
    }
    self->out.reversed_a = a;

    u64 b = in->b ^ self->out.mixed_b;
    b = swap_groups(b, 0x5555555555555555, 1);
    b = swap_groups(b, 0x3333333333333333, 2);
    b = swap_groups(b, 0x0f0f0f0f0f0f0f0f, 4);
    b = swap_groups(b, 0x00ff00ff00ff00ff, 8);
    b = swap_groups(b, 0x0000ffff0000ffff, 16);
    self->out.mixed_b = b << 32 | b >> 32;
}
