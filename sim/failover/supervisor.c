// SPDX-License-Identifier: Apache-2.0
/*
 * supervisor.c - watches, holds, computes, writes, resumes.
 */
#include "sim/failover/supervisor.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/deadlock.h"
#include "sim/util.h"

/* Clocks: between heartbeats; without one until a router is written again; that the network may take to fall quiet; that links of new
 * routers may take to train. WORDS: that are handed in at once. */
enum { BEAT = 500, SILENT = 8000, IMPATIENT = 60000, TRAINING = 20000, WORDS = 4096 };

static size_t tile_of(unsigned router, unsigned port)
{
    return (size_t)router * MACHINE_PORTS + port;
}

/* The first of a router's nodes; t->nodes if it has none. */
static unsigned node_of(const struct topology *t, unsigned router)
{
    unsigned n = 0;
    while (n < t->nodes && t->node[n].router != router)
        n++;
    return n;
}

static const struct topology *installed(const struct supervisor *s)
{
    return s->tables ? &s->tables->topology : s->whole;
}

void supervisor_begin(struct supervisor *s, struct network *n, const struct topology *whole,
                      unsigned home, unsigned chassis, unsigned bias, struct link_limits limits)
{
    const size_t tiles = (size_t)whole->routers * MACHINE_PORTS;
    *s = (struct supervisor){
        .network = n, .whole = whole, .home = home, .chassis = chassis, .bias = bias};
    s->dead_link = sim_alloc(tiles, sizeof *s->dead_link);
    s->dead_router = sim_alloc(whole->routers, sizeof *s->dead_router);
    s->fresh = sim_alloc(whole->routers, sizeof *s->fresh);
    s->down = sim_alloc(whole->nodes, sizeof *s->down);
    s->beat = sim_alloc(whole->routers, sizeof *s->beat);
    s->counted = sim_alloc(whole->routers, sizeof *s->counted);
    faults_nodes(n, s->down, s->beat);
    links_begin(&s->links, n, whole, limits);
}

void supervisor_free(struct supervisor *s)
{
    faults_nodes(s->network, NULL, NULL);
    degraded_free(s->tables);
    links_free(&s->links);
    free(s->dead_link);
    free(s->dead_router);
    free(s->fresh);
    free(s->down);
    free(s->beat);
    free(s->counted);
}

/* ---- watching ---------------------------------------------------------------------------------- */

static void news(struct supervisor *s)
{
    s->news = faults_now(s->network);
    s->times.detected = 0;
}

/* It lives, and if it is new every word of it is written. */
static bool fit(const struct supervisor *s, unsigned router)
{
    return !s->dead_router[router] && !(s->fresh[router] && faults_pending(s->network, router) > 0);
}

/* None while packets are to come to rest. */
static bool may_restart(const struct supervisor *s, unsigned router, unsigned port)
{
    return s->state == SUPERVISOR_WATCHES && fit(s, router) &&
           fit(s, (unsigned)s->whole->ports[router][port].router);
}

/* The same port of all routers: their registers are read at the same time. What is silent or tries again is as it was. */
static void read_links(struct supervisor *s)
{
    const unsigned p = s->next_port++ % s->whole->machine->ports;
    for (unsigned r = 0; r < s->whole->routers; r++) {
        if (s->dead_router[r] || s->whole->ports[r][p].router == TOPO_NOBODY)
            continue;
        const enum link_state state = links_state(&s->links, r, p);
        const bool dead = state == LINK_DEAD || state == LINK_TRAINS;
        if (state == LINK_NO_ANSWER) {
            s->dead_router[r] = true;
            news(s);
            continue;
        }
        if (state != LINK_SILENT && dead != s->dead_link[tile_of(r, p)]) {
            s->dead_link[tile_of(r, p)] = dead;
            news(s);
        }
        links_tend(&s->links, r, p, may_restart(s, r, p));
    }
    links_ask(&s->links, s->next_port % s->whole->machine->ports, s->dead_router);
    if (p == 0) {
        s->whole_round = s->round;
        s->round = faults_now(s->network);
    }
}

static bool writing(const struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++)
        if (!s->dead_router[r] && faults_pending(s->network, r) > 0)
            return true;
    return false;
}

/* Links of new routers that are not up yet; not for ever behind the last word, one may be dead. */
static bool plugging(const struct supervisor *s)
{
    const uint64_t since = s->written > s->news ? s->written : s->news;
    for (unsigned r = 0; r < s->whole->routers; r++)
        for (unsigned p = 0; p < s->whole->machine->ports && s->fresh[r]; p++) {
            const int32_t peer = s->whole->ports[r][p].router;
            if (peer != TOPO_NOBODY && !s->dead_router[peer] && s->dead_link[tile_of(r, p)])
                return faults_now(s->network) < since + TRAINING + 2 * links_patience(&s->links);
        }
    return false;
}

/* Of routers with numbers in a row, `size` each time: those of which all are dead. */
static unsigned all_dead(const struct supervisor *s, unsigned size)
{
    unsigned count = 0, dead = 0;
    for (unsigned r = 0; r < s->whole->routers; r++) {
        dead = (r % size ? dead : 0) + s->dead_router[r];
        count += r % size == size - 1 && dead == size;
    }
    return count;
}

/* A whole group, a whole chassis, or routers here and there: by what is missing. */
static void find_extent(struct supervisor *s)
{
    s->routers_lost = all_dead(s, 1);
    s->chassis_lost = all_dead(s, s->chassis);
    s->groups_lost = all_dead(s, topo_indices(s->whole, true));
}

/* An entry of the installed tables has nobody left to go to; the router itself goes round ports that are dead. */
static bool stuck(const struct supervisor *s, const struct question *q)
{
    const struct machine *m = s->whole->machine;
    uint64_t words[MACHINE_DRAWS];
    topo_entries(installed(s), q, words);
    for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++) {
        struct candidate pair[MACHINE_CANDIDATES];
        unsigned alive = 0, valid = 0;
        m->unpack_entry(words[draw], pair);
        for (unsigned c = 0; c < MACHINE_CANDIDATES; c++)
            for (unsigned row = 0; row < m->rows && pair[c].valid; row++)
                if (pair[c].rows >> row & 1) {
                    valid++;
                    alive += !s->dead_link[tile_of(q->router, row * m->cols + pair[c].col)];
                }
        if (valid > 0 && alive == 0)
            return true;
    }
    return false;
}

static bool ways_are_lost(const struct supervisor *s)
{
    const struct topology *t = installed(s);
    const unsigned indices[2] = {topo_indices(s->whole, false), topo_indices(s->whole, true)};
    for (unsigned r = 0; r < t->routers; r++) {
        bool touched = false;
        for (unsigned p = 0; p < t->machine->ports; p++)
            touched |= s->dead_link[tile_of(r, p)];
        for (unsigned p = 0; p < t->machine->ports && touched && !s->dead_router[r]; p++)
            for (unsigned k = 0; k < 2 && t->ports[r][p].kind != PORT_UNUSED; k++) {
                struct question q = {.router = r, .port = p, .local = k};
                for (q.index = 0; q.index < indices[k]; q.index++)
                    if (stuck(s, &q))
                        return true;
            }
    }
    return false;
}

/* Links that are whole again and routers that were given up are worth new tables as well. */
static bool ways_are_new(const struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers && s->tables; r++)
        for (unsigned p = 0; p < s->whole->machine->ports; p++)
            if (s->whole->ports[r][p].router != TOPO_NOBODY && !s->dead_router[r] &&
                !s->dead_router[s->whole->ports[r][p].router] && !s->dead_link[tile_of(r, p)] &&
                s->tables->topology.ports[r][p].kind == PORT_UNUSED &&
                (s->tables->given_up > 0 || s->fresh[r]))
                return true;
    return false;
}

static bool routers_are_lost(const struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++)
        if (s->dead_router[r] && !(s->tables && s->tables->gone[r]))
            return true;
    return false;
}

/* ---- registers --------------------------------------------------------------------------------- */

/* Requests for one router that are being gathered. */
struct batch {
    struct request *request;
    size_t count;
    unsigned router;
    struct supervisor *supervisor;
};

static void hand_in(struct batch *b)
{
    faults_ask(b->supervisor->network, b->router, b->request, b->count);
    b->count = 0;
}

static void add(struct batch *b, struct request request)
{
    b->request[b->count++] = request;
    b->supervisor->words += request.write;
    if (b->count == WORDS)
        hand_in(b);
}

static void add_word(struct batch *b, unsigned port, enum memory memory, unsigned index,
                     uint64_t word)
{
    const struct machine *m = b->supervisor->whole->machine;
    add(b,
        (struct request){true, m->route_address(port, memory), m->route_data(memory, index, word)});
}

/* All flits that came in by links. */
static void ask_counters(struct supervisor *s)
{
    const struct topology *t = s->whole;
    struct batch b = {.request = sim_alloc(WORDS, sizeof *b.request), .supervisor = s};
    for (b.router = 0; b.router < t->routers; b.router++) {
        for (unsigned p = 0; p < t->machine->ports && !s->dead_router[b.router]; p++)
            for (unsigned vc = 0; vc < t->machine->vcs && t->ports[b.router][p].kind >= PORT_LINK;
                 vc++)
                add(&b, (struct request){.address = t->machine->arrived_address(p, vc)});
        hand_in(&b);
    }
    free(b.request);
}

/* What is written into a new router's tile besides its entries. */
static void write_rest(struct batch *b, unsigned port)
{
    const struct topology *t = b->supervisor->whole;
    const struct machine *m = t->machine;
    const struct here *here = &t->here[b->router];
    for (unsigned i = 0; i < 2 * MACHINE_TYPES * m->vcs * m->phases; i++) {
        const unsigned phase = i % m->phases, vc = i / m->phases % m->vcs;
        const unsigned type = i / m->phases / m->vcs % MACHINE_TYPES;
        const unsigned nonminimal = i / m->phases / m->vcs / MACHINE_TYPES;
        add_word(b, port, MEMORY_VC_MAP, m->hop_at(nonminimal, type, vc, phase),
                 m->pack_hop(t->hop(t, b->router, port, nonminimal, type, vc, phase)));
    }
    add_word(b, port, MEMORY_BIAS, 0, b->supervisor->bias);
    add_word(b, port, MEMORY_HERE, 0, m->pack_here(here->global, here->local, b->router));
    add_word(b, port, MEMORY_FIRST, 0, topo_transit_rows(t, b->router));
}

/* The entries of one tile that differ from what stands there; all of them if nothing does. */
static void write_entries(struct batch *b, unsigned port, const struct topology *before,
                          const struct topology *after)
{
    const struct machine *m = after->machine;
    for (unsigned k = 0; k < 4; k++) {
        struct question q = {
            .router = b->router, .port = port, .nonminimal = k & 1, .local = k >> 1};
        const unsigned indices = topo_indices(b->supervisor->whole, q.local);
        for (q.index = 0; q.index < indices; q.index++) {
            uint64_t old[MACHINE_DRAWS], new[MACHINE_DRAWS];
            if (before)
                topo_entries(before, &q, old);
            topo_entries(after, &q, new);
            for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++)
                if (!before || old[draw] != new[draw])
                    add_word(b, port, q.nonminimal ? MEMORY_NONMINIMAL : MEMORY_MINIMAL,
                             m->entry_at(q.local, q.index, draw), new[draw]);
        }
    }
}

/* ---- heartbeats -------------------------------------------------------------------------------- */

/* Every word of a router's memories. */
static void write_all(struct supervisor *s, unsigned router)
{
    struct batch b = {
        .request = sim_alloc(WORDS, sizeof *b.request), .supervisor = s, .router = router};
    for (unsigned p = 0; p < s->whole->machine->ports; p++) {
        if (s->whole->ports[router][p].kind == PORT_UNUSED)
            continue;
        write_rest(&b, p);
        write_entries(&b, p, NULL, installed(s));
    }
    hand_in(&b);
    free(b.request);
}

/* A router that answers and whose node is not heard: its memories may hold something else than they should. */
static void heartbeats(struct supervisor *s)
{
    const uint64_t now = faults_now(s->network);
    if (now < s->beaten + BEAT)
        return;
    s->beaten = now;
    for (unsigned r = 0; r < s->whole->routers; r++) {
        const unsigned node = node_of(s->whole, r);
        if (node == s->whole->nodes || s->down[node] || s->dead_router[r] || r == s->home)
            continue;
        faults_beat(s->network, r, node_of(s->whole, s->home));
        if (now > s->beat[r] + SILENT && s->state == SUPERVISOR_WATCHES) {
            s->beat[r] = now;
            write_all(s, r);
            s->again++;
        }
    }
}

/* ---- new tables -------------------------------------------------------------------------------- */

static bool compute(struct supervisor *s, struct degraded **tables)
{
    *tables = degraded_new(s->whole, s->dead_router, s->dead_link);
    if (!*tables) {
        snprintf(s->error, sizeof s->error, "no router is left");
        return false;
    }
    const struct tables words = tables_computed(&(*tables)->topology);
    struct deadlock graph = {0};
    const bool good = deadlock_check(&words, 0, &graph, s->error);
    s->cycles = graph.cycles;
    if (good && graph.cycles == 0)
        return true;
    if (good)
        snprintf(s->error, sizeof s->error, "new tables have cycles: %.300s", graph.example);
    degraded_free(*tables);
    return false;
}

static bool write_tables(struct supervisor *s)
{
    struct degraded *after;
    if (!compute(s, &after))
        return false;
    assert(s->whole->routers > 0);
    struct batch b = {.request = sim_alloc(WORDS, sizeof *b.request), .supervisor = s};
    for (b.router = 0; b.router < s->whole->routers; b.router++) {
        for (unsigned p = 0; p < s->whole->machine->ports && !after->gone[b.router]; p++) {
            if (s->whole->ports[b.router][p].kind == PORT_UNUSED)
                continue;
            write_entries(&b, p, installed(s), &after->topology);
        }
        hand_in(&b);
    }
    free(b.request);
    degraded_free(s->tables);
    s->tables = after;
    s->given_up = after->given_up;
    while (after->gone[s->home] || node_of(s->whole, s->home) == s->whole->nodes)
        s->home = (s->home + 1) % s->whole->routers;
    return true;
}

/* All that have a place in the tables take part. */
static void admit(struct supervisor *s)
{
    for (unsigned n = 0; n < s->whole->nodes; n++)
        s->down[n] = s->tables && s->tables->gone[s->whole->node[n].router];
    for (unsigned r = 0; r < s->whole->routers; r++) {
        s->fresh[r] &= s->tables && s->tables->gone[r];
        s->beat[r] = faults_now(s->network);
    }
}

static void resume(struct supervisor *s)
{
    admit(s);
    faults_hold(s->network, false);
    s->times.resumed = faults_now(s->network);
    s->state = SUPERVISOR_WATCHES;
}

uint64_t supervisor_dropped(struct supervisor *s)
{
    const struct topology *t = s->whole;
    uint64_t sum = 0;
    for (unsigned r = 0; r < t->routers; r++) {
        struct request request[MACHINE_PORTS] = {0};
        faults_read(s->network, r);
        for (unsigned p = 0; p < t->machine->ports; p++)
            request[p].address = t->machine->dropped_address(p);
        if (!s->dead_router[r])
            faults_ask(s->network, r, request, t->machine->ports);
    }
    while (writing(s))
        net_run(s->network, 10);
    for (unsigned r = 0; r < t->routers; r++)
        sum += s->dead_router[r] ? 0 : faults_read(s->network, r);
    return sum;
}

/* ---- steps ------------------------------------------------------------------------------------- */

static void watch(struct supervisor *s)
{
    if (writing(s))
        s->written = faults_now(s->network);
    heartbeats(s);
    if (s->news == 0 || s->times.detected >= s->news || s->whole_round <= s->news || plugging(s) ||
        links_try(&s->links, s->dead_router, s->dead_link))
        return;
    s->times.detected = faults_now(s->network);
    find_extent(s);
    if (!routers_are_lost(s) && !ways_are_lost(s) && !ways_are_new(s)) {
        admit(s);
        s->times.resumed = s->times.detected;
        return;
    }
    faults_hold(s->network, true);
    s->times.held = s->times.detected;
    s->state = SUPERVISOR_HOLDS;
    s->sweeps = 0;
    ask_counters(s);
}

/* What has piled up while links tried takes some times as long to go. */
static uint64_t impatient(const struct supervisor *s)
{
    return IMPATIENT + 8 * links_patience(&s->links);
}

/* Quiet when nothing has moved from one sweep over all counters to the next, and no link holds back what it may still send. */
static bool hold(struct supervisor *s)
{
    bool still = s->sweeps > 0 && !links_try(&s->links, s->dead_router, NULL);
    if (writing(s))
        return true;
    for (unsigned r = 0; r < s->whole->routers; r++) {
        const uint64_t sum = faults_read(s->network, r);
        still = still && sum == s->counted[r];
        s->counted[r] = sum;
    }
    s->sweeps++;
    if (!still && faults_now(s->network) > s->times.held + impatient(s)) {
        snprintf(s->error, sizeof s->error, "packets still move %u clocks after nodes were held",
                 (unsigned)impatient(s));
        return false;
    }
    if (!still) {
        ask_counters(s);
        return true;
    }
    s->times.quiet = faults_now(s->network);
    s->state = SUPERVISOR_WRITES;
    return write_tables(s);
}

bool supervisor_step(struct supervisor *s)
{
    bool good = true;
    read_links(s);
    if (s->state == SUPERVISOR_WATCHES)
        watch(s);
    else if (s->state == SUPERVISOR_HOLDS)
        good = hold(s);
    else if (!writing(s))
        resume(s);
    return good;
}

void supervisor_replaced(struct supervisor *s, const bool *routers)
{
    for (unsigned r = 0; r < s->whole->routers; r++) {
        if (!routers[r])
            continue;
        s->dead_router[r] = false;
        s->fresh[r] = true;
        for (unsigned p = 0; p < s->whole->machine->ports; p++)
            s->dead_link[tile_of(r, p)] = s->whole->ports[r][p].router != TOPO_NOBODY;
        links_replaced(&s->links, r);
        write_all(s, r);
    }
    for (unsigned n = 0; n < s->whole->nodes; n++)
        s->down[n] |= routers[s->whole->node[n].router];
    news(s);
}
