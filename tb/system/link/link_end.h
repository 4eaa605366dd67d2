// SPDX-License-Identifier: Apache-2.0
/*
 * link_end.h - an LCB and a plain upper side, small enough to be copied: for tests that plug cables where they like.
 *
 * The upper side sends packets of numbered flits whenever there is room, and takes what comes. It knows by the
 * numbers what it got of whom, and what of that twice.
 */
#ifndef TB_LINK_END_H
#define TB_LINK_END_H

#include "tb/base/harness.h"
#include "hls/link/lcb.h"

enum { LINK_ENDS = 4 };

struct link_end {
    struct lcb lcb;
    struct lcb_in
        in; /* identity, restart and bus are the test's; the rest is made anew every clock */
    struct rng rng;
    unsigned name;            /* 0 to LINK_ENDS - 1, in every flit */
    bool stopped;             /* sends no more packets */
    bool holds;               /* does not free what comes */
    unsigned left;            /* flits of the packet that is being sent */
    uint64_t sent;            /* flits taken, the number of the next one */
    uint64_t reported;        /* of them */
    uint64_t next[LINK_ENDS]; /* number of the flit that should come next, by sender */
    uint64_t came[LINK_ENDS]; /* flits, each once */
    uint64_t got, twice;
    unsigned held; /* flits that came and are not freed */
    u3 vc[1024];   /* theirs, oldest at first % 1024 */
    u3 coming;     /* VC of the packet that comes */
    uint64_t first;
    unsigned rx_left;
};

/* Reset, with this name and the identity {name + 1, name}. */
void link_end_start(struct link_end *e, unsigned name, uint64_t seed);

/* A reset of both its parts in the middle of anything; names and numbers go on. */
void link_end_reset(struct link_end *e);

/* Inputs of this clock but for the lanes, into e->in. */
void link_end_inputs(struct link_end *e, uint64_t now);

/* What it sends of a lane; to be put into e->in before the clock. */
void link_end_hear(struct link_end *e, const struct lcb *from);

/* One clock; inputs are there. */
void link_end_step(struct link_end *e);

#endif
