// SPDX-License-Identifier: Apache-2.0
/*
 * degraded.c - candidates of a dragonfly around its dead parts.
 */
#include "sim/failover/degraded.h"

#include "sim/failover/plain.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

enum { UNKNOWN, NO, YES };

/* Where a packet may be: in the input queue of a port. */
struct place {
    unsigned router, port;
};

static struct place behind(const struct degraded *d, struct place at, unsigned port)
{
    const struct port *link = &d->topology.ports[at.router][port];
    return (struct place){(unsigned)link->router, link->port};
}

static unsigned group_of(const struct degraded *d, unsigned router)
{
    return d->topology.here[router].global;
}

static bool links(const struct degraded *d, unsigned router, unsigned port)
{
    return d->topology.ports[router][port].router != TOPO_NOBODY;
}

/* A packet is at its first router here, or the first of its group. */
static bool enters(const struct degraded *d, struct place at)
{
    const struct port *port = &d->topology.ports[at.router][at.port];
    return port->kind == PORT_PROCESSOR ||
           (port->router != TOPO_NOBODY &&
            group_of(d, (unsigned)port->router) != group_of(d, at.router));
}

static unsigned port_of(const struct degraded *d, const struct candidate *c)
{
    return (unsigned)__builtin_ctz(c->rows) * d->topology.machine->cols + c->col;
}

static struct question ask(struct place at, bool local, unsigned index)
{
    return (struct question){.router = at.router, .port = at.port, .local = local, .index = index};
}

/* ---- who gets where ---------------------------------------------------------------------------- */

static bool local_regular(const struct degraded *d, struct place at, unsigned index);
static bool way(const struct degraded *d, struct place at, bool local, unsigned index);
static bool local_way(const struct degraded *d, struct place at, unsigned index);
static bool global_regular(const struct degraded *d, struct place at, unsigned index);

/* Every router that is left of a group is reached from here. */
static bool all_of_group(const struct degraded *d, struct place at)
{
    const unsigned group = group_of(d, at.router);
    for (unsigned r = 0; r < d->topology.routers; r++)
        if (group_of(d, r) == group && !d->gone[r] && !local_way(d, at, d->topology.here[r].local))
            return false;
    return true;
}

/* Whether a candidate leads to where the packet can go on without a detour (but for one at the end). */
static bool goes_on(const struct degraded *d, struct place at, unsigned port, bool local,
                    unsigned index)
{
    if (!links(d, at.router, port))
        return false;
    const struct place next = behind(d, at, port);
    if (d->gone[next.router])
        return false;
    return local                               ? local_regular(d, next, index)
           : group_of(d, next.router) == index ? all_of_group(d, next)
                                               : global_regular(d, next, index);
}

static bool regular(const struct degraded *d, struct place at, bool local, unsigned index)
{
    struct candidate_list list = {0};
    const struct question q = ask(at, local, index);
    d->whole->candidates(&d->topology, &q, &list);
    for (unsigned i = 0; i < list.count; i++)
        if (goes_on(d, at, port_of(d, &list.candidate[i]), local, index))
            return true;
    return false;
}

static bool remembered(const struct degraded *d, struct place at, bool local, unsigned index)
{
    const unsigned indices = local ? d->locals : d->globals;
    uint8_t *memory = (local ? d->local : d->global) +
                      ((size_t)at.router * MACHINE_PORTS + at.port) * indices + index;
    if (*memory == UNKNOWN) {
        *memory = NO; /* while we look: nothing leads back here */
        *memory = regular(d, at, local, index) ? YES : NO;
    }
    return *memory == YES;
}

static bool local_regular(const struct degraded *d, struct place at, unsigned index)
{
    return d->topology.here[at.router].local == index || remembered(d, at, true, index);
}

static bool global_regular(const struct degraded *d, struct place at, unsigned index)
{
    return remembered(d, at, false, index);
}

/* In the group where a packet begins, and in a hurt one where it ends. */
static bool may_detour(const struct degraded *d, struct place at)
{
    return enters(d, at) && (d->hurt[group_of(d, at.router)] ||
                             d->topology.ports[at.router][at.port].kind == PORT_PROCESSOR);
}

static unsigned kind_of(const struct degraded *d, unsigned router, unsigned port)
{
    return d->topology.ports[router][port].kind;
}

/*
 * A link by which a detour goes. To a router of the group: to where it regularly goes on. To another group: the same, or on, by kinds of
 * links that only rise, to any third group.
 */
static bool detour(const struct degraded *d, struct place at, unsigned port, bool local,
                   unsigned index)
{
    if (port == at.port || !links(d, at.router, port))
        return false;
    const struct place next = behind(d, at, port);
    const bool stays = group_of(d, next.router) == group_of(d, at.router);
    if (local)
        return stays && may_detour(d, at) && goes_on(d, at, port, true, index);
    if (d->hurt[index] || kind_of(d, at.router, port) <= kind_of(d, at.router, at.port))
        return false;
    return goes_on(d, at, port, false, index) ||
           (stays && !d->gone[next.router] && way(d, next, false, index));
}

static bool way(const struct degraded *d, struct place at, bool local, unsigned index)
{
    if (local ? local_regular(d, at, index) : global_regular(d, at, index))
        return true;
    for (unsigned p = 0; p < d->topology.machine->ports; p++)
        if (detour(d, at, p, local, index))
            return true;
    return false;
}

static bool local_way(const struct degraded *d, struct place at, unsigned index)
{
    return way(d, at, true, index);
}

/* ---- tables ------------------------------------------------------------------------------------ */

static void add_detours(const struct degraded *d, const struct question *q,
                        struct candidate_list *list)
{
    const struct place at = {q->router, q->port};
    for (unsigned p = 0; p < d->topology.machine->ports; p++)
        if (detour(d, at, p, q->local, q->index))
            topo_add_ports(&d->topology, list, UINT64_C(1) << p,
                           d->topology.ports[q->router][p].kind - PORT_PROCESSOR);
}

static void candidates(const struct topology *t, const struct question *q,
                       struct candidate_list *list)
{
    const struct degraded *d = (const struct degraded *)t;
    const struct place at = {q->router, q->port};
    struct candidate_list all = {0};
    if (d->gone[q->router] || q->index >= (q->local ? d->locals : d->globals))
        return;
    d->whole->candidates(t, q, &all);
    if (q->local && q->index == t->here[q->router].local) {
        *list = all;
        return;
    }
    if (q->nonminimal && !q->local &&
        (d->hurt[q->index] || (enters(d, at) && links(d, q->router, q->port))))
        return;
    for (unsigned i = 0; i < all.count; i++)
        if (goes_on(d, at, port_of(d, &all.candidate[i]), q->local, q->index))
            list->candidate[list->count++] = all.candidate[i];
    if (list->count == 0 && !q->nonminimal)
        add_detours(d, q, list);
}

/* ---- making ------------------------------------------------------------------------------------ */

static void forget(struct degraded *d)
{
    const size_t tiles = (size_t)d->topology.routers * MACHINE_PORTS;
    memset(d->local, UNKNOWN, tiles * d->locals);
    memset(d->global, UNKNOWN, tiles * d->globals);
}

/* Its ports end at nobody, and nobody's at it. */
static void take_out(struct degraded *d, unsigned router)
{
    struct port(*ports)[MACHINE_PORTS] = d->topology.ports;
    for (unsigned p = 0; p < d->topology.machine->ports; p++) {
        if (links(d, router, p)) {
            const struct place peer = behind(d, (struct place){router, 0}, p);
            ports[peer.router][peer.port] = (struct port){.router = TOPO_NOBODY};
        }
        ports[router][p] = (struct port){.router = TOPO_NOBODY};
    }
    d->gone[router] = true;
}

static unsigned first_processor(const struct topology *t, unsigned router)
{
    unsigned port = 0;
    while (port < t->machine->ports && t->ports[router][port].kind != PORT_PROCESSOR)
        port++;
    return port;
}

/* A group that a router does not get to: whom of it the links into it do not reach. */
static void blame_group(struct degraded *d, unsigned group, unsigned *blame)
{
    for (unsigned r = 0; r < d->topology.routers; r++)
        for (unsigned p = 0; p < d->topology.machine->ports && group_of(d, r) == group; p++) {
            const struct place at = {r, p};
            if (!links(d, r, p) || !enters(d, at))
                continue;
            for (unsigned b = 0; b < d->topology.routers; b++)
                blame[b] += group_of(d, b) == group && !d->gone[b] &&
                            !local_way(d, at, d->topology.here[b].local);
        }
}

/* Counts for each router how often it is an end of a pair that does not meet; the sum. */
static unsigned blame_all(struct degraded *d, unsigned *blame)
{
    const struct topology *t = &d->topology;
    unsigned sum = 0;
    bool *groups = sim_alloc(d->globals, sizeof *groups),
         *left = sim_alloc(d->globals, sizeof *left);
    for (unsigned r = 0; r < t->routers; r++)
        left[group_of(d, r)] |= !d->gone[r];
    for (unsigned r = 0; r < t->routers; r++) {
        const struct place at = {r, first_processor(t, r)};
        if (d->gone[r])
            continue;
        for (unsigned b = 0; b < t->routers; b++)
            if (b != r && !d->gone[b] && group_of(d, b) == group_of(d, r) &&
                !local_way(d, at, t->here[b].local)) {
                blame[r]++;
                blame[b]++;
                sum++;
            }
        for (unsigned g = 0; g < d->globals; g++)
            if (g != group_of(d, r) && left[g] && !way(d, at, false, g)) {
                groups[g] = true;
                blame[r]++;
                sum++;
            }
    }
    for (unsigned g = 0; g < d->globals; g++)
        if (groups[g])
            blame_group(d, g, blame);
    free(groups);
    free(left);
    return sum;
}

/* Routers of other groups that do not get to this one. */
static unsigned cut_off(struct degraded *d, unsigned group)
{
    unsigned count = 0;
    for (unsigned r = 0; r < d->topology.routers; r++) {
        const struct place at = {r, first_processor(&d->topology, r)};
        count += !d->gone[r] && group_of(d, r) != group && !way(d, at, false, group);
    }
    return count;
}

/* A group that some do not get to is treated as hurt if more do then. */
static void find_hurt(struct degraded *d)
{
    memset(d->hurt, false, d->globals * sizeof *d->hurt);
    forget(d);
    for (unsigned g = 0; g < d->globals; g++) {
        const unsigned without = cut_off(d, g);
        if (without == 0)
            continue;
        d->hurt[g] = true;
        forget(d);
        if (cut_off(d, g) < without)
            continue;
        d->hurt[g] = false;
        forget(d);
    }
}

static void give_up(struct degraded *d, unsigned router)
{
    take_out(d, router);
    d->given_up++;
}

/* Writes the number of a part of the network at every router that one of it is linked with; how many they are. */
static unsigned spread(const struct degraded *d, unsigned from, unsigned number, unsigned *part,
                       unsigned *queue)
{
    unsigned count = 0;
    queue[count++] = from;
    part[from] = number;
    for (unsigned i = 0; i < count; i++)
        for (unsigned p = 0; p < d->topology.machine->ports; p++) {
            if (!links(d, queue[i], p))
                continue;
            const unsigned next = behind(d, (struct place){queue[i], 0}, p).router;
            if (part[next] == 0) {
                part[next] = number;
                queue[count++] = next;
            }
        }
    return count;
}

/* Of a network that is cut in parts the largest stays. */
static void keep_largest(struct degraded *d)
{
    const unsigned routers = d->topology.routers;
    unsigned *part = sim_alloc(routers, sizeof *part), *queue = sim_alloc(routers, sizeof *queue);
    unsigned number = 0, best = 0, most = 0;
    for (unsigned r = 0; r < routers; r++) {
        if (d->gone[r] || part[r] != 0)
            continue;
        const unsigned count = spread(d, r, ++number, part, queue);
        if (count > most) {
            most = count;
            best = number;
        }
    }
    for (unsigned r = 0; r < routers; r++)
        if (!d->gone[r] && part[r] != best)
            give_up(d, r);
    free(part);
    free(queue);
}

static unsigned blame_everybody(struct degraded *d, unsigned *blame)
{
    if (plain_is(d->whole)) {
        forget(d);
        return plain_blame(d, blame);
    }
    find_hurt(d);
    return blame_all(d, blame);
}

/* Gives up routers, the most lonely first, until all others meet; false if nobody is left. */
static bool settle(struct degraded *d)
{
    const unsigned routers = d->topology.routers;
    unsigned *blame = sim_alloc(routers, sizeof *blame), worst = 0;
    keep_largest(d);
    while (worst < routers) {
        memset(blame, 0, routers * sizeof *blame);
        if (blame_everybody(d, blame) == 0)
            break;
        worst = routers;
        for (unsigned r = 0; r < routers; r++)
            if (!d->gone[r] && (worst == routers || blame[r] >= blame[worst]))
                worst = r;
        if (worst < routers)
            give_up(d, worst);
    }
    free(blame);
    for (unsigned r = 0; r < routers; r++)
        if (!d->gone[r])
            return true;
    return false;
}

/* Nodes of routers that are left. */
static void list_nodes(struct degraded *d)
{
    struct topology *t = &d->topology;
    t->node = sim_alloc(d->whole->nodes, sizeof *t->node);
    t->nodes = 0;
    for (unsigned n = 0; n < d->whole->nodes; n++)
        if (!d->gone[d->whole->node[n].router])
            t->node[t->nodes++] = d->whole->node[n];
}

struct degraded *degraded_new(const struct topology *whole, const bool *dead_router,
                              const bool *dead_link)
{
    struct degraded *d = sim_alloc(1, sizeof *d);
    const size_t tiles = (size_t)whole->routers * MACHINE_PORTS;
    d->whole = whole;
    d->topology = *whole;
    d->topology.ports = sim_alloc(whole->routers, sizeof *whole->ports);
    memcpy(d->topology.ports, whole->ports, whole->routers * sizeof *whole->ports);
    d->topology.candidates = plain_is(whole) ? plain_candidates : candidates;
    d->gone = sim_alloc(whole->routers, sizeof *d->gone);
    d->globals = plain_is(whole) ? whole->routers : topo_indices(whole, false);
    d->hurt = sim_alloc(d->globals, sizeof *d->hurt);
    d->locals = topo_indices(whole, true);
    d->local = sim_alloc(tiles, d->locals);
    d->global = sim_alloc(tiles, d->globals);
    for (size_t i = 0; i < tiles; i++) {
        const unsigned r = (unsigned)(i / MACHINE_PORTS), p = (unsigned)(i % MACHINE_PORTS);
        if (dead_link[i] && links(d, r, p)) {
            const struct place peer = behind(d, (struct place){r, 0}, p);
            d->topology.ports[peer.router][peer.port] = (struct port){.router = TOPO_NOBODY};
            d->topology.ports[r][p] = (struct port){.router = TOPO_NOBODY};
        }
    }
    for (unsigned r = 0; r < whole->routers; r++)
        if (dead_router[r])
            take_out(d, r);
    if (settle(d)) {
        list_nodes(d);
        return d;
    }
    d->topology.node = NULL;
    degraded_free(d);
    return NULL;
}

void degraded_free(struct degraded *d)
{
    if (!d)
        return;
    free(d->topology.ports);
    free(d->topology.node);
    free(d->gone);
    free(d->hurt);
    free(d->local);
    free(d->global);
    free(d);
}
