// SPDX-License-Identifier: Apache-2.0
/*
 * bist_cable.c - one direction of a cable with errors.
 */
#include "board/bist_cable.h"

#define NOISE_BITS 12 /* a wrong bit in 2^NOISE_BITS clocks */

HLS_RESET void bist_cable_reset(struct bist_cable *self)
{
    *self = (struct bist_cable){.random = 1};
}

/* x^23 + x^18 + 1, six steps. */
static inline u23 stepped(u23 random)
{
    return (u23)(random << 6 | (u6)((random >> 17) ^ (random >> 12)));
}

HLS_MODULE void bist_cable(struct bist_cable *self, const struct bist_cable_in *in)
{
    u1 noisy = in->noise && (uint(NOISE_BITS))(self->random >> 6) == 0;
    u2 which = (u2)(self->random >> 4); /* 3 is lane 0 once more */
    u16 wrong = in->flip || noisy ? (u16)((u16)1 << (u4)self->random) : (u16)0;

    for (int lane = 0; lane < LANES; lane++) {
        u1 hit = which == lane || (lane == 0 && which == 3);
        u1 cut = (u1)(in->cut >> lane);

        self->out.other[lane] = cut ? (u16)0 : (u16)(in->lane[lane] ^ (hit ? wrong : (u16)0));
    }
    self->out.up = ~in->cut;
    self->random = stepped(self->random);
}
