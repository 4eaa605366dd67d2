// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_roots.c - non-minimal routes of a dragonfly turn down at routers of the whole system, evenly over all sources; and one
 * router's as evenly as its links allow.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/harness.h"
#include "sim/net/tables.h"
#include "sim/test/fixture.h"

/*
 * Where non-minimal packets turn down: from even sources to even destinations in other groups, each takes a random
 * non-minimal candidate of a random draw for as long as there is one and its phase allows. Counted for each first
 * link's kind, by router and by how many groups on from the source's.
 */
enum { KINDS = 8, ROOTS = 600, PACKETS = 20000 };

struct roots {
    uint64_t packets[KINDS], router[KINDS][ROOTS], group[KINDS][ROOTS];
    uint64_t wrong; /* turned down in the source's or the destination's group */
    unsigned groups;
};

/* A non-minimal candidate as route takes it from idle links, or false. */
static bool draw_candidate(const struct tables *tables, struct question *q, struct rng *rng,
                           struct candidate *candidate)
{
    uint64_t words[MACHINE_DRAWS];
    struct candidate pair[MACHINE_CANDIDATES];
    tables_entries(tables, q, words);
    tables->topology->machine->unpack_entry(words[rng_below(rng, MACHINE_DRAWS)], pair);
    const unsigned first = rng_below(rng, MACHINE_CANDIDATES);
    *candidate = pair[first].valid ? pair[first] : pair[!first];
    return candidate->valid;
}

/* Follows a packet up; the kind of its first link in `kind`. */
static unsigned root_of(const struct tables *tables, struct question q, struct rng *rng,
                        unsigned *kind)
{
    const struct topology *t = tables->topology;
    unsigned vc = t->first_vc[0], phase = 0;
    struct candidate candidate;
    *kind = PORT_UNUSED;
    while (!(phase & 1) && t->here[q.router].global != q.index &&
           draw_candidate(tables, &q, rng, &candidate)) {
        const unsigned port =
            (unsigned)__builtin_ctz(candidate.rows) * t->machine->cols + candidate.col;
        const struct port *out = &t->ports[q.router][port];
        const struct hop hop = t->machine->unpack_hop(tables_map(
            tables, q.router, q.port, t->machine->hop_at(true, candidate.type, vc, phase)));
        *kind = *kind == PORT_UNUSED ? out->kind : *kind;
        vc = hop.vc;
        phase = hop.phase;
        q.router = (unsigned)out->router;
        q.port = out->port;
    }
    return q.router;
}

static void draw_root(const struct tables *tables, struct roots *roots, struct rng *rng)
{
    const struct topology *t = tables->topology;
    struct question q = {.nonminimal = true};
    do {
        q.router = rng_below(rng, t->routers);
        q.port = rng_below(rng, t->machine->ports);
    } while (t->ports[q.router][q.port].kind != PORT_PROCESSOR);
    const unsigned from = t->here[q.router].global;
    q.index = (from + 1 + rng_below(rng, roots->groups - 1)) % roots->groups;

    unsigned kind;
    const unsigned root = root_of(tables, q, rng, &kind), global = t->here[root].global;
    roots->wrong += global == from || global == q.index;
    roots->packets[kind]++;
    roots->router[kind][root]++;
    roots->group[kind][(global + roots->groups - from) % roots->groups]++;
}

/* How many standard deviations a chi-square of n even counts is off (Wilson and Hilferty). */
static double uneven(const uint64_t *count, unsigned n)
{
    const double freedom = n - 1, v = 2 / (9 * freedom);
    double sum = 0, chi = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (double)count[i];
    for (unsigned i = 0; i < n; i++)
        chi += ((double)count[i] - sum / n) * ((double)count[i] - sum / n) / (sum / n);
    return (cbrt(chi / freedom) - (1 - v)) / sqrt(v);
}

static void even_roots(const char *name, uint64_t seed)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    static struct roots roots;
    roots = (struct roots){.groups = topo_indices(t, false)};
    struct rng rng;
    rng_seed(&rng, seed);
    for (unsigned i = 0; i < PACKETS; i++)
        draw_root(&tables, &roots, &rng);
    tap_why("%" PRIu64 " of %d in the source's or the destination's group", roots.wrong, PACKETS);
    tap_ok(roots.wrong == 0, "%s: non-minimal packets turn down in a third group", name);
    for (unsigned kind = PORT_LINK; kind < KINDS; kind++) {
        if (roots.packets[kind] == 0)
            continue;
        const double by_router = uneven(roots.router[kind], t->routers);
        const double by_group = uneven(roots.group[kind] + 1, roots.groups - 1);
        tap_why("routers %.2f, groups %.2f standard deviations off", by_router, by_group);
        tap_ok(by_router < 5 && by_group < 5,
               "%s: behind a first %s link roots are even over routers and groups", name,
               t->kinds[kind]);
    }
    topo_free(t);
}

/*
 * One router's packets alone, whatever it draws: where they turn down by all slots of all tables on their way, and where they would if
 * each tile took each of its candidates as often; their groups must be the same to a quarter of each.
 */
enum { WAYS = MACHINE_DRAWS * MACHINE_CANDIDATES };

static unsigned ways_of(const struct topology *t, const struct question *q, bool drawn,
                        struct candidate way[TOPO_CANDIDATES])
{
    struct candidate_list list = {0};
    uint64_t words[MACHINE_DRAWS];
    t->candidates(t, q, &list);
    memcpy(way, list.candidate, sizeof list.candidate);
    if (!drawn || list.count == 0)
        return list.count;
    topo_entries(t, q, words);
    for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++) {
        struct candidate *pair = &way[draw * MACHINE_CANDIDATES];
        t->machine->unpack_entry(words[draw], pair);
        pair[1] = pair[1].valid ? pair[1] : pair[0];
    }
    return WAYS;
}

static void share_roots(const struct topology *t, struct question q, struct hop with, double share,
                        bool drawn, double *groups)
{
    struct candidate way[TOPO_CANDIDATES];
    const unsigned group = t->here[q.router].global;
    const unsigned ways = with.phase & 1 || group == q.index ? 0 : ways_of(t, &q, drawn, way);
    if (ways == 0)
        groups[group] += share;
    for (unsigned i = 0; i < ways; i++) {
        const unsigned port = (unsigned)__builtin_ctz(way[i].rows) * t->machine->cols + way[i].col;
        struct question next = q;
        next.router = (unsigned)t->ports[q.router][port].router;
        next.port = t->ports[q.router][port].port;
        share_roots(t, next, t->hop(t, q.router, q.port, true, way[i].type, with.vc, with.phase),
                    share / ways, drawn, groups);
    }
}

static void roots_of_one(const char *name, uint64_t seed)
{
    struct topology *t = build(name);
    const unsigned groups = topo_indices(t, false), router = (unsigned)(seed % t->routers);
    const unsigned next = t->here[router].global + 1;
    double by_draws[ROOTS] = {0}, even[ROOTS] = {0}, off = 0;
    struct question q = {.router = router, .nonminimal = true};
    for (q.port = 0; q.port < t->machine->ports; q.port++)
        for (q.index = 0; q.index < groups; q.index++) {
            if (t->ports[router][q.port].kind != PORT_PROCESSOR ||
                q.index == t->here[router].global)
                continue;
            share_roots(t, q, (struct hop){t->first_vc[0], 0}, 1, true, by_draws);
            share_roots(t, q, (struct hop){t->first_vc[0], 0}, 1, false, even);
        }
    for (unsigned g = 0; g < groups; g++)
        off = even[g] > 0 ? fmax(off, fabs(by_draws[g] / even[g] - 1)) : off;
    tap_why("router %u: up to %.2f off", router, off);
    tap_ok(off < 0.25 && even[next < groups ? next : 0] > 0,
           "%s: where one router's packets turn down is as if each tile took all its ways alike",
           name);
    topo_free(t);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    even_roots("dragonfly:9x1x4x2", seed);
    even_roots("dragonfly:33x1x8x4", seed);
    even_roots("dragonfly:9x2x4x1", seed);
    even_roots("dragonfly:5x2x4x3", seed);
    even_roots("dragonfly:6x6x16", seed);
    roots_of_one("dragonfly:9x1x4x2", seed);
    roots_of_one("dragonfly16:33x1x8x4", seed);
    roots_of_one("dragonfly:9x2x4x1", seed);
    roots_of_one("dragonfly:5x2x4x3", seed);
    return tap_done();
}
