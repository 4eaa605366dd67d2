// SPDX-License-Identifier: Apache-2.0
/*
 * Arrays of which some elements have no value, read by indices that do not reach these: by their bits, by a mask, by what
 * the conditions around them say.
 */
#include "hls.h"

struct unset_beyond_in {
    u8 a, b;
    u1 one;
    u2 two;
    u4 four;
    u8 eight;
};

struct unset_beyond_out {
    u8 by_width, by_mask, by_bit, by_bound, by_else, by_number;
};

struct unset_beyond {
    struct unset_beyond_out out;
};

HLS_RESET void unset_beyond_reset(struct unset_beyond *self)
{
    *self = (struct unset_beyond){0};
}

HLS_MODULE void unset_beyond(struct unset_beyond *self, const struct unset_beyond_in *in)
{
    u8 t[4], five[5];

    t[0] = in->a;
    t[1] = in->b;
    for (int i = 0; i < 3; i++)
        five[i] = in->a + (u8)i;
    self->out.by_width = t[in->one];
    self->out.by_mask = t[in->two & 1];
    if (in->two < 2)
        self->out.by_bit = t[in->two];
    if (in->eight < 3 && in->one)
        self->out.by_bound = five[in->eight];
    if (in->four >= 2)
        self->out.by_else = 1;
    else
        self->out.by_else = t[in->four];
    if (in->four == 2)
        self->out.by_number = five[in->four];
}
