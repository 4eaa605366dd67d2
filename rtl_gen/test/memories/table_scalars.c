// SPDX-License-Identifier: Apache-2.0
/*
 * table_scalars: constant tables of scalars: a power-of-two one, one with a length of seven, and
 * one of signed values.
 */
#include "hls.h"

struct table_scalars_in {
    u4 at;
    u3 day;
};
struct table_scalars_out {
    u4 box;
    u5 days;
    sint(8) wave;
    u12 sum;
};
struct table_scalars {
    struct table_scalars_out out;
};

static const u4 box[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};
static const u5 days[7] = {31, 28, 30, 17, 5, 1, 22};
static const sint(8) wave[16] = {0, 49,  90,  117,  127,  117,  90,  49,
                                 0, -49, -90, -117, -127, -117, -90, -49};

HLS_RESET void table_scalars_reset(struct table_scalars *self)
{
    *self = (struct table_scalars){.out.box = box[3], .out.wave = wave[13]};
}

HLS_MODULE void table_scalars(struct table_scalars *self, const struct table_scalars_in *in)
{
    self->out.box = box[in->at ^ self->out.box];
    self->out.days = in->day < 7 ? days[in->day] : (u5)0;
    self->out.wave = wave[in->at];
    self->out.sum += box[in->at] * 16 + wave[self->out.box];
}
