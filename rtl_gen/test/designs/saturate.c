// SPDX-License-Identifier: Apache-2.0
/*
 * saturate: adding and subtracting with saturation, unsigned and signed, and cutting to fewer bits.
 */
#include "hls.h"

struct saturate_in {
    u9 up, down;
    sint(12) x;
    sint(8) y;
};
struct saturate_out {
    u10 level;
    sint(12) acc;
    sint(6) cut;
    u1 clipped;
};
struct saturate {
    struct saturate_out out;
};

static sint(12) add_saturated(sint(12) a, sint(12) b)
{
    int sum = (int)a + b;
    return sum > 2047 ? 2047 : sum < -2048 ? -2048 : sum;
}

HLS_RESET void saturate_reset(struct saturate *self)
{
    *self = (struct saturate){.out = {.level = 512, .acc = -1000}};
}

HLS_MODULE void saturate(struct saturate *self, const struct saturate_in *in)
{
    u11 level = (u11)self->out.level + in->up;
    level = level > in->down ? (u11)(level - in->down) : (u11)0;
    self->out.clipped = level == 0 || level > 1023;
    self->out.level = level > 1023 ? (u10)1023 : (u10)level;

    self->out.acc = add_saturated(self->out.acc, in->x);
    self->out.cut = in->y > 31 ? 31 : in->y < -32 ? -32 : in->y;
}
