// SPDX-License-Identifier: Apache-2.0
/*
 * supervisor.h - the supervisor of a network: finds what is dead, computes tables around it, writes them.
 *
 * It knows the network as it was built and sees of the living one what a supervisor can: status registers of links (links.h), counters, and
 * the clock of the last heartbeat that each router's node has sent to its own, in band, on the network that it
 * watches. It does nothing but write routing memories over the register bus of each router, restart and kill links by their registers,
 * tell nodes to make no packets for a while, and which nodes are down.
 *
 *     watch ── something is dead, and a whole round of all links brought no more ──► enough ways left? ── yes ──► watch
 *                                                                                         no
 *     watch ◄── resume ◄── write what differs ◄── new tables, no cycles ◄── counters stand still ◄── hold
 */
#ifndef SIM_FAILOVER_SUPERVISOR_H
#define SIM_FAILOVER_SUPERVISOR_H

#include "sim/failover/degraded.h"
#include "sim/failover/links.h"

enum supervisor_state { SUPERVISOR_WATCHES, SUPERVISOR_HOLDS, SUPERVISOR_WRITES };

/* Clocks of the last time that something happened; 0: it has not. */
struct supervisor_times {
    uint64_t detected; /* all that is dead is known */
    uint64_t held, quiet, resumed;
};

struct supervisor {
    struct network *network;
    const struct topology *whole;
    struct degraded *tables; /* those that are installed; NULL: of the whole network */
    struct links links;
    unsigned home; /* the router whose node takes the heartbeats */
    unsigned bias;
    enum supervisor_state state;
    bool *dead_link;   /* [router][MACHINE_PORTS], as it has been read */
    bool *dead_router; /* by what is missing of it */
    bool *fresh;       /* replaced, and nothing written yet */
    bool *down;        /* nodes */
    unsigned again;    /* routers that were written again, because their heartbeats stopped */
    uint64_t *beat;    /* clock of the last heartbeat */
    unsigned chassis;  /* routers of one */
    uint64_t round,
        whole_round;       /* when the round over all links that runs began, and the one before */
    uint64_t news, beaten; /* clocks of the last news, the last heartbeats */
    uint64_t unsettled;    /* clock of the first news that has not been acted upon */
    uint64_t judged;       /* the news by which it was last asked what is lost */
    bool plugs;            /* a new router is being written, or its links come up */
    struct degraded *
        *holds;     /* [router] the tables that its memories hold; NULL: of the whole network */
    uint64_t *busy; /* clock at which a router's bus had requests to answer */
    unsigned next_port;
    uint64_t *counted; /* flits by router, of the sweep before */
    unsigned sweeps;
    uint64_t asked; /* clock of this sweep */
    uint64_t moved,
        tried; /* clocks between sweeps that differ; or do not, while links try; since nodes are held */
    unsigned restless; /* times that tables were written although packets still moved */
    struct supervisor_times times;
    unsigned routers_lost, chassis_lost, groups_lost, given_up, words; /* found; words written */
    uint64_t cycles;          /* of the tables last checked */
    char error[TABLES_ERROR]; /* empty: none */
};

/*
 * home: where heartbeats go at first; when it is lost the next that is left; chassis: routers of one, which have numbers in a row;
 * limits: of link control blocks, if the network has them.
 */
void supervisor_begin(struct supervisor *s, struct network *n, const struct topology *whole,
                      unsigned home, unsigned chassis, unsigned bias, struct link_limits limits);
void supervisor_free(struct supervisor *s);

/* To be called between two runs of the network, of at most 10 clocks each. False if it cannot go on: s->error; nodes are not held then. */
bool supervisor_step(struct supervisor *s);

/* A router that is new, and none of its links is up: nothing goes through it, and nothing has to wait for it. */
bool supervisor_apart(const struct supervisor *s, unsigned router);

/* A living router has requests to answer. */
bool supervisor_busy(const struct supervisor *s);

/* Packets that the routers which live say they have dropped. Runs the network while it asks. */
uint64_t supervisor_dropped(struct supervisor *s);

/* These routers have been replaced: they are written, then their links restarted, then they have their place in new tables. */
void supervisor_replaced(struct supervisor *s, const bool *routers);

#endif
