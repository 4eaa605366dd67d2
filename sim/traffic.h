// SPDX-License-Identifier: Apache-2.0
/*
 * traffic.h - who sends what to whom.
 */
#ifndef SIM_TRAFFIC_H
#define SIM_TRAFFIC_H

#include "topology.h"
#include "util.h"

enum pattern {
    PATTERN_UNIFORM,    /* any node of another router */
    PATTERN_NEIGHBOUR,  /* any node of the next group (torus: ring in z, clos: subtree) */
    PATTERN_COMPLEMENT, /* node i to node nodes - 1 - i */
    PATTERN_HOTSPOT,    /* one packet in eight to node 0, the others uniform */
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
    double load;                /* flits offered per clock and processor port, 0 to 1 */
    unsigned shortest, longest; /* flits of a packet; at least 2 */
};

/* Destination of a packet of node `from`. */
unsigned traffic_destination(const struct traffic *f, const struct topology *t, unsigned from,
                             struct sim_random *r);
unsigned traffic_length(const struct traffic *f, struct sim_random *r);
enum mode traffic_mode(const struct traffic *f, unsigned class);

#endif
