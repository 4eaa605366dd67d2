// SPDX-License-Identifier: Apache-2.0
/*
 * priority_encoder: index of the lowest and of the highest set bit of 16, by loops with and
 * without break.
 */
#include "hls.h"

struct priority_encoder_in {
    u16 request;
    u16 mask;
};
struct priority_encoder_out {
    u4 lowest, highest;
    u1 any;
    u16 pending;
};
struct priority_encoder {
    struct priority_encoder_out out;
};

HLS_RESET void priority_encoder_reset(struct priority_encoder *self)
{
    *self = (struct priority_encoder){0};
}

HLS_MODULE void priority_encoder(struct priority_encoder *self,
                                 const struct priority_encoder_in *in)
{
    u16 active = (self->out.pending | in->request) & in->mask;
    for (int i = 0; i < 16; i++) {
        if (active >> i & 1) {
            self->out.lowest = i;
            break;
        }
    }
    for (int i = 0; i < 16; i++) {
        if (active >> i & 1) {
            self->out.highest = i;
        }
    }
    self->out.any = active != 0;
    self->out.pending = (self->out.pending | in->request) & ~(active & -active);
}
