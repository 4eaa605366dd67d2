// SPDX-License-Identifier: Apache-2.0
/*
 * lfsr: a 31-bit shift register with linear feedback that advances 1 or 7 steps, and a 16-bit one
 * in Galois form.
 */
#include "hls.h"

struct lfsr_in {
    u1 leap;
    u1 inject;
    u8 seed;
};
struct lfsr_out {
    u31 fibonacci;
    u16 galois;
    u1 equal;
};
struct lfsr {
    struct lfsr_out out;
};

HLS_RESET void lfsr_reset(struct lfsr *self)
{
    *self = (struct lfsr){.out = {.fibonacci = 1, .galois = 0xace1}};
}

HLS_MODULE void lfsr(struct lfsr *self, const struct lfsr_in *in)
{
    int steps = in->leap ? 7 : 1;
    for (int i = 0; i < steps; i++) {
        u1 bit = (u1)(self->out.fibonacci >> 30) ^ (u1)(self->out.fibonacci >> 27);
        self->out.fibonacci = self->out.fibonacci << 1 | bit;
    }
    self->out.galois = self->out.galois >> 1 ^ (self->out.galois & 1 ? 0xb400 : 0);
    if (in->inject) {
        self->out.galois ^= (u16)in->seed << 4;
    }
    self->out.equal = (u8)self->out.fibonacci == (u8)self->out.galois;
}
