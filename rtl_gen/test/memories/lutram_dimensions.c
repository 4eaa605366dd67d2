// SPDX-License-Identifier: Apache-2.0
/*
 * lutram_dimensions: a memory of three rows of six words, of which two are read in a clock: an element in a row and column, and one
 * in a constant row.
 */
#include "hls.h"

struct lutram_dimensions_in {
    u1 we;
    u2 row;
    u3 column, other;
    u16 data;
};
struct lutram_dimensions_out {
    u16 read, last;
};
struct lutram_dimensions {
    struct lutram_dimensions_out out;
    HLS_LUTRAM(2) u16 word[3][6];
};

HLS_RESET void lutram_dimensions_reset(struct lutram_dimensions *self)
{
    self->out = (struct lutram_dimensions_out){0};
}

HLS_MODULE void lutram_dimensions(struct lutram_dimensions *self,
                                  const struct lutram_dimensions_in *in)
{
    if (in->other < 6)
        self->out.last = self->word[2][in->other];
    if (in->row < 3 && in->column < 6) {
        self->out.read ^= self->word[in->row][in->column];
        if (in->we)
            self->word[in->row][in->column] = in->data;
    }
}
