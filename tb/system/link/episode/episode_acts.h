// SPDX-License-Identifier: Apache-2.0
/*
 * episode_acts.h - the disorder of an episode: what is drawn for it and what may happen in it.
 */
#ifndef TB_EPISODE_ACTS_H
#define TB_EPISODE_ACTS_H

#include "tb/system/link/episode/episode_bench.h"

struct episode {
    struct episode_bench bench;
    struct rng rng;
    struct channel_config cable[EPISODE_ENDS]; /* as they are when they are good */
    unsigned peer;                             /* whom end 0 is joined with */
    unsigned keeper;             /* clocks between two looks of management, 0: it does not look */
    bool scribbled;              /* registers of ends do not hold what management wants */
    bool shares_scribbled;       /* nor what an input queue has, so that it may have been overrun */
    bool nameless;               /* ends have no identity */
    bool confused;               /* and one heard itself or another peer: they cannot tell */
    bool saying;                 /* what happens, line by line */
    unsigned said[EPISODE_ENDS]; /* the state that was reported last */
    uint64_t resets, restarts;
};

/* Draws the ends, their traffic and cables, and powers up. */
void episode_begin(struct episode *ep, uint64_t seed);

/* Some of what may happen, drawn. */
void episode_disorder(struct episode *ep);

/* Good cables and queues again, and the registers as management wants them. */
void episode_mend(struct episode *ep);

/* Runs while management looks after dead links. */
void episode_go(struct episode *ep, uint64_t clocks);

#endif
