// SPDX-License-Identifier: Apache-2.0
/* One bit of one element: an index of two parts where the elements are as long as the index counts, else a sum. */
#include "hls.h"

struct bit_of_slice_in {
    u1 flip;
    u2 which;
    u3 at;
    uint(6) place;
};
struct bit_of_slice_out {
    u1 second;
    u1 last;
    u1 odd;
};
struct bit_of_slice {
    struct bit_of_slice_out out;
    u8 mask[4];
    uint(40) longer[2];
};

HLS_RESET void bit_of_slice_reset(struct bit_of_slice *self)
{
    *self = (struct bit_of_slice){};
}

HLS_MODULE void bit_of_slice(struct bit_of_slice *self, const struct bit_of_slice_in *in)
{
    self->out.second = (u1)(self->mask[1] >> in->at);
    self->out.last = (u1)(self->mask[3] >> in->at);
    self->out.odd = in->place < 40 ? (u1)(self->longer[1] >> in->place) : (u1)0;
    if (in->flip) {
        self->mask[in->which] ^= (u8)((u8)1 << in->at);
        self->longer[in->at & 1] += (uint(40))in->place << in->at;
    }
}
