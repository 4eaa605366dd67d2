// SPDX-License-Identifier: Apache-2.0
/*
 * literals: compound literals with designators, partly filled (the rest is zero), for registers,
 * locals, arguments and arrays.
 */
#include "hls.h"

struct literals_point {
    u10 x, y;
    u4 colour;
};
struct literals_in {
    u10 a, b;
    u2 op;
};
struct literals_out {
    struct literals_point at;
    u12 distance;
    u4 palette[4];
};
struct literals {
    struct literals_out out;
};

static u12 distance(struct literals_point p, struct literals_point q)
{
    u12 dx = p.x > q.x ? p.x - q.x : q.x - p.x;
    u12 dy = p.y > q.y ? p.y - q.y : q.y - p.y;
    return dx + dy;
}

HLS_RESET void literals_reset(struct literals *self)
{
    *self = (struct literals){.out = {.at = {.y = 3, .x = 9}, .palette = {[2] = 5}}};
}

HLS_MODULE void literals(struct literals *self, const struct literals_in *in)
{
    struct literals_point origin = {.colour = in->op};
    self->out.distance = distance(self->out.at, (struct literals_point){.y = in->b, .x = in->a});
    switch (in->op) {
    case 0:
        self->out.at = (struct literals_point){.y = in->a, .colour = self->out.at.colour + 1};
        break;
    case 1:
        self->out.at = (struct literals_point){in->a, in->b, (u4)(in->a ^ in->b)};
        break;
    case 2:
        self->out.distance += distance(origin, (struct literals_point){.x = in->b});
        self->out.at.colour ^= origin.colour;
        break;
    default: {
        u4 fresh[4] = {[1] = in->a & 15, [3] = in->b & 15};
        for (int i = 0; i < 4; i++) {
            self->out.palette[i] ^= fresh[i] + 3 * i + 1;
        }
    }
    }
}
