// SPDX-License-Identifier: Apache-2.0
/*
 * topology.c - what all networks share: links, table words drawn from lists of candidates, distances.
 */
#include "sim/net/topology.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

/* ---- making ----------------------------------------------------------------------------------- */

struct topology *topo_new(const struct machine *machine, unsigned routers, unsigned nodes)
{
    struct topology *t = sim_alloc(1, sizeof *t);
    t->machine = machine;
    t->routers = routers;
    t->nodes = nodes;
    t->ports = sim_alloc(routers, sizeof *t->ports);
    t->here = sim_alloc(routers, sizeof *t->here);
    t->node = sim_alloc(nodes, sizeof *t->node);
    t->classes = 2;
    for (unsigned r = 0; r < routers; r++)
        for (unsigned p = 0; p < MACHINE_PORTS; p++)
            t->ports[r][p].router = TOPO_NOBODY;
    return t;
}

void *topo_copy(const void *shape, size_t size)
{
    void *copy = sim_alloc(1, size);
    memcpy(copy, shape, size);
    return copy;
}

void topo_free(struct topology *t)
{
    if (!t)
        return;
    free(t->ports);
    free(t->here);
    free(t->node);
    free(t->group);
    free(t->shape);
    free(t);
}

void topo_link(struct topology *t, unsigned a, unsigned a_port, unsigned a_kind, unsigned b,
               unsigned b_port, unsigned b_kind)
{
    t->ports[a][a_port] = (struct port){(int32_t)b, (uint8_t)b_port, (uint8_t)a_kind};
    t->ports[b][b_port] = (struct port){(int32_t)a, (uint8_t)a_port, (uint8_t)b_kind};
}

/* ---- table words ------------------------------------------------------------------------------ */

void topo_add(struct candidate_list *list, unsigned col, unsigned rows, unsigned type)
{
    if (rows != 0 && list->count < TOPO_CANDIDATES)
        list->candidate[list->count++] =
            (struct candidate){true, (uint8_t)col, (uint8_t)rows, (uint8_t)type};
}

void topo_add_ports(const struct topology *t, struct candidate_list *list, uint64_t ports,
                    unsigned type)
{
    const struct machine *m = t->machine;
    for (unsigned col = 0; col < m->cols; col++) {
        unsigned rows = 0;
        for (unsigned row = 0; row < m->rows; row++) {
            const bool set = ports >> (row * m->cols + col) & 1;
            if (set && !m->two_step)
                topo_add(list, col, 1U << row, type);
            rows |= (unsigned)set << row;
        }
        if (m->two_step)
            topo_add(list, col, rows, type);
    }
}

enum { SLOTS = MACHINE_DRAWS * MACHINE_CANDIDATES };

/*
 * Where in a list of candidates the slots of an entry begin: tiles at different places, and the entries of a tile one
 * after the other, so that they use all of it evenly.
 */
static unsigned start_of(const struct question *q, unsigned count)
{
    uint64_t x = (uint64_t)q->router << 20 ^ (uint64_t)q->port << 10 ^ q->nonminimal;
    x *= 0x9e3779b97f4a7c15;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9;
    return (unsigned)(((x >> 32) + q->index * (count > SLOTS ? 1 : SLOTS)) % count);
}

static uint64_t draw_word(const struct topology *t, const struct question *q,
                          const struct candidate_list *list, unsigned draw)
{
    struct candidate candidates[MACHINE_CANDIDATES] = {0};
    if (list->count == 0)
        return t->machine->pack_entry(candidates);
    const unsigned start = start_of(q, list->count);
    for (unsigned w = 0; w < MACHINE_CANDIDATES && w < list->count; w++) {
        const unsigned slot = draw * MACHINE_CANDIDATES + w;
        const unsigned step = list->count > SLOTS ? slot * list->count / SLOTS : slot;
        candidates[w] = list->candidate[(start + step) % list->count];
    }
    return t->machine->pack_entry(candidates);
}

/* How many ports of its kind stand before this one on its router. */
static unsigned number_of(const struct topology *t, const struct question *q)
{
    unsigned before = 0;
    for (unsigned p = 0; p < q->port; p++)
        before += t->ports[q->router][p].kind == t->ports[q->router][q->port].kind;
    return before;
}

/*
 * An entry for node `sub` of the own router, where nodes share processor ports. Of four ports it holds two: the nodes of a pair at one
 * input hold different ones, and so do the inputs of a kind whose numbers differ in bit 1 or 2, as those of the two processor ports of a
 * node do. So packets from one input to both nodes use all ports evenly, and so do those from both ports of a node, or from four inputs
 * of a kind, to one node. Odd inputs divide the ports in another way than even ones, so that loads even out over all four.
 */
static uint64_t own_word(const struct topology *t, const struct question *q,
                         const struct candidate_list *list)
{
    struct candidate candidates[MACHINE_CANDIDATES] = {0};
    const unsigned number = number_of(t, q), count = list->count;
    const unsigned half = ((unsigned)__builtin_popcount(number) + q->sub) % 2;
    const bool halves = count == 2 * MACHINE_CANDIDATES, apart = halves && number & 1;
    const unsigned next = number + q->sub, most = MACHINE_CANDIDATES;
    const unsigned start = halves ? half * (apart ? 1 : most) : count > most ? next * most : next;
    for (unsigned w = 0; w < MACHINE_CANDIDATES && w < count; w++)
        candidates[w] = list->candidate[(start + w * (apart ? 2 : 1)) % count];
    return t->machine->pack_entry(candidates);
}

void topo_entries(const struct topology *t, const struct question *q, uint64_t words[MACHINE_DRAWS])
{
    const struct here *here = &t->here[q->router];
    const bool own = q->local && q->index == here->local;
    struct question ask = *q;
    struct candidate_list list = {0};

    for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++) {
        if (draw == 0 || own) {
            list.count = 0;
            ask.sub = draw;
            t->candidates(t, &ask, &list);
        }
        words[draw] = own ? own_word(t, &ask, &list) : draw_word(t, &ask, &list, draw);
    }
}

unsigned topo_transit_rows(const struct topology *t, unsigned router)
{
    unsigned links = 0, processors = 0;
    for (unsigned p = 0; p < t->machine->ports; p++) {
        const unsigned row = 1U << p / t->machine->cols, kind = t->ports[router][p].kind;
        links |= kind >= PORT_LINK ? row : 0;
        processors |= kind == PORT_PROCESSOR ? row : 0;
    }
    return links & processors ? 0 : links;
}

unsigned topo_far(const struct topology *t, unsigned router)
{
    const unsigned global = t->here[router].global;
    return global & HERE_NO_FAR ? UINT32_MAX : global % HERE_NO_NEAR / t->machine->nears;
}

unsigned topo_index(const struct topology *t, unsigned here, unsigned global)
{
    const struct machine *m = t->machine;
    if (m->nears == 0)
        return global;
    return global / m->nears == topo_far(t, here) ? m->fars + global % m->nears : global / m->nears;
}

unsigned topo_indices(const struct topology *t, bool local)
{
    const unsigned nears = t->machine->nears;
    unsigned most = 0;
    for (unsigned n = 0; n < t->nodes; n++) {
        const struct node *node = &t->node[n];
        const unsigned index = local   ? node->local
                               : nears ? t->machine->fars + node->global % nears
                                       : node->global;
        most = index > most ? index : most;
    }
    return most + 1;
}

void topo_list_groups(struct topology *t)
{
    bool *named = sim_alloc(t->machine->globals, sizeof *named);
    t->group = sim_alloc(t->machine->globals, sizeof *t->group);
    for (unsigned n = 0; n < t->nodes; n++)
        named[t->node[n].global] = true;
    for (unsigned g = 0; g < t->machine->globals; g++)
        if (named[g])
            t->group[t->groups++] = g;
    free(named);
}

/* ---- distances -------------------------------------------------------------------------------- */

void topo_distances(const struct topology *t, unsigned from, unsigned *distance)
{
    unsigned *queue = sim_alloc(t->routers, sizeof *queue);
    unsigned head = 0, tail = 0;
    for (unsigned r = 0; r < t->routers; r++)
        distance[r] = UINT32_MAX;
    distance[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        const unsigned r = queue[head++];
        for (unsigned p = 0; p < t->machine->ports; p++) {
            const int32_t next = t->ports[r][p].router;
            if (next == TOPO_NOBODY || distance[next] != UINT32_MAX)
                continue;
            distance[next] = distance[r] + 1;
            queue[tail++] = (unsigned)next;
        }
    }
    free(queue);
}
