// SPDX-License-Identifier: Apache-2.0
/*
 * links.h - what the supervisor knows of links, and does to them, by their registers.
 *
 * With link control blocks: STATUS of one port of every router is asked for, and read when the next port is asked for, some ten clocks
 * later; a bus that has not answered by then is that of a dead router. LIMITS is written once: how often and how long a block that was in
 * use tries before it is dead. A dead block waits for a restart, which it gets when lanes come up again. One that has never been in use
 * since its restart tries for ever, and its router sends packets to it: it is killed when that takes too long.
 *
 * Where a controller reaches chips by AXI4-Lite (gemini), their supervisors' UP and DEAD tell the state of all links at once, RESTART brings
 * them back; of the links themselves LIMITS is written, CONTROL kills, and STATUS says whether a dead one has lanes.
 *
 * Without, a hook of the simulation (faults.h) says the same.
 */
#ifndef SIM_FAILOVER_LINKS_H
#define SIM_FAILOVER_LINKS_H

#include "sim/failover/faults.h"

/* Bring-ups until a link is dead, and clocks of each; after a reset 8 and 4096. */
struct link_limits {
    unsigned retry, train;
};

struct links {
    struct network *network;
    const struct topology *whole;
    bool blocks; /* with link control blocks */
    struct link_limits limits;
    uint64_t asked;           /* clock of the last requests, */
    int port;                 /* for this port; -1: none */
    struct link_known *known; /* [router][MACHINE_PORTS] */
    struct chip_known *chip;  /* [router], where chips have supervisors of their own; else NULL */
};

/* limits: of link control blocks, if there are. */
void links_begin(struct links *l, struct network *n, const struct topology *whole,
                 struct link_limits limits);
void links_free(struct links *l);

/* Clocks after which a link that tries has got nowhere. */
uint64_t links_patience(const struct links *l);

/* Asks for the status of all links at this port, but of routers that are known to be dead. */
void links_ask(struct links *l, unsigned port, const bool *dead_router);

/* What it says: as it was asked for, or when it was read last. */
enum link_state links_state(struct links *l, unsigned router, unsigned port);

/* Restarts or kills a link whose state has just been read, where that is due. may: it may be restarted. */
void links_tend(struct links *l, unsigned router, unsigned port, bool may);

/* A living router has a link that is silent or tries again, as far as is known, but for those of `except` (NULL: none). */
bool links_try(const struct links *l, const bool *dead_router, const bool *except);

/* A router was replaced: its links are held down until it is written. */
void links_replaced(struct links *l, unsigned router);

/* Deaths that the blocks of living routers have counted. Runs the network while it asks. */
uint64_t links_deaths(struct links *l, const bool *dead_router);

#endif
