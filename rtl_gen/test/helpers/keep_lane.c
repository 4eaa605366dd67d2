// SPDX-License-Identifier: Apache-2.0
/*
 * Lanes of a loop that have nothing in common, and are gathered into one net: among them calls of a kept function, which are
 * instances, and an array with an element replaced, which takes statements.
 */
#include "hls.h"

struct keep_lane_in {
    u8 a, b, c;
    u3 at;
};

struct keep_lane_out {
    u8 y[5];
};

struct keep_lane {
    struct keep_lane_out out;
    u8 last;
    u1 flag[8];
};

HLS_RESET void keep_lane_reset(struct keep_lane *self)
{
    *self = (struct keep_lane){0};
}

HLS_KEEP static u8 keep_lane_mix(u8 x, u8 y)
{
    return (u8)(x * y + (x ^ y));
}

HLS_MODULE void keep_lane(struct keep_lane *self, const struct keep_lane_in *in)
{
    u8 lane[5];
    self->flag[in->at] ^= 1;
    lane[0] = keep_lane_mix(in->a, in->b);
    lane[1] = in->b + in->c;
    lane[2] = keep_lane_mix(in->c, self->last);
    lane[3] = self->last;
    lane[4] = 0;
    for (int i = 0; i < 8; i++)
        lane[4] |= (u8)((u8)self->flag[i] << i);
    for (int i = 0; i < 5; i++)
        self->out.y[i] =
            ((((lane[i] ^ in->a) + in->b) & ~in->c) + (lane[i] < in->c ? in->a : in->b)) ^ lane[i];
    self->last = lane[2] + lane[4];
}
