// SPDX-License-Identifier: Apache-2.0
/*
 * fast.h - a router of which only those blocks are called that have something to do.
 *
 * All registers are what the plain model has after every clock. A block rests when a call with nothing at its inputs
 * has left every register as it was, apart from those that go on by themselves (draws, loads, counters): until
 * something comes another call would do the same.
 */
#ifndef SIM_FAST_H
#define SIM_FAST_H

#include <stdint.h>

#include "router/router.h"

/* What a tile says to others in one mask each, and which of its blocks rest. */
struct fast_tile {
    uint8_t rests;
    uint8_t row;          /* one-hot: the column its row bus goes to */
    uint8_t freed_row;    /* columns, to whose input queues in this row it frees a place */
    uint8_t column;       /* rows its column busses go to */
    uint8_t freed_column; /* rows, to whose subswitches in this column it frees a place */
    uint8_t first;        /* rows that go first, when its output came to rest */
};

struct fast {
    struct router router; /* first: whoever has a fast router has a router */
    struct fast_tile tile[RTR_PORTS];
};

void fast_reset(struct fast *self);
void fast(struct fast *self, const struct router_in *in);

/* The same clock by the plain model. */
void fast_plain(struct fast *self, const struct router_in *in);

#endif
