// SPDX-License-Identifier: Apache-2.0
/*
 * reset_names.c - a reset value has the name by which the reset function gives it to that member, be it zero, or the
 * same number as another member's that has no name.
 */
#include "hls.h"

#define BURST_INCR 1
#define OWNER_NONE 0
#define PLACES     9

struct reset_names_in {
    u1 moves;
    u2 burst;
    u4 owner;
};
struct reset_names_bus {
    u2 burst;
    u4 owner;
    u1 ready;
};
struct reset_names_out {
    struct reset_names_bus bus;
    u4 left;
};
struct reset_names {
    struct reset_names_out out;
    u4 held;
    u2 turn;
};

HLS_RESET void reset_names_reset(struct reset_names *self)
{
    self->out = (struct reset_names_out){
        .bus = {.burst = BURST_INCR, .owner = OWNER_NONE, .ready = 1},
        .left = PLACES,
    };
    self->held = 9;
    self->turn = 1;
}

HLS_MODULE void reset_names(struct reset_names *self, const struct reset_names_in *in)
{
    self->out.bus.ready = in->moves;
    if (in->moves) {
        self->out.bus.burst = in->burst ^ self->turn;
        self->out.bus.owner = in->owner;
        self->out.left = self->held;
        self->held--;
        self->turn++;
    }
}
