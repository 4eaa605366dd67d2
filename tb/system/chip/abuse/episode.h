// SPDX-License-Identifier: Apache-2.0
/*
 * episode.h - an episode: traffic of all processes, one to four actions in it, then rest, in which all must end well.
 *
 * Episodes are numbered. CHAIN of them follow each other in one world, which begins anew before each that is a multiple of
 * CHAIN, and after one that found something; so any of them is repeated by running those of its chain before it.
 */
#ifndef ABUSE_EPISODE_H
#define ABUSE_EPISODE_H

#include "tb/system/chip/abuse/action.h"
#include "tb/system/chip/abuse/trace.h"

enum { CHAIN = 8, DEEDS = 4, ACTIVE = 9000 };

struct episode_config {
    uint64_t seed;
    uint64_t on;      /* actions, a bit each */
    unsigned without; /* of the episode `only_number`: deeds that are left out, a bit each */
    uint64_t only_number;
    bool all;            /* the log has each transaction */
    struct trace *trace; /* of that episode, or null */
};

struct episode {
    uint64_t number;
    unsigned deeds;
    struct deed deed[DEEDS];
    struct verdict verdict;
    uint64_t clocks;
};

/* The next episode of a world, whose chain has come so far. */
void episode_run(struct world *w, const struct episode_config *c, uint64_t number, bool loud,
                 struct episode *e);
/* The same, with all of its chain before it. */
void episode_repeat(struct world *w, const struct episode_config *c, uint64_t number, bool loud,
                    struct episode *e);

#endif
