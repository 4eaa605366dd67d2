// SPDX-License-Identifier: Apache-2.0
/*
 * router_in.c - what enters a router: the routes that it may take.
 */
#include "tb/golden/router/pool.h"
#include "tb/golden/router/router.h"

#include <string.h>

static const struct golden_route *route_of(const struct golden_plan *p, uint64_t head)
{
    const unsigned global = (unsigned)packet_get(p->machine, head, PACKET_GLOBAL);
    const unsigned local = (unsigned)packet_get(p->machine, head, PACKET_LOCAL);
    const unsigned near = p->machine->field[PACKET_NEAR].width;
    if (near && global >> near == p->global >> near && global != p->global)
        return &p->to_near[packet_get(p->machine, head, PACKET_NEAR)];
    if (global != p->global)
        return &p->to_group[global >> near];
    if (local != p->local)
        return &p->in_group[local];
    return &p->here[packet_get(p->machine, head, PACKET_SUB)];
}

/*
 * Ports that the mode leaves of those that lead to the destination. NMIN_HASH is minimal where nothing else is
 * there or lives; a table has several entries per destination, and one of them may have lost its candidates.
 */
static void find_routes(const struct golden_router *g, struct golden_packet *k, uint64_t dead)
{
    const struct golden_route *route = route_of(&g->plan, k->head);
    const bool detoured = (k->phase & 1) != 0; /* has been non-minimal before */
    const bool may = k->mode <= PACKET_ADAPTIVE3 || k->mode == PACKET_NMIN_HASH;
    const uint64_t others = may && !detoured ? route->nonminimal : 0;
    k->nonminimal |= others & ~dead;
    if (k->mode != PACKET_NMIN_HASH || (others & ~dead) == 0 || (others & dead) != 0)
        k->minimal |= route->minimal & ~dead;
}

/* The first hop of the list, {row, column} of 3 bits each, leaves the list, in which ones follow. {7, 7} is its end and leads nowhere. */
static void take_hop(const struct golden_router *g, struct golden_packet *k, uint64_t dead)
{
    const struct golden_machine *m = g->plan.machine;
    const uint64_t list = packet_get(m, k->head, PACKET_LIST);
    const unsigned row = list >> 3 & 7, col = list & 7;
    const uint64_t end = UINT64_C(63) << (m->field[PACKET_LIST].width - 6);
    if (row < m->rows && col < m->cols && row + col < 14)
        k->minimal |= UINT64_C(1) << (row * m->cols + col) & ~dead;
    k->flit[0] = packet_set(m, k->flit[0], PACKET_LIST, list >> 6 | end);
}

/* Where a head has one hop or two: the first. */
static void follow_hop(const struct golden_router *g, struct golden_packet *k, uint64_t dead)
{
    const struct golden_machine *m = g->plan.machine;
    const uint64_t hop = packet_get(m, k->head, PACKET_LIST) & 63;
    const uint64_t hops = packet_get(m, k->head, PACKET_HOPS);
    if (hop / 8 < m->rows && hop % 8 < m->cols && (hops == 1 || hops == 2))
        k->minimal |= UINT64_C(1) << (hop / 8 * m->cols + hop % 8) & ~dead;
}

/* Of two hops the second stays; a head without any is taken off, and the packet goes on from the flit behind it. */
static void leave_hop(const struct golden_machine *m, struct golden_packet *k)
{
    const uint64_t rest = packet_get(m, k->head, PACKET_LIST) >> 6 & 63;
    if (packet_get(m, k->head, PACKET_HOPS) > 1) {
        k->flit[0] = packet_set(m, packet_set(m, k->flit[0], PACKET_LIST, rest), PACKET_HOPS, 1);
        return;
    }
    k->length--;
    memmove(&k->flit[0], &k->flit[1], k->length * sizeof k->flit[0]);
    if (k->length < 2) /* only an end is left */
        k->minimal = 0;
}

static void add_routes(const struct golden_router *g, struct golden_packet *k, uint64_t dead)
{
    if (k->mode == PACKET_MODES)
        return;
    if (k->mode == PACKET_SOURCE && packet_by_end(g->plan.machine))
        follow_hop(g, k, dead);
    else if (k->mode == PACKET_SOURCE)
        take_hop(g, k, dead);
    else
        find_routes(g, k, dead);
}

void golden_router_kill(struct golden_router *g, uint64_t dead, uint64_t learned)
{
    g->before = g->dead;
    g->dead = dead;
    g->learned = learned;
    for (unsigned b = 0; b < GOLDEN_BUCKETS; b++)
        for (uint32_t i = g->bucket[b]; i != GOLDEN_NONE; i = g->pool[i].next)
            if (!g->pool[i].refused)
                add_routes(g, &g->pool[i], dead);
}

static void enter_packet(struct golden_router *g, unsigned port, const struct golden_open *o)
{
    const struct golden_machine *m = g->plan.machine;
    struct golden_packet k = {.length = o->length,
                              .head = o->flit[0],
                              .number = g->packets_in++,
                              .clock = o->clock,
                              .input = port,
                              .copy = o->copy,
                              .bad = o->bad};
    k.vc = (unsigned)packet_get(m, k.head, PACKET_VC);
    k.phase = (unsigned)packet_get(m, k.head, PACKET_PHASE);
    k.mode = packet_mode(m, k.head);
    memcpy(k.flit, o->flit, sizeof k.flit);
    add_routes(g, &k, o->dead);
    if (o->dead != g->dead)
        add_routes(g, &k, g->dead);
    if (o->clock < g->learned)
        add_routes(g, &k, g->before);
    if (k.mode == PACKET_SOURCE && packet_by_end(m))
        leave_hop(m, &k);
    k.flit[0] = golden_without_hop(m, k.flit[0]);
    const bool illegal = k.vc >= m->vcs || k.length > m->longest;
    const bool no_route = !illegal && (k.minimal | k.nonminimal) == 0;
    k.refused = illegal || no_route;
    g->illegal += illegal;
    g->no_route += no_route && !k.copy;
    g->no_route_copies += no_route && k.copy;
    g->pending += !k.refused && !k.copy;
    k.key = golden_content_key(k.flit, k.length);
    golden_pool_add(g, &k);
}

bool golden_router_enters(struct golden_router *g, unsigned port, uint64_t flit, bool bad,
                          uint64_t clock)
{
    struct golden_open *o = &g->in[port];
    if (o->count == o->length)
        *o = (struct golden_open){
            .length = packet_length(g->plan.machine, flit), .clock = clock, .dead = g->dead};
    o->flit[o->count++] = flit;
    o->bad |= bad;
    g->flits_in++;
    const unsigned vc = (unsigned)packet_get(g->plan.machine, o->flit[0], PACKET_VC);
    g->flits_in_vc[port][vc]++;
    if (o->count < o->length)
        return false;
    enter_packet(g, port, o);
    return true;
}

bool golden_router_enters_by_end(struct golden_router *g, unsigned port,
                                 const struct golden_entering *e, uint64_t clock)
{
    const unsigned longest = g->plan.machine->longest;
    struct golden_open *o = &g->in[port];
    g->flits_in++;
    if (o->rest) {
        g->flits_in_vc[port][packet_get(g->plan.machine, o->head, PACKET_VC)]++;
        o->rest = !e->tail;
        return false;
    }
    if (o->length > 0 || o->count == 0)
        *o = (struct golden_open){.clock = clock, .dead = g->dead};
    const bool over = o->count == longest; /* and the one before is lost */
    o->flit[over ? longest - 1 : o->count++] = e->flit;
    o->bad |= e->bad || (over && !e->cut) || (e->tail && e->cut);
    o->head = o->flit[0];
    g->flits_in_vc[port][packet_get(g->plan.machine, o->head, PACKET_VC)]++;
    if (!e->tail && !over)
        return false;
    o->length = o->count;
    o->copy = e->tail && e->cut;
    o->rest = !e->tail;
    g->illegal += over && !o->copy;
    enter_packet(g, port, o);
    return true;
}
