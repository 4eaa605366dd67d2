// SPDX-License-Identifier: Apache-2.0
/*
 * array_even: elements of even widths read by a variable index, of registers, inputs, a table and the
 * result of another such read; as many as the index can name, fewer, and more.
 */
#include "hls.h"

struct array_even_in {
    u12 few[5];
    u3 at;
    u2 low;
    u6 data;
};
struct array_even_out {
    u12 of_few, of_first;
    u6 of_table, twice;
    u3 odd;
};
struct array_even {
    struct array_even_out out;
    u6 all[8];
    u3 three[9];
};

static const u6 array_even_table[8] = {3, 5, 33, 40, 2, 60, 55, 1};

HLS_RESET void array_even_reset(struct array_even *self)
{
    *self = (struct array_even){0};
}

HLS_MODULE void array_even(struct array_even *self, const struct array_even_in *in)
{
    u6 once = self->all[in->at];

    self->out.of_few = in->at < 5 ? in->few[in->at] : (u12)0;
    self->out.of_first = in->few[in->low];
    self->out.of_table = array_even_table[in->at];
    self->out.twice = self->all[(u3)(once + in->low)];
    self->out.odd = self->three[in->at + 1];
    self->all[in->at] = once ^ in->data;
    self->three[in->at] += (u3)in->data;
}
