// SPDX-License-Identifier: Apache-2.0
/*
 * barrel_shifter: rotate left, shift left, shift right logically and arithmetically by 0 .. 31, in
 * stages of powers of two.
 */
#include "hls.h"

enum barrel_shifter_op { SHIFT_ROTATE, SHIFT_LEFT, SHIFT_RIGHT, SHIFT_ARITHMETIC };

struct barrel_shifter_in {
    u32 data;
    u5 amount;
    enum barrel_shifter_op op;
};
struct barrel_shifter_out {
    u32 result;
};
struct barrel_shifter {
    struct barrel_shifter_out out;
};

static u32 shift_stage(u32 x, int by, enum barrel_shifter_op op)
{
    switch (op) {
    case SHIFT_ROTATE:
        return x << by | x >> (32 - by);
    case SHIFT_LEFT:
        return x << by;
    case SHIFT_RIGHT:
        return x >> by;
    case SHIFT_ARITHMETIC:
        return (u32)((sint(32))x >> by);
    }
    return x;
}

HLS_RESET void barrel_shifter_reset(struct barrel_shifter *self)
{
    *self = (struct barrel_shifter){0};
}

HLS_MODULE void barrel_shifter(struct barrel_shifter *self, const struct barrel_shifter_in *in)
{
    u32 x = in->data;
    for (int stage = 0; stage < 5; stage++) {
        if (in->amount >> stage & 1) {
            x = shift_stage(x, 1 << stage, in->op);
        }
    }
    self->out.result = x;
}
