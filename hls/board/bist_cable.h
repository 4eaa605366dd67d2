// SPDX-License-Identifier: Apache-2.0
/*
 * bist_cable.h - ports and registers of one direction of a cable inside the chip: three lanes, which can be cut and on which
 * bits can be wrong. A word takes one clock.
 */
#ifndef BIST_CABLE_H
#define BIST_CABLE_H

#include "hls.h"
#include "link/lane/frame.h"

struct bist_cable_in {
    u16 lane[LANES];
    u3 cut;   /* lanes that are dead */
    u1 flip;  /* one bit of this clock's words is wrong */
    u1 noise; /* so is one in about every 4,096 clocks */
};

struct bist_cable_out {
    u16 other[LANES];
    u3 up; /* lanes that carry words */
};

struct bist_cable {
    struct bist_cable_out out;
    u23 random; /* which bit, and when */
};

HLS_RESET void bist_cable_reset(struct bist_cable *self);
HLS_MODULE void bist_cable(struct bist_cable *self, const struct bist_cable_in *in);

#endif
