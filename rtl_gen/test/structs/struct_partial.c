// SPDX-License-Identifier: Apache-2.0
/*
 * struct_partial: single fields and single elements updated on some paths, the rest kept.
 */
#include "hls.h"

struct struct_partial_status {
    u3 code;
    u1 seen;
    struct {
        u8 low, high;
    } range;
    u4 nibble[4];
};
struct struct_partial_in {
    u8 sample;
    u2 which;
    u1 restart;
};
struct struct_partial_out {
    struct struct_partial_status status;
};
struct struct_partial {
    struct struct_partial_out out;
};

HLS_RESET void struct_partial_reset(struct struct_partial *self)
{
    *self = (struct struct_partial){.out.status.range = {.low = 255}};
}

HLS_MODULE void struct_partial(struct struct_partial *self, const struct struct_partial_in *in)
{
    if (in->restart && in->sample == 0x3c) {
        self->out.status.range.low = 255;
        self->out.status.range.high = 0;
        self->out.status.seen = 0;
        return;
    }
    if (in->sample < self->out.status.range.low) {
        self->out.status.range.low = in->sample;
        self->out.status.seen = 1;
    }
    if (in->sample > self->out.status.range.high) {
        self->out.status.range.high = in->sample;
    }
    if (in->which != 2) {
        self->out.status.nibble[in->which] += in->sample & 15;
    } else {
        self->out.status.nibble[2] = self->out.status.nibble[in->sample & 3];
        self->out.status.code++;
    }
}
