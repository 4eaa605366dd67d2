// SPDX-License-Identifier: Apache-2.0
/*
 * traffic.h - who sends what to whom.
 */
#ifndef SIM_TRAFFIC_H
#define SIM_TRAFFIC_H

#include "sim/engine/flows.h"

enum pattern {
    PATTERN_UNIFORM,    /* any node of another router */
    PATTERN_NEIGHBOUR,  /* any node of the next group (torus: ring in z, clos: subtree) */
    PATTERN_COMPLEMENT, /* node i to node nodes - 1 - i */
    PATTERN_HOTSPOT,    /* one packet in eight to node 0, the others uniform */
    PATTERN_ANYWHERE,   /* any node, those of the own router too */
    PATTERN_PERMUTED,   /* each node to one other, each from one; drawn with the seed */
    PATTERN_ALL_TO_ALL, /* to all other nodes in turn, each beginning behind itself */
    PATTERN_HALO, /* nodes as a box, as near to a cube as they can: to the six neighbours, across its faces too */
    PATTERN_FILE, /* as a file says */
    PATTERNS
};

enum routing {
    ROUTING_ADAPTIVE,   /* ADAPTIVE0 */
    ROUTING_MINIMAL,    /* MIN_HASH */
    ROUTING_NONMINIMAL, /* NMIN_HASH */
    ROUTING_ORDERED,    /* IN_ORDER */
    ROUTING_SPLIT,      /* requests MIN_HASH, responses ADAPTIVE0 */
    ROUTINGS
};

extern const char *const pattern_names[PATTERNS], *const routing_names[ROUTINGS];

struct traffic {
    enum pattern pattern;
    enum routing routing;
    double
        load; /* flits offered per clock and processor port, 0 to 1; where there are flows: of the busiest node */
    unsigned shortest,
        longest; /* flits of a packet; at least 2, or 1 if the head has room for a tag */
    bool
        responds; /* requests alone are made; each that arrives is answered by a packet of its length */
    struct flows flows; /* of PERMUTED, HALO and FILE */
};

/* Ends the program with one line if a network has no such pattern. */
void traffic_fits(enum pattern pattern, const struct topology *t);

/* Draws or reads the flows of a pattern that has some, to be freed by flows_free(): path is the file of PATTERN_FILE. Ends the program if it
 * cannot. */
struct flows traffic_flows(enum pattern pattern, const struct topology *t, uint64_t seed,
                           const char *path);

/* What a node makes, of what the busiest does: 0 to 1. */
double traffic_share(const struct traffic *f, unsigned node);

/* Which nodes packets are sent to. */
void traffic_receives(const struct traffic *f, const struct topology *t, bool *receives);

/* Destination of a packet of node `from`, which sends; before: how many it has sent. */
unsigned traffic_destination(const struct traffic *f, const struct topology *t, unsigned from,
                             unsigned before, struct sim_random *r);
unsigned traffic_length(const struct traffic *f, struct sim_random *r);
enum mode traffic_mode(const struct traffic *f, unsigned class);

#endif
