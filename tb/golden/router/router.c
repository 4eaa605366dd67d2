// SPDX-License-Identifier: Apache-2.0
/*
 * router.c - what must hold between what enters and what leaves a router; router.h says how it is used.
 */
#include "tb/golden/router/router.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plan ------------------------------------------------------------------------------------- */

void golden_plan_start(struct golden_plan *p, const struct golden_machine *m, unsigned global,
                       unsigned local)
{
    memset(p, 0, sizeof *p);
    p->machine = m;
    p->global = global;
    p->local = local;
    for (unsigned n = 0; n < 2; n++)
        for (unsigned t = 0; t < PLAN_TYPES; t++)
            for (unsigned v = 0; v < PLAN_VCS; v++)
                for (unsigned f = 0; f < PLAN_PHASES; f++)
                    p->vc_map[n][t][v][f] = (struct golden_hop){(uint8_t)v, (uint8_t)f};
}

/* ---- packets under way ------------------------------------------------------------------------- */

enum { BUCKETS = 1 << 16, NONE = 0 };

static void *need(void *p)
{
    if (!p) {
        fputs("golden router: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

void golden_router_start(struct golden_router *g, const struct golden_plan *plan)
{
    memset(g, 0, sizeof *g);
    g->plan = *plan;
    g->bucket = need(calloc(BUCKETS, sizeof *g->bucket));
    g->order_room = 1 << 12;
    g->order = need(calloc(g->order_room, sizeof *g->order));
}

void golden_router_free(struct golden_router *g)
{
    free(g->pool);
    free(g->bucket);
    free(g->order);
    memset(g, 0, sizeof *g);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44d;
    return x ^ x >> 33;
}

static uint64_t content_key(const uint64_t *flit, unsigned length)
{
    uint64_t key = length;
    for (unsigned i = 0; i < length; i++)
        key = mix(key ^ flit[i]) + i;
    return key;
}

/* Place 0 of the pool is never used: 0 ends a list. */
static uint32_t pool_take(struct golden_router *g)
{
    if (g->free_list == NONE) {
        const uint32_t old = g->pool_room ? g->pool_room : 1, room = 2 * old + 1022;
        g->pool = need(realloc(g->pool, room * sizeof *g->pool));
        for (uint32_t i = old; i < room; i++)
            g->pool[i].next = i + 1 < room ? i + 1 : NONE;
        g->free_list = old;
        g->pool_room = room;
    }
    const uint32_t at = g->free_list;
    g->free_list = g->pool[at].next;
    return at;
}

static void pool_remove(struct golden_router *g, uint32_t at)
{
    uint32_t *link = &g->bucket[g->pool[at].key % BUCKETS];
    while (*link != at)
        link = &g->pool[*link].next;
    *link = g->pool[at].next;
    g->pool[at].next = g->free_list;
    g->free_list = at;
}

static bool same_content(const struct golden_packet *a, const struct golden_packet *b)
{
    return a->key == b->key && a->length == b->length &&
           memcmp(a->flit, b->flit, a->length * sizeof *a->flit) == 0;
}

/* The newest comes first in its bucket. Whoever has a double is marked so. */
static void pool_add(struct golden_router *g, const struct golden_packet *packet)
{
    const uint32_t at = pool_take(g);
    uint32_t *bucket = &g->bucket[packet->key % BUCKETS];
    g->pool[at] = *packet;
    for (uint32_t i = *bucket; i != NONE; i = g->pool[i].next)
        if (same_content(&g->pool[i], packet))
            g->pool[i].alike = g->pool[at].alike = true;
    g->pool[at].next = *bucket;
    *bucket = at;
}

/* ---- entering ---------------------------------------------------------------------------------- */

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
    for (unsigned b = 0; b < BUCKETS; b++)
        for (uint32_t i = g->bucket[b]; i != NONE; i = g->pool[i].next)
            if (!g->pool[i].refused)
                add_routes(g, &g->pool[i], dead);
}

static uint64_t without_hop(const struct golden_machine *m, uint64_t head)
{
    return packet_set(m, packet_set(m, head, PACKET_VC, 0), PACKET_PHASE, 0);
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
    k.flit[0] = without_hop(m, k.flit[0]);
    const bool illegal = k.vc >= m->vcs || k.length > m->longest;
    const bool no_route = !illegal && (k.minimal | k.nonminimal) == 0;
    k.refused = illegal || no_route;
    g->illegal += illegal;
    g->no_route += no_route && !k.copy;
    g->no_route_copies += no_route && k.copy;
    g->pending += !k.refused && !k.copy;
    k.key = content_key(k.flit, k.length);
    pool_add(g, &k);
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

/* ---- leaving ----------------------------------------------------------------------------------- */

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

/* The oldest packet under way with this content that may leave like this, NONE if there is none. */
static uint32_t find_fitting(const struct golden_router *g, const struct golden_packet *seen,
                             unsigned port, const struct golden_open *o)
{
    uint32_t found = NONE;
    for (uint32_t i = g->bucket[seen->key % BUCKETS]; i != NONE; i = g->pool[i].next)
        if (same_content(&g->pool[i], seen) && fits(g, &g->pool[i], port, o))
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
    for (unsigned n = 0; at == NONE && n < GOLDEN_TWINS && n < g->twins; n++) {
        struct golden_twin *t = &g->twin[n];
        if (t->looked == g->looks || !same_content(&t->packet, seen) ||
            !fits(g, &t->packet, port, o))
            continue;
        t->looked = g->looks;
        at = find_or_exchange(g, seen, t->port, &t->seen);
        if (at == NONE)
            continue;
        const struct golden_packet instead = g->pool[at];
        g->pool[at] = t->packet;
        g->pool[at].next = instead.next;
        t->packet = instead;
    }
    return at;
}

/* The packet that this one must be: of its content, and allowed here if there is one; NONE: a stranger. */
static uint32_t find_packet(struct golden_router *g, const struct golden_packet *seen,
                            unsigned port, const struct golden_open *o)
{
    g->looks++;
    uint32_t at = find_or_exchange(g, seen, port, o);
    for (uint32_t i = g->bucket[seen->key % BUCKETS]; at == NONE && i != NONE; i = g->pool[i].next)
        if (same_content(&g->pool[i], seen))
            at = i;
    return at;
}

/* Of those under way, the one that was changed into this: as long, and at least half of it alike. */
static uint32_t find_original(const struct golden_router *g, const struct golden_packet *seen)
{
    uint32_t best = NONE;
    unsigned most = (seen->length + 1) / 2;
    for (unsigned b = 0; b < BUCKETS; b++) {
        for (uint32_t i = g->bucket[b]; i != NONE; i = g->pool[i].next) {
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
    const uint64_t cut = packet_set(m, without_hop(m, c->head), PACKET_LENGTH, 0);
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
    for (unsigned b = 0; b < BUCKETS; b++) {
        for (uint32_t i = g->bucket[b]; i != NONE; i = g->pool[i].next) {
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
    struct cut_search search = {.of = need(calloc(room, sizeof *search.of)),
                                .seen = need(calloc(room, sizeof *search.seen))};
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
            pool_remove(g, i);
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
    size_t at = mix(key) % g->order_room;
    while (g->order[at].key != 0 && g->order[at].key != key)
        at = (at + 1) % g->order_room;
    return &g->order[at];
}

static void grow_orders(struct golden_router *g)
{
    struct golden_order *old = g->order;
    const size_t room = g->order_room;
    g->order_room = 4 * room;
    g->order = need(calloc(g->order_room, sizeof *g->order));
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
        right &= in_order(
            g, UINT64_C(1) << 62 | mix(mix(flow | k->phase << 4) + (place << 8 | hash)) >> 2,
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
        return NONE;
    }
    complain(g, port, clock, "is corrupt", head);
    g->corrupt++;
    if (!packet_by_end(g->plan.machine) && seen->length == 1 && seen->bad &&
        g->cuts < GOLDEN_CUTS) {
        g->cut[g->cuts++] = (struct golden_cut){.head = head, .port = port};
        return NONE;
    }
    return find_original(g, seen);
}

static bool leave_packet(struct golden_router *g, unsigned port, const struct golden_open *o,
                         uint64_t clock)
{
    const struct golden_machine *m = g->plan.machine;
    struct golden_packet seen = {.length = o->length, .bad = o->bad};
    memcpy(seen.flit, o->flit, sizeof seen.flit);
    seen.flit[0] = without_hop(m, o->flit[0]);
    seen.key = content_key(seen.flit, seen.length);
    uint32_t at = find_packet(g, &seen, port, o);
    if (at == NONE)
        at = explain_stranger(g, &seen, port, o->flit[0], clock);
    else
        judge(g, &g->pool[at], port, o, clock);
    g->recent[g->packets_out++ % GOLDEN_RECENT] = seen.key;
    if (at == NONE)
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
    pool_remove(g, at);
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

uint64_t golden_router_lost(const struct golden_router *g)
{
    return g->pending - g->cuts;
}

const struct golden_packet *golden_router_oldest(const struct golden_router *g)
{
    const struct golden_packet *oldest = NULL;
    for (unsigned b = 0; b < BUCKETS; b++)
        for (uint32_t i = g->bucket[b]; i != NONE; i = g->pool[i].next)
            if (!g->pool[i].refused && !g->pool[i].copy &&
                (!oldest || g->pool[i].number < oldest->number))
                oldest = &g->pool[i];
    return oldest;
}

bool golden_router_clean(const struct golden_router *g)
{
    return golden_router_lost(g) == 0 && g->duplicated == 0 && g->corrupt == 0 &&
           g->misrouted == 0 && g->reordered == 0 && g->wrong == 0;
}
