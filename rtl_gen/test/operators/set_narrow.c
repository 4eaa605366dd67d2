// SPDX-License-Identifier: Apache-2.0
/*
 * set_narrow.c - an index of fewer bits than the array has elements: the others stay as they are.
 */
#include "hls.h"

struct set_narrow_in {
    u1 half;
    u5 value;
};

struct set_narrow_out {
    u5 slot[5];
    u4 marks;
};

struct set_narrow {
    struct set_narrow_out out;
    u1 mark[4];
};

HLS_RESET void set_narrow_reset(struct set_narrow *self)
{
    *self = (struct set_narrow){};
}

HLS_MODULE void set_narrow(struct set_narrow *self, const struct set_narrow_in *in)
{
    self->out.slot[in->half] = in->value;
    self->mark[self->mark[in->half]] ^= (u1)in->value;
    self->out.marks = (u4)(self->out.marks << 1) | self->mark[3] | self->mark[0];
}
