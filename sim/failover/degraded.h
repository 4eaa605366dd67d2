// SPDX-License-Identifier: Apache-2.0
/*
 * degraded.h - a network of which parts are dead, with routes around them: of a dragonfly; plain.h has those of others.
 *
 * A candidate counts if its link lives and the router behind it can go on by candidates of its own. Where none is left a
 * packet makes a detour: in the group where it begins by links to routers that have a regular way, or on to any third group; in a group that is
 * hurt, where it ends, by one link.
 *
 * Levels of VCs suffice because the way up ends with the global link and because to a group that is hurt, which is one that not all get
 * to otherwise, packets go minimally without a detour before: detours and the way up take one level, the group where a packet ends one, or two if
 * it is hurt, its processor one. Within a level kinds of links only rise.
 */
#ifndef SIM_FAILOVER_DEGRADED_H
#define SIM_FAILOVER_DEGRADED_H

#include "sim/net/tables.h"

struct degraded {
    struct topology
        topology; /* first: ports that are dead are unused, nodes that are gone are not listed */
    const struct topology *whole;
    bool *gone; /* routers: dead, or given up because not all others reach them */
    bool *hurt; /* groups */
    unsigned given_up;
    unsigned globals, locals;
    /* Memory of what has been asked: by router, port and destination. */
    uint8_t *local, *global;
};

/* dead_link: [router][MACHINE_PORTS], either end. Of a network in parts the largest is kept. NULL if nothing is left. */
struct degraded *degraded_new(const struct topology *whole, const bool *dead_router,
                              const bool *dead_link);
void degraded_free(struct degraded *d);

#endif
