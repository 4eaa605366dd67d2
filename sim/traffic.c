// SPDX-License-Identifier: Apache-2.0
/*
 * traffic.c - patterns, lengths and modes of packets.
 */
#include "traffic.h"

enum { HOT = 8 };

const char *const pattern_names[PATTERNS] = {"uniform", "neighbour", "complement", "hotspot"};
const char *const routing_names[ROUTINGS] = {"adaptive", "minimal", "nonminimal", "ordered",
                                             "split"};

/* Nodes of a router, and routers of a group, have numbers in a row. */
static unsigned uniform(const struct topology *t, unsigned from, struct sim_random *r)
{
    const unsigned router = t->node[from].router;
    unsigned to = sim_below(r, t->nodes);
    if (t->node[0].router == t->node[t->nodes - 1].router)
        return to;
    while (t->node[to].router == router)
        to = sim_below(r, t->nodes);
    return to;
}

static unsigned next_group(const struct topology *t, unsigned from, struct sim_random *r)
{
    const unsigned groups = topo_indices(t, false), group = (t->node[from].global + 1) % groups;
    if (groups == 1)
        return uniform(t, from, r);
    unsigned to = sim_below(r, t->nodes);
    while (t->node[to].global != group)
        to = sim_below(r, t->nodes);
    return to;
}

unsigned traffic_destination(const struct traffic *f, const struct topology *t, unsigned from,
                             struct sim_random *r)
{
    switch (f->pattern) {
    case PATTERN_NEIGHBOUR:
        return next_group(t, from, r);
    case PATTERN_COMPLEMENT:
        return t->nodes - 1 - from;
    case PATTERN_HOTSPOT:
        return sim_below(r, HOT) == 0 ? 0 : uniform(t, from, r);
    case PATTERN_UNIFORM:
    case PATTERNS:
        break;
    }
    return uniform(t, from, r);
}

unsigned traffic_length(const struct traffic *f, struct sim_random *r)
{
    return f->shortest + sim_below(r, f->longest - f->shortest + 1);
}

enum mode traffic_mode(const struct traffic *f, unsigned class)
{
    static const enum mode mode[ROUTINGS] = {
        [ROUTING_ADAPTIVE] = MODE_OF_ADAPTIVE,     [ROUTING_MINIMAL] = MODE_OF_MINIMAL,
        [ROUTING_NONMINIMAL] = MODE_OF_NONMINIMAL, [ROUTING_ORDERED] = MODE_OF_ORDERED,
        [ROUTING_SPLIT] = MODE_OF_MINIMAL,
    };
    return f->routing == ROUTING_SPLIT && class == 1 ? MODE_OF_ADAPTIVE : mode[f->routing];
}
