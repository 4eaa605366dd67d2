// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_random.c - random numbers: x^62 + x^61 + x^6 + x^5 + 1, 31 steps a clock.
 */
#include "bgl/torus/bgl_random.h"

#define RANDOM_START 0x2545F4914F6CDD1DULL

HLS_RESET void bgl_random_reset(struct bgl_random *self)
{
    *self = (struct bgl_random){
        .state = (u62)RANDOM_START,
        .parity = (u1)__builtin_parityll(RANDOM_START & 0x3FFFFFFFFFFFFFFFULL),
    };
}

static inline u62 advance(u62 state)
{
    u62 next = state;

#pragma clang loop unroll(full)
    for (int i = 0; i < 31; i++) {
        u1 bit = (u1)(next >> 61) ^ (u1)(next >> 60) ^ (u1)(next >> 5) ^ (u1)(next >> 4);

        next = (u62)(next << 1) | bit;
    }
    return next;
}

HLS_MODULE void bgl_random(struct bgl_random *self, const struct bgl_random_in *in)
{
    u62 next = advance(self->state);

    self->out.wrong = (u1)__builtin_parityll((u64)self->state) != self->parity;
    if (self->out.wrong || in->load) {
        next = (u62)((u64)RANDOM_START ^ (u64)in->seed);
    }
    self->out.bits = self->state;
    self->state = next;
    self->parity = (u1)__builtin_parityll((u64)next);
    if (self->left == 0) {
        self->out.slq_clock = self->out.slq_clock ? in->random == 0 : in->slq != 0;
        self->left = self->out.slq_clock ? in->slq : in->random;
    } else {
        self->left--;
    }
}
