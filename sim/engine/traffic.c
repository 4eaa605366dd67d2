// SPDX-License-Identifier: Apache-2.0
/*
 * traffic.c - patterns, lengths and modes of packets.
 */
#include "sim/engine/traffic.h"

#include <stdlib.h>

enum { HOT = 8 };

const char *const pattern_names[PATTERNS] = {"uniform",    "neighbour", "complement",
                                             "hotspot",    "anywhere",  "permuted",
                                             "all-to-all", "halo",      "file"};
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

static int by_value(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static unsigned next_group(const struct topology *t, unsigned from, struct sim_random *r)
{
    const unsigned *own =
        bsearch(&t->node[from].global, t->group, t->groups, sizeof *t->group, by_value);
    const unsigned group = t->group[((unsigned)(own - t->group) + 1) % t->groups];
    unsigned to = sim_below(r, t->nodes);
    while (t->node[to].global != group)
        to = sim_below(r, t->nodes);
    return to;
}

unsigned traffic_destination(const struct traffic *f, const struct topology *t, unsigned from,
                             unsigned before, struct sim_random *r)
{
    switch (f->pattern) {
    case PATTERN_ANYWHERE:
        return sim_below(r, t->nodes);
    case PATTERN_ALL_TO_ALL:
        return (from + 1 + before % (t->nodes - 1)) % t->nodes;
    case PATTERN_PERMUTED:
    case PATTERN_HALO:
    case PATTERN_FILE:
        return flows_draw(&f->flows, from, r);
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

/* ---- flows -------------------------------------------------------------------------------------- */

void traffic_fits(enum pattern pattern, const struct topology *t)
{
    if (t->nodes < 2 && pattern >= PATTERN_PERMUTED)
        sim_fail("--pattern %s: %s has one node", pattern_names[pattern], t->name);
    if (t->groups < 2 && pattern == PATTERN_NEIGHBOUR)
        sim_fail("--pattern neighbour: %s has one group, and none next to it", t->name);
}

struct flows traffic_flows(enum pattern pattern, const struct topology *t, uint64_t seed,
                           const char *path)
{
    traffic_fits(pattern, t);
    return pattern == PATTERN_PERMUTED ? flows_permuted(t, seed)
           : pattern == PATTERN_HALO   ? flows_halo(t)
           : pattern == PATTERN_FILE   ? flows_of_file(path, t)
                                       : (struct flows){0};
}

double traffic_share(const struct traffic *f, unsigned node)
{
    return f->flows.share ? f->flows.share[node] : 1;
}

void traffic_receives(const struct traffic *f, const struct topology *t, bool *receives)
{
    for (unsigned n = 0; n < t->nodes; n++)
        receives[n] = !f->flows.first || (f->responds && f->flows.share[n] > 0);
    for (unsigned i = 0; i < flows_count(&f->flows, t); i++)
        receives[f->flows.to[i]] = true;
}
