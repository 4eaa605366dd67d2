// SPDX-License-Identifier: Apache-2.0
/*
 * whole_self: the registers copied whole into a local, worked on there, and written back whole or
 * dropped; the same for the outputs and the inputs.
 */
#include "hls.h"

struct whole_self_in {
    u8 x;
    u4 y;
    u1 keep;
};
struct whole_self_out {
    u8 sum;
    u12 product;
};
struct whole_self {
    struct whole_self_out out;
    u4 tries;
    u8 trail[3];
};

static struct whole_self_in doubled(struct whole_self_in in)
{
    in.x <<= 1;
    in.y += in.keep;
    return in;
}

HLS_RESET void whole_self_reset(struct whole_self *self)
{
    struct whole_self fresh = {.tries = 3};
    fresh.trail[1] = 0x80;
    *self = fresh;
}

HLS_MODULE void whole_self(struct whole_self *self, const struct whole_self_in *in)
{
    struct whole_self next = *self;
    struct whole_self_in twice = doubled(*in);
    next.out.sum += twice.x;
    next.out.product = (u12)next.out.sum * twice.y;
    next.trail[next.tries % 3] ^= next.out.sum;
    next.tries++;
    if (in->keep || next.trail[0] > next.trail[2]) {
        *self = next;
        return;
    }
    struct whole_self_out out = self->out;
    out.sum ^= next.trail[1] + 1;
    self->out = out;
    self->tries += 5;
}
