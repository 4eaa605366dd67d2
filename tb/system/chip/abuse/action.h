// SPDX-License-Identifier: Apache-2.0
/*
 * action.h - what is done to NICs, each under a name by which it can be switched off.
 */
#ifndef ABUSE_ACTION_H
#define ABUSE_ACTION_H

#include "tb/system/chip/abuse/world.h"

/* One action of an episode, with random numbers of its own: without it the others stay as they are. */
struct deed {
    unsigned action; /* of actions[] */
    uint64_t at, clocks;
    unsigned node, process, cable;
    bool skipped; /* something else was under way there */
    bool begun, ended, over;
    struct rng rng;
};

struct action {
    const char *name, *what;
    bool off;                                       /* unless it is named */
    unsigned most;                                  /* clocks that it lasts, at most */
    bool (*begin)(struct world *w, struct deed *d); /* false: not now */
    void (*end)(struct world *w, struct deed *d);   /* after its clocks; or null */
    bool (*over)(
        struct world *w,
        struct deed *d); /* nothing of it is left; then what it disturbed is not any more */
};

extern const struct action actions[];
extern const unsigned action_count;

#endif
