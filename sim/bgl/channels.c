// SPDX-License-Identifier: Apache-2.0
/*
 * channels.c - the channels of a Blue Gene/L torus, and cycles between its rings.
 *
 * All nodes are alike, so it is enough to know which kinds of channels (direction and VC) wait for which: by the states of a packet at any node. Of the
 * hops left in a dimension only none, one, or more counts. The rings are then one graph of all nodes.
 */
#include "sim/bgl/channels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

enum { INJECTION = SHAPE_PORTS, SOURCES = SHAPE_PORTS + 1 };
enum vc { VC_DYNAMIC, VC_BUBBLE, VC_HIGH, VCS };
enum { LEFT_STATES = 5 * 5 * 5, BUBBLES = 2, KINDS = SHAPE_PORTS * BUBBLES };

/* Hops left: 0 none, 1 and 2 one and more in plus, 3 and 4 in minus. */
struct left {
    uint8_t hops[3];
};

struct kinds {
    const struct shape *shape;
    channels_rule *rule;
    bool seen[SOURCES][VCS][2]
             [LEFT_STATES]; /* by direction, VC, whether the packet is dynamic, hops left */
    uint8_t waits[SOURCES][VCS]
                 [SHAPE_PORTS]; /* for the bubble or high VC of these directions: bits of VCs */
};

static unsigned number_of(struct left l)
{
    return l.hops[0] + 5u * (l.hops[1] + 5u * l.hops[2]);
}

static unsigned hints_of(struct left l)
{
    unsigned hints = 0;
    for (unsigned d = 0; d < 3; d++)
        hints |= l.hops[d] ? 1u << (2 * d + (l.hops[d] > 2)) : 0;
    return hints;
}

static void visit(struct kinds *k, unsigned from, enum vc vc, bool dynamic, struct left left);

/* A hop by this port into a VC: of more hops one or more may be left. */
static void hop(struct kinds *k, unsigned port, enum vc vc, bool dynamic, struct left left)
{
    uint8_t *hops = &left.hops[port / 2];
    const bool more = *hops % 2 == 0;
    *hops -= 1;
    if (!more)
        *hops = 0;
    visit(k, port, vc, dynamic, left);
    if (more) {
        *hops += 1;
        visit(k, port, vc, dynamic, left);
    }
}

static void visit(struct kinds *k, unsigned from, enum vc vc, bool dynamic, struct left left)
{
    bool *seen = &k->seen[from][vc][dynamic][number_of(left)];
    const unsigned hints = hints_of(left);
    if (*seen)
        return;
    *seen = true;
    if (!hints)
        return; /* a reception FIFO waits for the host alone */
    const enum vc escape = vc == VC_HIGH ? VC_HIGH : VC_BUBBLE;
    const unsigned port = k->rule(hints, from);
    k->waits[from][vc][port] |= (uint8_t)(1u << escape);
    hop(k, port, escape, dynamic, left);
    for (unsigned p = 0; dynamic && p < SHAPE_PORTS; p++)
        if (hints >> p & 1)
            hop(k, p, VC_DYNAMIC, true, left);
}

/* Packets of all kinds as they are injected: as many hops in a dimension as its ring has. */
static void inject(struct kinds *k)
{
    for (unsigned i = 0; i < LEFT_STATES; i++) {
        const struct left left = {{(uint8_t)(i % 5), (uint8_t)(i / 5 % 5), (uint8_t)(i / 25)}};
        bool fits = true;
        for (unsigned d = 0; d < 3; d++) {
            const unsigned hops = left.hops[d] == 0 ? 0 : 2 - left.hops[d] % 2;
            fits &= hops < k->shape->size[d];
        }
        if (!fits)
            continue;
        visit(k, INJECTION, VC_BUBBLE, true, left);
        visit(k, INJECTION, VC_BUBBLE, false, left);
        visit(k, INJECTION, VC_HIGH, false, left);
    }
}

/* ---- rings -------------------------------------------------------------------------------------- */

/* Numbers of rings: kind by kind, a ring for each node of the plane across. */
static uint32_t ring_of(const struct shape *s, unsigned kind, struct place p)
{
    const unsigned d = kind % SHAPE_PORTS / 2;
    p.at[d] = 0;
    return kind * s->nodes + shape_node(s, p);
}

struct tarjan {
    const struct kinds *k;
    uint32_t *index, *low, *stack, *from; /* of a ring; from: where the search came from */
    uint32_t *turn;                       /* its next successor */
    bool *on;
    uint32_t count, depth;
};

/* Successor number i of a ring, UINT32_MAX behind the last: of each node of its line, each kind that it waits for there. */
static uint32_t successor(const struct kinds *k, uint32_t ring, uint32_t i)
{
    const struct shape *s = k->shape;
    const unsigned kind = ring / s->nodes, port = kind % SHAPE_PORTS,
                   vc = VC_BUBBLE + kind / SHAPE_PORTS;
    const unsigned other = i % SHAPE_PORTS;
    struct place p = shape_place(s, ring % s->nodes);
    if (i / SHAPE_PORTS >= s->size[port / 2])
        return UINT32_MAX;
    p.at[port / 2] = (uint8_t)(i / SHAPE_PORTS);
    if (!k->waits[port][vc][other])
        return ring; /* nothing new */
    return ring_of(s, other + SHAPE_PORTS * (kind / SHAPE_PORTS), p);
}

static void component(struct tarjan *t, uint32_t root, struct channels *result)
{
    uint64_t rings = 0;
    uint32_t ring;
    do {
        ring = t->stack[--t->depth];
        t->on[ring] = false;
        rings++;
    } while (ring != root);
    if (rings < 2)
        return;
    result->cycles++;
    if (rings <= result->largest)
        return;
    const struct shape *s = t->k->shape;
    const unsigned kind = root / s->nodes;
    const struct place p = shape_place(s, root % s->nodes);
    result->largest = rings;
    snprintf(result->example, sizeof result->example,
             "ring %c%c of VC %u through %u,%u,%u and others", 'x' + (int)(kind % SHAPE_PORTS / 2),
             kind % 2 ? '-' : '+', 2 + kind / SHAPE_PORTS, p.at[0], p.at[1], p.at[2]);
}

static void enter(struct tarjan *t, uint32_t ring, uint32_t from)
{
    t->index[ring] = t->low[ring] = ++t->count;
    t->from[ring] = from;
    t->stack[t->depth++] = ring;
    t->on[ring] = true;
}

static void search(struct tarjan *t, uint32_t root, struct channels *result)
{
    enter(t, root, UINT32_MAX);
    for (uint32_t ring = root; ring != UINT32_MAX;) {
        const uint32_t next = successor(t->k, ring, t->turn[ring]++);
        if (next == UINT32_MAX) {
            const uint32_t from = t->from[ring];
            if (t->low[ring] == t->index[ring])
                component(t, ring, result);
            if (from != UINT32_MAX && t->low[ring] < t->low[from])
                t->low[from] = t->low[ring];
            ring = from;
        } else if (!t->index[next]) {
            enter(t, next, ring);
            ring = next;
        } else if (t->on[next] && t->index[next] < t->low[ring])
            t->low[ring] = t->index[next];
    }
}

/* ---- all ---------------------------------------------------------------------------------------- */

/* Channels and dependencies: each kind at each node. */
static void count(const struct kinds *k, struct channels *result)
{
    for (unsigned from = 0; from < SOURCES; from++)
        for (unsigned vc = 0; vc < VCS; vc++) {
            bool used = false;
            for (unsigned i = 0; i < LEFT_STATES; i++)
                used |= k->seen[from][vc][0][i] || k->seen[from][vc][1][i];
            /* VCs 0 and 1 are alike; six injection FIFOs, and two of high priority */
            const unsigned alike = from == INJECTION  ? (vc == VC_HIGH ? 2 : 6)
                                   : vc == VC_DYNAMIC ? 2
                                                      : 1;
            result->channels += used ? (uint64_t)alike * k->shape->nodes : 0;
            for (unsigned to = 0; to < SHAPE_PORTS; to++)
                result->dependencies += (uint64_t)alike * k->shape->nodes *
                                        (unsigned)__builtin_popcount(k->waits[from][vc][to]);
        }
}

unsigned channels_xyz(unsigned hints, unsigned from)
{
    (void)from;
    return (unsigned)__builtin_ctz(hints);
}

void channels_check(const struct shape *s, channels_rule *rule, struct channels *result)
{
    const size_t rings = (size_t)KINDS * s->nodes;
    *result = (struct channels){.bytes = (double)rings * (5 * sizeof(uint32_t) + 1)};
    sim_room("the graph of channels", result->bytes);
    struct kinds *k = sim_alloc(1, sizeof *k);
    k->shape = s;
    k->rule = rule;
    inject(k);
    count(k, result);
    struct tarjan t = {.k = k,
                       .index = sim_alloc(rings, sizeof *t.index),
                       .low = sim_alloc(rings, sizeof *t.low),
                       .stack = sim_alloc(rings, sizeof *t.stack),
                       .from = sim_alloc(rings, sizeof *t.from),
                       .turn = sim_alloc(rings, sizeof *t.turn),
                       .on = sim_alloc(rings, sizeof *t.on)};
    for (uint32_t ring = 0; ring < rings; ring++) {
        const unsigned d = ring / s->nodes % SHAPE_PORTS / 2;
        if (s->size[d] == 1 || shape_place(s, ring % s->nodes).at[d] != 0)
            continue;
        result->rings++;
        if (!t.index[ring])
            search(&t, ring, result);
    }
    free(t.index);
    free(t.low);
    free(t.stack);
    free(t.from);
    free(t.turn);
    free(t.on);
    free(k);
}
