// SPDX-License-Identifier: Apache-2.0
/* A memory of one element: it has no address. */
#include "hls.h"

struct memory_one_in {
    u8 data;
};
struct memory_one_out {
    u8 last;
};
struct memory_one {
    struct memory_one_out out;
    u8 buffer[1] HLS_LUTRAM(1);
};

HLS_RESET void memory_one_reset(struct memory_one *self)
{
    self->out = (struct memory_one_out){0};
}

HLS_MODULE void memory_one(struct memory_one *self, const struct memory_one_in *in)
{
    self->out.last = self->buffer[0];
    self->buffer[0] = in->data;
}
