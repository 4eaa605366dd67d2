// SPDX-License-Identifier: Apache-2.0
/*
 * array_const: an array of scalars with constant indices only: a delay line of five taps and a
 * small FIR filter over it.
 */
#include "hls.h"

struct array_const_in {
    u10 sample;
    u1 hold;
};
struct array_const_out {
    u14 filtered;
    u10 oldest;
};
struct array_const {
    struct array_const_out out;
    u10 tap[5];
};

HLS_RESET void array_const_reset(struct array_const *self)
{
    *self = (struct array_const){.tap = {1, 2, 3, 4, 5}};
}

HLS_MODULE void array_const(struct array_const *self, const struct array_const_in *in)
{
    if (in->hold) {
        return;
    }
    self->out.oldest = self->tap[4];
    self->out.filtered =
        self->tap[0] + 2 * self->tap[1] + 5 * self->tap[2] + 2 * self->tap[3] + self->tap[4];
    for (int i = 4; i > 0; i--) {
        self->tap[i] = self->tap[i - 1];
    }
    self->tap[0] = in->sample;
}
