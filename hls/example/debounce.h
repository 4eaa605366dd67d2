// SPDX-License-Identifier: Apache-2.0
/* debounce.h - the smallest useful module: a switch without its bouncing, and a count of edges. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include "../hls.h"

struct debounce_in {
    u1 level; /* the switch */
};

struct debounce_out {
    u1 stable; /* the switch after 16 clocks without a change */
    u8 edges;  /* changes of stable, modulo 256 */
};

struct debounce {
    struct debounce_out out; /* output ports are registers that everybody may read */
    u4 count;                /* clocks left until a new level is believed */
};

HLS_RESET void debounce_reset(struct debounce *self);
HLS_MODULE void debounce(struct debounce *self, const struct debounce_in *in);

#endif
