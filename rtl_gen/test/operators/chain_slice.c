// SPDX-License-Identifier: Apache-2.0
/*
 * Two sums that have terms in common: what they share is written as a loop, each pass of which takes parts of what the
 * pass before has made, and the first one parts of the same width of something else.
 */
#include "hls.h"

struct chain_slice_in {
    u32 x;
};

struct chain_slice_out {
    u1 whole, part;
};

struct chain_slice {
    struct chain_slice_out out;
    u32 last;
};

HLS_RESET void chain_slice_reset(struct chain_slice *self)
{
    *self = (struct chain_slice){};
}

HLS_MODULE void chain_slice(struct chain_slice *self, const struct chain_slice_in *in)
{
    self->out.whole = (u1)__builtin_parity((unsigned)self->last);
    self->out.part = (u1)__builtin_parity((unsigned)self->last & 0x1ffffff);
    self->last = in->x;
}
