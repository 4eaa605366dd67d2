// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_random.h - ports and registers of the node's random numbers, and of what clocks are SLQ clocks.
 *
 * One PRBS-31 register gives bits of their own to all users by steps of 31 bits; its parity is kept beside it, and when they differ it begins
 * anew.
 */
#ifndef BGL_RANDOM_H
#define BGL_RANDOM_H

#include "bgl/packet/bgl_types.h"

struct bgl_random_in {
    u8 slq;    /* so many SLQ clocks, */
    u8 random; /* and so many random ones, in turn */
    u16 seed;
    u1 load;
};

struct bgl_random_out {
    u62 bits;
    u1 slq_clock;
    u1 wrong; /* event: the parity differed */
};

struct bgl_random {
    struct bgl_random_out out;
    u62 state;
    u1 parity;
    u8 left; /* clocks of this kind */
};

HLS_RESET void bgl_random_reset(struct bgl_random *self);
HLS_MODULE void bgl_random(struct bgl_random *self, const struct bgl_random_in *in);

#endif
