// SPDX-License-Identifier: Apache-2.0
/*
 * degraded.h - a dragonfly of which parts are dead, with routes around them.
 *
 * A candidate counts if its link lives and the router behind it can go on by candidates of its own. Where none is left a
 * packet makes a detour: one link to any router that has a regular way, at most once in the group where it begins (by a third group, too) and once
 * where it ends. The way up ends with the global link, so that levels of VCs are left for this; within a level kinds of
 * links still only rise.
 */
#ifndef SIM_FAILOVER_DEGRADED_H
#define SIM_FAILOVER_DEGRADED_H

#include "sim/tables.h"

struct degraded {
    struct topology
        topology; /* first: ports that are dead are unused, nodes that are gone are not listed */
    const struct topology *whole;
    bool *gone; /* routers: dead, or given up because not all others reach them */
    unsigned given_up;
    unsigned globals, locals;
    /* Memory of what has been asked: by router, port and destination. */
    uint8_t *local, *global;
};

/* dead_link: [router][MACHINE_PORTS], either end; keep: a router that is not given up. NULL if nothing is left of the network. */
struct degraded *degraded_new(const struct topology *whole, const bool *dead_router,
                              const bool *dead_link, unsigned keep);
void degraded_free(struct degraded *d);

#endif
