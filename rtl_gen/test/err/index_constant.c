// SPDX-License-Identifier: Apache-2.0
/* A loop that runs over the end of an array, though another member stands behind it. */
#include "hls.h"

struct index_constant_in {
    u8 sample;
};
struct index_constant_out {
    u8 sum;
};
struct index_constant {
    struct index_constant_out out;
    u8 last[4];
    u8 behind;
};

HLS_RESET void index_constant_reset(struct index_constant *self)
{
    *self = (struct index_constant){0};
}

HLS_MODULE void index_constant(struct index_constant *self, const struct index_constant_in *in)
{
    u8 sum = 0;

    for (int i = 0; i <= 4; i++) {
        sum += self->last[i];
    }
    self->out.sum = sum;
    self->last[0] = in->sample;
    self->behind = in->sample;
}
