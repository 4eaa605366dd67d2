// SPDX-License-Identifier: Apache-2.0
/*
 * checked.h - a store-and-forward stage of the bench between a link control block in packet mode and its router.
 *
 * It hands a packet up once the verdict on its end is here, and nothing of a copy that comes again: what the link would cost if it
 * did not speculate. There is no such block in hls/. Two registers stand in it, in front of the store and behind it.
 */
#ifndef SIM_CHECKED_H
#define SIM_CHECKED_H

#include "sim/engine/router_model.h"

/* Flits: while one packet leaves at one a clock the next comes at no more. */
enum { CHECKED_FLITS = 128 };

struct checked_flit {
    uint64_t flit;
    bool valid, tail;
    uint8_t ok;
};

struct checked {
    struct checked_flit came, store[CHECKED_FLITS];
    unsigned written, whole, read; /* flits: stored, of packets that may go, gone */
};

/* One clock: what the block hands up is replaced by what the stage does. */
void checked_clock(struct checked *s, struct wires_in *to_router);

#endif
