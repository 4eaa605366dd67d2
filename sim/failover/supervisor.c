// SPDX-License-Identifier: Apache-2.0
/*
 * supervisor.c - watches, holds, computes, writes, resumes.
 */
#include "sim/failover/supervisor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/net/deadlock.h"
#include "sim/failover/words.h"
#include "sim/base/program.h"

/*
 * Clocks: between heartbeats; without one until a router is written again; that packets may move while nodes are held; that links of new
 * routers may take to train, and news to settle; without an answer until a bus is that of a dead router.
 */
enum { BEAT = 500, SILENT = 8000, IMPATIENT = 60000, TRAINING = 4000, ANSWER = 100 };

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
    s->holds = sim_alloc(whole->routers, sizeof *s->holds);
    s->busy = sim_alloc(whole->routers, sizeof *s->busy);
    faults_nodes(n, s->down, s->beat);
    links_begin(&s->links, n, whole, limits);
}

void supervisor_free(struct supervisor *s)
{
    faults_nodes(s->network, NULL, NULL);
    words_free(s);
    links_free(&s->links);
    free(s->dead_link);
    free(s->dead_router);
    free(s->fresh);
    free(s->down);
    free(s->beat);
    free(s->counted);
    free(s->busy);
}

/* ---- watching ---------------------------------------------------------------------------------- */

/* All that happened is known, and has been acted upon. */
static bool at_rest(const struct supervisor *s)
{
    return s->times.detected >= s->news;
}

static void news(struct supervisor *s)
{
    if (at_rest(s))
        s->unsettled = faults_now(s->network);
    s->news = faults_now(s->network);
    s->times.detected = 0;
}

bool supervisor_apart(const struct supervisor *s, unsigned router)
{
    for (unsigned p = 0; p < s->whole->machine->ports; p++)
        if (s->whole->ports[router][p].router != TOPO_NOBODY && !s->dead_link[tile_of(router, p)])
            return false;
    return s->fresh[router];
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

/* A bus through which packets may go has requests to answer. */
static bool asking(const struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++)
        if (!s->dead_router[r] && faults_pending(s->network, r) > 0 && !supervisor_apart(s, r))
            return true;
    return false;
}

bool supervisor_busy(const struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++)
        if (!s->dead_router[r] && faults_pending(s->network, r) > 0)
            return true;
    return false;
}

/* Remembers when each bus had requests to answer. */
static void watch_busses(struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++)
        if (faults_pending(s->network, r) > 0)
            s->busy[r] = faults_now(s->network);
}

/* Clocks that links may take to train once both ends are written, and news to settle. */
static uint64_t training(const struct supervisor *s)
{
    return TRAINING + 2 * links_patience(&s->links);
}

/* A new router is being written, or its links come up: not for ever behind its own last word and its neighbour's, one may be dead. */
static bool plugging(const struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++) {
        if (!s->fresh[r] || s->dead_router[r])
            continue;
        if (faults_pending(s->network, r) > 0)
            return true;
        for (unsigned p = 0; p < s->whole->machine->ports; p++) {
            const int32_t peer = s->whole->ports[r][p].router;
            if (peer == TOPO_NOBODY || s->dead_router[peer] || !s->dead_link[tile_of(r, p)])
                continue;
            const bool later = s->fresh[peer] && s->busy[peer] > s->busy[r];
            if (faults_now(s->network) < s->busy[later ? (unsigned)peer : r] + training(s))
                return true;
        }
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
    topo_entries(words_of(s), q, words);
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
    const struct topology *t = words_of(s);
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
        if (s->dead_router[r] && words_has_place(s, r))
            return true;
    return false;
}

/* ---- heartbeats -------------------------------------------------------------------------------- */

static bool may_be_home(const struct supervisor *s, unsigned router)
{
    return !s->dead_router[router] && !s->fresh[router] && words_has_place(s, router) &&
           node_of(s->whole, router) != s->whole->nodes;
}

/* Where heartbeats go: where they went, or to the next router that takes part. Nobody is missed who could not know that. */
static void find_home(struct supervisor *s)
{
    const unsigned routers = s->whole->routers;
    unsigned next = 0;
    while (next < routers && !may_be_home(s, (s->home + next) % routers))
        next++;
    if (next == 0 || next == routers)
        return;
    s->home = (s->home + next) % routers;
    for (unsigned r = 0; r < routers; r++)
        s->beat[r] = faults_now(s->network);
}

/*
 * A router that answers and whose node is not heard: its memories may hold something else than they should. Not while there is news, which
 * may be why it is not heard, nor before its bus has answered all that it was asked.
 */
static void heartbeats(struct supervisor *s)
{
    const uint64_t now = faults_now(s->network);
    if (now < s->beaten + BEAT)
        return;
    s->beaten = now;
    find_home(s);
    for (unsigned r = 0; r < s->whole->routers; r++) {
        const unsigned node = node_of(s->whole, r);
        if (node == s->whole->nodes || s->down[node] || s->dead_router[r] || r == s->home)
            continue;
        faults_beat(s->network, r, node_of(s->whole, s->home));
        if (at_rest(s) && now > s->beat[r] + SILENT && now > s->busy[r] + SILENT) {
            words_write_all(s, r);
            s->again++;
        }
    }
}

/* ---- new tables -------------------------------------------------------------------------------- */

/* None where no router is left. */
static bool compute(struct supervisor *s, struct degraded **tables)
{
    *tables = degraded_new(s->whole, s->dead_router, s->dead_link);
    if (!*tables)
        return true;
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
    if (!after)
        return true;
    words_write(s, after);
    s->given_up = after->given_up;
    return true;
}

/* All that have a place in the tables take part; of new routers those that are written and have links. */
static void admit(struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++) {
        s->fresh[r] &=
            !words_has_place(s, r) || supervisor_apart(s, r) || faults_pending(s->network, r) > 0;
        s->beat[r] = faults_now(s->network);
    }
    for (unsigned n = 0; n < s->whole->nodes; n++) {
        const unsigned router = s->whole->node[n].router;
        s->down[n] = s->dead_router[router] || s->fresh[router] || !words_has_place(s, router);
    }
    find_home(s);
}

static void resume(struct supervisor *s)
{
    admit(s);
    faults_hold(s->network, false);
    s->times.resumed = faults_now(s->network);
    s->state = SUPERVISOR_WATCHES;
}

/* Runs the network until all busses have answered, or none has for so long that those that are left are of dead routers. */
static void hear_all(struct supervisor *s)
{
    size_t before = 0;
    for (unsigned idle = 0; supervisor_busy(s) && idle < ANSWER; idle += 10) {
        size_t left = 0;
        net_run(s->network, 10);
        for (unsigned r = 0; r < s->whole->routers; r++)
            left += faults_pending(s->network, r);
        idle = left == before ? idle : 0;
        before = left;
    }
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
    hear_all(s);
    for (unsigned r = 0; r < t->routers; r++)
        sum += s->dead_router[r] ? 0 : faults_read(s->network, r);
    return sum;
}

/* ---- steps ------------------------------------------------------------------------------------- */

/* News is complete when a whole round of all links has brought no more, and none tries; or does not come to an end, as a cable that flaps. */
static bool settled(const struct supervisor *s)
{
    const bool quiet =
        s->whole_round > s->news && !links_try(&s->links, s->dead_router, s->dead_link);
    return quiet || faults_now(s->network) > s->unsettled + training(s);
}

/*
 * Acts on news. While a new router is written or plugged the others do not wait for it: what is lost without it is gone round; it has its
 * place in the tables after those.
 */
static void watch(struct supervisor *s)
{
    heartbeats(s);
    if (at_rest(s))
        return;
    const uint64_t now = faults_now(s->network);
    const bool waits = plugging(s);
    if (s->plugs && !waits)
        s->unsettled = now;
    s->plugs = waits;
    if (!settled(s) || (waits && s->judged == s->news))
        return;
    const bool lost = routers_are_lost(s) || ways_are_lost(s);
    s->judged = s->news;
    if (waits && !lost)
        return;
    s->unsettled = now;
    s->times.detected = waits ? 0 : now;
    find_extent(s);
    if (!lost && !ways_are_new(s)) {
        admit(s);
        s->times.resumed = now;
        return;
    }
    faults_hold(s->network, true);
    s->times.held = now;
    s->state = SUPERVISOR_HOLDS;
    s->sweeps = 0;
    s->moved = s->tried = 0;
    words_ask_counters(s);
}

/* What has piled up while links tried takes some times as long to go. */
static uint64_t impatient(const struct supervisor *s)
{
    return IMPATIENT + 8 * links_patience(&s->links);
}

/* Whether something has moved since the sweep before. */
static bool moves(struct supervisor *s)
{
    bool moved = false;
    for (unsigned r = 0; r < s->whole->routers; r++) {
        const uint64_t sum = faults_read(s->network, r);
        moved = moved || sum != s->counted[r];
        s->counted[r] = sum;
    }
    return moved;
}

/*
 * Quiet when nothing has moved from one sweep over all counters to the next, and no link holds back what it may still send. The clocks between
 * two sweeps count as patience with either, and not those that the first one waits behind words. What never comes to rest is no reason to
 * hold nodes for ever: new tables are written under it.
 */
static bool hold(struct supervisor *s)
{
    if (asking(s))
        return true;
    const bool moved = moves(s), tries = links_try(&s->links, s->dead_router, NULL);
    const uint64_t clocks = s->sweeps++ == 0 ? 0 : faults_now(s->network) - s->asked;
    s->moved += moved ? clocks : 0;
    s->tried += tries && !moved ? clocks : 0;
    if (clocks == 0 || (moved && s->moved < impatient(s)) || (tries && s->tried < training(s))) {
        words_ask_counters(s);
        return true;
    }
    s->restless += moved || tries;
    s->times.quiet = faults_now(s->network);
    s->state = SUPERVISOR_WRITES;
    if (write_tables(s))
        return true;
    resume(s);
    return false;
}

bool supervisor_step(struct supervisor *s)
{
    bool good = true;
    watch_busses(s);
    read_links(s);
    if (s->state == SUPERVISOR_WATCHES)
        watch(s);
    else if (s->state == SUPERVISOR_HOLDS)
        good = hold(s);
    else if (!asking(s))
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
        words_write_all(s, r);
    }
    for (unsigned n = 0; n < s->whole->nodes; n++)
        s->down[n] |= routers[s->whole->node[n].router];
    news(s);
}
