// SPDX-License-Identifier: Apache-2.0
/*
 * switch_values: a switch over a plain value with ranges, gaps, a default in the middle and
 * returns from inside.
 */
#include "hls.h"

struct switch_values_in {
    u7 code;
    u9 data;
};
struct switch_values_out {
    u9 result;
    u4 sort;
    u8 skipped;
};
struct switch_values {
    struct switch_values_out out;
};

static u4 class_of(u7 code)
{
    switch (code) {
    case 0:
        return 1;
    case 1 ... 31:
        return 2;
    default:
        return 9;
    case 64:
    case 66:
    case 68:
        return 3;
    case 100 ... 127:
        return (u4)(code & 3) + 4;
    }
}

HLS_RESET void switch_values_reset(struct switch_values *self)
{
    *self = (struct switch_values){0};
}

HLS_MODULE void switch_values(struct switch_values *self, const struct switch_values_in *in)
{
    self->out.sort = class_of(in->code);
    switch (self->out.sort) {
    case 1:
    case 3:
        self->out.result = in->data;
        return;
    case 2:
        self->out.result -= in->data;
        break;
    case 9:
        self->out.skipped++;
        return;
    }
    self->out.result += in->code;
}
