// SPDX-License-Identifier: Apache-2.0
/*
 * c23: what C23 adds and hardware likes: constexpr, _BitInt literals, binary literals with
 * separators, typeof, static_assert, empty initialisers; and the comma operator and sizeof.
 */
#include "hls.h"

constexpr int C23_LANES = 3;
constexpr u12 C23_MAGIC = 0b1010'0110'1101;

struct c23_in {
    u12 data;
    u2 lane;
};
struct c23_out {
    u12 mix;
    uint(70) trail;
    u5 sums[C23_LANES];
};
struct c23 {
    struct c23_out out;
};

static_assert(C23_MAGIC % 2 == 1, "an even factor loses bits");

HLS_RESET void c23_reset(struct c23 *self)
{
    *self = (struct c23){};
    self->out.trail = 0x3'0123'4567'89ab'cdefuwb;
}

HLS_MODULE void c23(struct c23 *self, const struct c23_in *in)
{
    typeof(in->data) swapped = in->data << 6 | in->data >> 6;
    self->out.mix = (self->out.mix ^ swapped) * C23_MAGIC;
    self->out.trail = self->out.trail << 3 ^ self->out.trail >> 67 ^ (in->data & 15uwb);
    for (int i = 0, step = 1; i < C23_LANES; i++, step += 2) {
        if (in->lane == i) {
            self->out.sums[i] += step + sizeof(self->out.sums) + in->data % 2uwb;
        }
    }
}
