// SPDX-License-Identifier: Apache-2.0
/*
 * router_out.c - what leaves a router: which packet of those under way it is, and what is wrong with it.
 */
#include "tb/golden/router/pool.h"
#include "tb/golden/router/router.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(struct golden_router *g, unsigned port, uint64_t clock, const char *fault,
                     uint64_t flit)
{
    if (g->first_error[0] == '\0')
        snprintf(g->first_error, sizeof g->first_error,
                 "clock %" PRIu64 ", port %u: packet %012" PRIx64 " %s", clock, port, flit, fault);
}

/* VC and phase are those of the plan for one of the routes that the packet may have taken. */
static bool hop_allowed(const struct golden_router *g, const struct golden_packet *k, unsigned port,
                        uint64_t head)
{
    const struct golden_plan *p = &g->plan;
    const uint64_t vc = packet_get(p->machine, head, PACKET_VC);
    const uint64_t phase = packet_get(p->machine, head, PACKET_PHASE);
    if (k->mode == PACKET_SOURCE)
        return vc == k->vc && phase == k->phase;
    for (unsigned n = 0; n < 2; n++) {
        const struct golden_hop *hop = &p->vc_map[n][p->type[port]][k->vc][k->phase];
        const uint64_t routes = n ? k->nonminimal : k->minimal;
        if ((routes >> port & 1) && vc == hop->vc && phase == hop->phase)
            return true;
    }
    return false;
}

static bool port_allowed(const struct golden_packet *k, unsigned port)
{
    return ((k->minimal | k->nonminimal) >> port & 1) != 0;
}

/* It may leave like this. */
static bool fits(const struct golden_router *g, const struct golden_packet *k, unsigned port,
                 const struct golden_open *o)
{
    return !k->refused && k->bad == o->bad && port_allowed(k, port) &&
           hop_allowed(g, k, port, o->flit[0]);
}

/* The oldest packet under way with this content that may leave like this, GOLDEN_NONE if there is none. */
static uint32_t find_fitting(const struct golden_router *g, const struct golden_packet *seen,
                             unsigned port, const struct golden_open *o)
{
    uint32_t found = GOLDEN_NONE;
    for (uint32_t i = g->bucket[seen->key % GOLDEN_BUCKETS]; i != GOLDEN_NONE; i = g->pool[i].next)
        if (golden_same_content(&g->pool[i], seen) && fits(g, &g->pool[i], port, o))
            found = i;
    return found;
}

/*
 * A packet under way that may leave like this. If there is none, one that did leave may have been taken for another
 * of those alike: it changes places with one that fits where it left, found in the same way. No twin is looked at
 * twice.
 */
static uint32_t find_or_exchange(struct golden_router *g, const struct golden_packet *seen,
                                 unsigned port, const struct golden_open *o)
{
    uint32_t at = find_fitting(g, seen, port, o);
    for (unsigned n = 0; at == GOLDEN_NONE && n < GOLDEN_TWINS && n < g->twins; n++) {
        struct golden_twin *t = &g->twin[n];
        if (t->looked == g->looks || !golden_same_content(&t->packet, seen) ||
            !fits(g, &t->packet, port, o))
            continue;
        t->looked = g->looks;
        at = find_or_exchange(g, seen, t->port, &t->seen);
        if (at == GOLDEN_NONE)
            continue;
        const struct golden_packet instead = g->pool[at];
        g->pool[at] = t->packet;
        g->pool[at].next = instead.next;
        t->packet = instead;
    }
    return at;
}

/* The packet that this one must be: of its content, and allowed here if there is one; GOLDEN_NONE: a stranger. */
static uint32_t find_packet(struct golden_router *g, const struct golden_packet *seen,
                            unsigned port, const struct golden_open *o)
{
    g->looks++;
    uint32_t at = find_or_exchange(g, seen, port, o);
    for (uint32_t i = g->bucket[seen->key % GOLDEN_BUCKETS]; at == GOLDEN_NONE && i != GOLDEN_NONE;
         i = g->pool[i].next)
        if (golden_same_content(&g->pool[i], seen))
            at = i;
    return at;
}

/* Of those under way, the one that was changed into this: as long, and at least half of it alike. */
static uint32_t find_original(const struct golden_router *g, const struct golden_packet *seen)
{
    uint32_t best = GOLDEN_NONE;
    unsigned most = (seen->length + 1) / 2;
    for (unsigned b = 0; b < GOLDEN_BUCKETS; b++) {
        for (uint32_t i = g->bucket[b]; i != GOLDEN_NONE; i = g->pool[i].next) {
            unsigned same = 0;
            for (unsigned f = 0; f < seen->length; f++)
                same += g->pool[i].flit[f] == seen->flit[f];
            if (g->pool[i].length == seen->length && !g->pool[i].refused && same >= most) {
                most = same;
                best = i;
            }
        }
    }
    return best;
}

/* It may leave at this port on this VC, in whatever phase. */
static bool vc_allowed(const struct golden_router *g, const struct golden_packet *k, unsigned port,
                       uint64_t head)
{
    for (uint64_t phase = 0; phase < PLAN_PHASES; phase++)
        if (hop_allowed(g, k, port, packet_set(g->plan.machine, head, PACKET_PHASE, phase)))
            return true;
    return false;
}

/* Whether a cut head can be that of a packet under way: at most two bits differ, but for the length. */
static bool cut_from(const struct golden_router *g, const struct golden_cut *c,
                     const struct golden_packet *k)
{
    const struct golden_machine *m = g->plan.machine;
    const uint64_t cut = packet_set(m, golden_without_hop(m, c->head), PACKET_LENGTH, 0);
    const uint64_t sent = packet_set(m, k->flit[0], PACKET_LENGTH, 0);
    return __builtin_popcountll(cut ^ sent) <= 2 && !k->refused && port_allowed(k, c->port) &&
           vc_allowed(g, k, c->port, c->head);
}

/* What each packet of the pool is taken for: the number of a cut and one more, or 0; those looked at in this search. */
struct cut_search {
    unsigned *of;
    bool *seen;
};

/* Finds a packet for this cut; a packet that another cut has may be its own if that finds one, too. */
static bool find_cut(const struct golden_router *g, struct cut_search *search, unsigned cut)
{
    for (unsigned b = 0; b < GOLDEN_BUCKETS; b++) {
        for (uint32_t i = g->bucket[b]; i != GOLDEN_NONE; i = g->pool[i].next) {
            if (search->seen[i] || !cut_from(g, &g->cut[cut], &g->pool[i]))
                continue;
            search->seen[i] = true;
            if (search->of[i] == 0 || find_cut(g, search, search->of[i] - 1)) {
                search->of[i] = cut + 1;
                return true;
            }
        }
    }
    return false;
}

void golden_router_settle(struct golden_router *g)
{
    const size_t room = g->pool_room + 1;
    struct cut_search search = {.of = golden_need(calloc(room, sizeof *search.of)),
                                .seen = golden_need(calloc(room, sizeof *search.seen))};
    for (unsigned n = 0; n < g->cuts; n++) {
        memset(search.seen, 0, room * sizeof *search.seen);
        if (!find_cut(g, &search, n)) {
            complain(g, g->cut[n].port, 0, "was never the head of a packet that could leave there",
                     g->cut[n].head);
            g->wrong++;
        }
    }
    for (uint32_t i = 0; i < room; i++)
        if (search.of[i] != 0)
            golden_pool_remove(g, i);
    g->pending -= g->cuts;
    g->cuts = 0;
    free(search.of);
    free(search.seen);
}

static bool left_before(const struct golden_router *g, uint64_t key)
{
    for (unsigned i = 0; i < GOLDEN_RECENT && i < g->packets_out; i++)
        if (g->recent[i] == key)
            return true;
    return false;
}

static struct golden_order *find_order(struct golden_router *g, uint64_t key)
{
    size_t at = golden_mix(key) % g->order_room;
    while (g->order[at].key != 0 && g->order[at].key != key)
        at = (at + 1) % g->order_room;
    return &g->order[at];
}

static void grow_orders(struct golden_router *g)
{
    struct golden_order *old = g->order;
    const size_t room = g->order_room;
    g->order_room = 4 * room;
    g->order = golden_need(calloc(g->order_room, sizeof *g->order));
    for (size_t i = 0; i < room; i++)
        if (old[i].key)
            *find_order(g, old[i].key) = old[i];
    free(old);
}

/* False if a later packet of this flow left before; *port is where the flow left last, or the same. */
static bool in_order(struct golden_router *g, uint64_t key, uint64_t number, unsigned *port)
{
    if (2 * g->order_count > g->order_room)
        grow_orders(g);
    struct golden_order *o = find_order(g, key);
    const unsigned here = *port;
    const bool first = o->key == 0, right = first || number > o->number;
    g->order_count += first;
    *port = first ? here : o->port;
    *o = (struct golden_order){.key = key, .number = right ? number : o->number, .port = here};
    return right;
}

/*
 * Order is kept among packets of one input, output, VC and ordered mode, and among those that a
 * deterministic mode must send the same way: of one destination and, but for IN_ORDER, one hash.
 */
static void judge_order(struct golden_router *g, const struct golden_packet *k, unsigned port,
                        uint64_t head, uint64_t clock)
{
    const struct golden_machine *m = g->plan.machine;
    const uint64_t flow = (uint64_t)k->input << 48 | k->vc << 8 | k->mode;
    const uint64_t out = packet_get(m, head, PACKET_VC) << 32 | (uint64_t)port << 40;
    unsigned last = port;
    if (k->mode < PACKET_NMIN_HASH || k->alike)
        return;
    bool right = in_order(g, UINT64_C(1) << 63 | flow | out, k->number, &last);
    if (k->mode != PACKET_SOURCE && !g->dead) {
        const uint64_t hash = k->mode == PACKET_IN_ORDER ? 0 : packet_get(m, k->head, PACKET_HASH);
        const uint64_t place = packet_get(m, k->head, PACKET_PLACE);
        right &=
            in_order(g,
                     UINT64_C(1) << 62 |
                         golden_mix(golden_mix(flow | k->phase << 4) + (place << 8 | hash)) >> 2,
                     k->number, &last);
        if (last != port) {
            complain(g, port, clock, "went another route than the one of its flow before", k->head);
            g->misrouted++;
        }
    }
    if (!right) {
        complain(g, port, clock, "was overtaken", k->head);
        g->reordered++;
    }
}

/* What is right and wrong about a packet that entered and now leaves. */
static void judge(struct golden_router *g, const struct golden_packet *k, unsigned port,
                  const struct golden_open *o, uint64_t clock)
{
    if (k->refused) {
        complain(g, port, clock, "should have been dropped", k->head);
        g->wrong++;
        return;
    }
    if (!port_allowed(k, port) || !hop_allowed(g, k, port, o->flit[0])) {
        complain(g, port, clock,
                 port_allowed(k, port) ? "leaves on a wrong VC or in a wrong phase"
                                       : "leaves at a wrong port",
                 k->head);
        g->misrouted++;
    }
    if (k->bad != o->bad) {
        complain(g, port, clock, k->bad ? "lost its mark" : "is marked bad", k->head);
        g->wrong++;
    }
    g->nonminimal += !(k->minimal >> port & 1);
    judge_order(g, k, port, o->flit[0], clock);
}

/* Nothing of this content is under way: it left before, or it was changed on its way. */
static uint32_t explain_stranger(struct golden_router *g, const struct golden_packet *seen,
                                 unsigned port, uint64_t head, uint64_t clock)
{
    if (left_before(g, seen->key)) {
        complain(g, port, clock, "leaves a second time", head);
        g->duplicated++;
        return GOLDEN_NONE;
    }
    complain(g, port, clock, "is corrupt", head);
    g->corrupt++;
    if (!packet_by_end(g->plan.machine) && seen->length == 1 && seen->bad &&
        g->cuts < GOLDEN_CUTS) {
        g->cut[g->cuts++] = (struct golden_cut){.head = head, .port = port};
        return GOLDEN_NONE;
    }
    return find_original(g, seen);
}

static bool leave_packet(struct golden_router *g, unsigned port, const struct golden_open *o,
                         uint64_t clock)
{
    const struct golden_machine *m = g->plan.machine;
    struct golden_packet seen = {.length = o->length, .bad = o->bad};
    memcpy(seen.flit, o->flit, sizeof seen.flit);
    seen.flit[0] = golden_without_hop(m, o->flit[0]);
    seen.key = golden_content_key(seen.flit, seen.length);
    uint32_t at = find_packet(g, &seen, port, o);
    if (at == GOLDEN_NONE)
        at = explain_stranger(g, &seen, port, o->flit[0], clock);
    else
        judge(g, &g->pool[at], port, o, clock);
    g->recent[g->packets_out++ % GOLDEN_RECENT] = seen.key;
    if (at == GOLDEN_NONE)
        return false;
    g->last = g->pool[at];
    g->last_clock = o->clock;
    g->pending -= !g->last.refused && !g->last.copy;
    g->from[g->last.input] += o->length;
    g->packets_from[g->last.input]++;
    g->packets_on[g->last.input][g->last.vc]++;
    g->to[port] += o->length;
    if (g->last.alike)
        g->twin[g->twins++ % GOLDEN_TWINS] =
            (struct golden_twin){.packet = g->last, .seen = *o, .port = port};
    golden_pool_remove(g, at);
    return true;
}

bool golden_router_leaves(struct golden_router *g, unsigned port, const struct golden_leaving *l,
                          uint64_t clock)
{
    const bool by_end = packet_by_end(g->plan.machine);
    struct golden_open *o = &g->out[port];
    const bool head = o->count == o->length;
    if (head)
        *o = (struct golden_open){.length = by_end ? PACKET_LONGEST
                                                   : packet_length(g->plan.machine, l->flit),
                                  .clock = clock};
    o->flit[o->count++] = l->flit;
    o->bad |= l->bad;
    if (by_end && l->tail)
        o->length = o->count;
    const bool tail = o->count == o->length;
    if (l->head != head || l->tail != tail || (l->bad && !tail)) {
        complain(g, port, clock, "has a wrong mark", o->flit[0]);
        g->wrong++;
    }
    g->flits_out++;
    return tail && leave_packet(g, port, o, clock);
}
