// SPDX-License-Identifier: Apache-2.0
/*
 * deadlock.c - builds the channel dependency graph and finds its cycles (Tarjan's algorithm).
 */
#include "sim/net/deadlock.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/parallel.h"
#include "sim/base/program.h"
#include "sim/net/walk.h"

/*
 * Channels are numbered: input queues first, q = (router * ports + port) * vcs + vc, then row buffers,
 * queues + (tile * cols + col) * vcs + vc.
 */
struct graph {
    const struct topology *topology;
    unsigned routers; /* below which numbers are folded: those of one group, or all */
    size_t queues, channels;
    uint64_t *row_buffers; /* of each input queue: bit col * 8 + vc */
    uint8_t *rows;         /* of each row buffer: ports of its column */
    uint8_t *used;         /* of each channel */
};

static size_t queue_number(const struct graph *g, const struct walk_state *s)
{
    const struct machine *m = g->topology->machine;
    return ((size_t)(s->router % g->routers) * m->ports + s->port) * m->vcs + s->vc;
}

static size_t buffer_number(const struct graph *g, size_t tile, unsigned col, unsigned vc)
{
    const struct machine *m = g->topology->machine;
    return g->queues + (tile * m->cols + col) * m->vcs + vc;
}

/* The graph, and what the walks and then the search for cycles take beside it. */
static double room_of(const struct graph *g, unsigned jobs)
{
    const double states = (double)walk_numbers(g->topology), channels = (double)g->channels;
    const double walk = states * sizeof(uint32_t) + (double)walk_bytes(g->topology);
    const double cycles = channels * (4 * sizeof(uint32_t) + 2), walks = walk * jobs;
    return (double)g->queues * sizeof *g->row_buffers + channels * 2 +
           (walks > cycles ? walks : cycles);
}

static void graph_new(struct graph *g, const struct topology *t, unsigned routers, unsigned jobs)
{
    const struct machine *m = t->machine;
    const size_t tiles = (size_t)routers * m->ports;
    *g = (struct graph){.topology = t, .routers = routers, .queues = tiles * m->vcs};
    g->channels = g->queues + tiles * m->cols * m->vcs;
    sim_room(t->name, room_of(g, jobs));
    g->row_buffers = sim_alloc(g->queues, sizeof *g->row_buffers);
    g->rows = sim_alloc(g->channels - g->queues, sizeof *g->rows);
    g->used = sim_alloc(g->channels, sizeof *g->used);
}

static void graph_free(struct graph *g)
{
    free(g->row_buffers);
    free(g->rows);
    free(g->used);
}

/* Bits are set by all threads; most are already there. */
static void add_bits(uint64_t *word, uint64_t bits)
{
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static void add_byte(uint8_t *byte, uint8_t bits)
{
    if ((__atomic_load_n(byte, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(byte, bits, __ATOMIC_RELAXED);
}

static void add_step(struct graph *g, const struct walk_state *at, const struct walk_step *step)
{
    const size_t queue = queue_number(g, at), tile = queue / g->topology->machine->vcs;
    const size_t buffer = buffer_number(g, tile, step->col, step->vc);
    add_byte(&g->used[queue], 1);
    add_byte(&g->used[buffer], 1);
    add_bits(&g->row_buffers[queue], UINT64_C(1) << (step->col * 8 + step->vc));
    if (!step->ejected)
        add_byte(&g->rows[buffer - g->queues], (uint8_t)(1U << step->row));
}

/* ---- walking ---------------------------------------------------------------------------------- */

struct states {
    struct walk_state *state;
    size_t count, room;
};

/* The walks of one thread. */
struct search {
    struct graph *graph;
    struct walker walker;
    uint32_t *seen; /* of each state: the walk that has been there */
    uint32_t now;
    struct states todo, arrived; /* in other groups, at the destination's */
    bool *local;                 /* of the group whose turn it is: routers with nodes */
    unsigned failed;          /* the first group of those tried that has no route, else UINT_MAX */
    char error[TABLES_ERROR]; /* that says so */
};

static void add_state(struct states *list, const struct walk_state *state)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        struct walk_state *more = realloc(list->state, list->room * sizeof *more);
        if (!more)
            sim_fail("out of memory");
        list->state = more;
    }
    list->state[list->count++] = *state;
}

static void visit(struct search *s, const struct walk_state *state, bool arrived)
{
    uint32_t *seen = &s->seen[walk_number(s->graph->topology, state)];
    if (*seen == s->now)
        return;
    *seen = s->now;
    add_state(arrived ? &s->arrived : &s->todo, state);
}

/* Packets injected into routers of the group (inside) or all others. */
static void inject(struct search *s, unsigned global, bool inside)
{
    const struct topology *t = s->graph->topology;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++)
            for (unsigned c = 0; c < t->classes; c++) {
                const struct walk_state state = {r, (uint8_t)p, (uint8_t)t->first_vc[c], 0};
                if (t->ports[r][p].kind == PORT_PROCESSOR &&
                    (t->here[r].global == global) == inside)
                    visit(s, &state, false);
            }
}

/* Packets at every port in use of those routers, with any VC and phase. */
static void appear(struct search *s, unsigned global, bool inside)
{
    const struct topology *t = s->graph->topology;
    const struct machine *m = t->machine;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned i = 0; i < m->ports * m->vcs * m->phases; i++) {
            const struct walk_state state = {r, (uint8_t)(i / m->phases / m->vcs),
                                             (uint8_t)(i / m->phases % m->vcs),
                                             (uint8_t)(i % m->phases)};
            if (t->ports[r][state.port].kind != PORT_UNUSED &&
                (t->here[r].global == global) == inside)
                visit(s, &state, false);
        }
}

static void begin(struct search *s, unsigned global, bool inside)
{
    if (s->walker.any)
        appear(s, global, inside);
    else
        inject(s, global, inside);
}

/* All that may follow from what is to do; stops at routers of group `stop`, unless that is nobody. */
static bool follow(struct search *s, bool to_group)
{
    const struct topology *t = s->graph->topology;
    struct walk_step step[WALK_STEPS];
    while (s->todo.count > 0) {
        const struct walk_state at = s->todo.state[--s->todo.count];
        const unsigned count = walk_steps(&s->walker, &at, step);
        if (count == 0 && !s->walker.any) {
            snprintf(s->error, sizeof s->error,
                     "router %u, port %u, VC %u: no route to global %u local %u", at.router,
                     at.port, at.vc, s->walker.global, s->walker.local);
            return false;
        }
        for (unsigned i = 0; i < count; i++) {
            add_step(s->graph, &at, &step[i]);
            if (!step[i].ejected)
                visit(s, &step[i].next,
                      to_group && t->here[step[i].next.router].global == s->walker.global);
        }
    }
    return true;
}

/* Packets for all destinations of a group: outside of it they go alike. */
static bool search_group(struct search *s, unsigned global, const bool *locals, unsigned count)
{
    bool outside = true;
    for (unsigned local = 0; local < count; local++) {
        if (!locals[local])
            continue;
        walk_aim(&s->walker, global, local);
        if (outside) {
            s->now++;
            s->arrived.count = 0;
            begin(s, global, false);
            if (!follow(s, true))
                return false;
            outside = false;
        }
        s->now++;
        begin(s, global, true);
        for (size_t i = 0; i < s->arrived.count; i++)
            visit(s, &s->arrived.state[i], false);
        if (!follow(s, false))
            return false;
    }
    return true;
}

struct all {
    const struct topology *topology;
    struct search *search; /* of each thread */
    unsigned tried, locals, done;
    struct sim_progress progress; /* thread 0 tells it */
};

static void search_one(void *memory, unsigned thread, unsigned i)
{
    struct all *all = memory;
    struct search *s = &all->search[thread];
    const struct topology *t = all->topology;
    const unsigned global = t->group[(uint64_t)i * t->groups / all->tried];
    if (s->failed != UINT_MAX)
        return;
    memset(s->local, 0, all->locals * sizeof *s->local);
    for (unsigned n = 0; n < t->nodes; n++)
        if (t->node[n].global == global)
            s->local[t->node[n].local] = true;
    if (!search_group(s, global, s->local, all->locals))
        s->failed = i;
    const unsigned done = __atomic_add_fetch(&all->done, 1, __ATOMIC_RELAXED);
    if (thread == 0)
        sim_progress(&all->progress, "%s: destinations of %u of %u groups", t->name, done,
                     all->tried);
}

static void search_new(struct search *s, struct graph *g, const struct tables *tables,
                       enum deadlock_heads heads)
{
    *s = (struct search){.graph = g, .failed = UINT_MAX};
    walk_new(&s->walker, tables, false);
    s->walker.any = heads == HEADS_ANY;
    s->walker.every = g->routers != g->topology->routers;
    s->seen = sim_alloc(walk_numbers(g->topology), sizeof *s->seen);
    s->local = sim_alloc(tables->indices[1], sizeof *s->local);
}

static void search_free(struct search *s)
{
    walk_free(&s->walker);
    free(s->seen);
    free(s->local);
    free(s->todo.state);
    free(s->arrived.state);
}

/* Each thread takes the next group of destinations; the graph is the same for any number of them. */
static bool walk_graph(struct graph *g, const struct tables *tables, enum deadlock_heads heads,
                       unsigned groups, unsigned jobs, struct deadlock *result,
                       char error[TABLES_ERROR])
{
    const struct topology *t = g->topology;
    struct all all = {.topology = t, .locals = tables->indices[1]};
    unsigned failed = UINT_MAX;
    all.tried = result->groups = groups && groups < t->groups ? groups : t->groups;
    all.search = sim_alloc(jobs, sizeof *all.search);
    for (unsigned i = 0; i < jobs; i++)
        search_new(&all.search[i], g, tables, heads);
    sim_parallel(jobs, all.tried, search_one, &all);
    for (unsigned i = 0; i < jobs; i++) {
        if (all.search[i].failed < failed) {
            failed = all.search[i].failed;
            memcpy(error, all.search[i].error, TABLES_ERROR);
        }
        search_free(&all.search[i]);
    }
    free(all.search);
    return failed == UINT_MAX;
}

/* ---- cycles ----------------------------------------------------------------------------------- */

/* Calls of this go through the successors of a channel: SIZE_MAX after the last. */
static size_t successor(const struct graph *g, size_t channel, unsigned *turn)
{
    const struct topology *t = g->topology;
    const struct machine *m = t->machine;
    if (channel < g->queues) {
        const uint64_t left = *turn < 64 ? g->row_buffers[channel] >> *turn << *turn : 0;
        if (left == 0)
            return SIZE_MAX;
        const unsigned bit = (unsigned)__builtin_ctzll(left);
        *turn = bit + 1;
        return buffer_number(g, channel / m->vcs, bit / 8, bit % 8);
    }
    const size_t buffer = channel - g->queues, tile = buffer / m->vcs / m->cols;
    const unsigned left = (unsigned)g->rows[buffer] >> *turn << *turn;
    if (left == 0)
        return SIZE_MAX;
    const unsigned row = (unsigned)__builtin_ctz(left);
    *turn = row + 1;
    const unsigned col = (unsigned)(buffer / m->vcs % m->cols);
    const struct port *port = &t->ports[tile / m->ports][row * m->cols + col];
    const struct walk_state next = {(uint32_t)port->router, port->port, (uint8_t)(buffer % m->vcs),
                                    0};
    return queue_number(g, &next);
}

struct tarjan {
    const struct graph *graph;
    uint32_t *index, *low;
    uint8_t *turn, *on_stack;
    uint32_t *stack, *calls;
    size_t stacked, depth;
    uint32_t count;
    size_t member; /* of the largest cyclic component */
};

static void enter(struct tarjan *t, size_t channel)
{
    t->index[channel] = t->low[channel] = ++t->count;
    t->stack[t->stacked++] = (uint32_t)channel;
    t->on_stack[channel] = 1;
    t->calls[t->depth++] = (uint32_t)channel;
}

static void leave(struct tarjan *t, size_t channel, struct deadlock *result)
{
    t->depth--;
    if (t->depth > 0) {
        const uint32_t caller = t->calls[t->depth - 1];
        t->low[caller] = t->low[channel] < t->low[caller] ? t->low[channel] : t->low[caller];
    }
    if (t->low[channel] != t->index[channel])
        return;
    uint64_t size = 0;
    uint32_t member;
    do {
        member = t->stack[--t->stacked];
        t->on_stack[member] = 0;
        size++;
    } while (member != channel);
    /* queues lead to buffers and buffers to queues, so a channel alone is no cycle */
    result->cycles += size > 1;
    if (size > 1 && size > result->largest) {
        result->largest = size;
        t->member = channel;
    }
}

static void components(struct tarjan *t, size_t root, struct deadlock *result)
{
    enter(t, root);
    while (t->depth > 0) {
        const size_t channel = t->calls[t->depth - 1];
        unsigned turn = t->turn[channel];
        const size_t next = successor(t->graph, channel, &turn);
        t->turn[channel] = (uint8_t)turn;
        if (next == SIZE_MAX) {
            leave(t, channel, result);
            continue;
        }
        result->dependencies++;
        if (t->index[next] == 0)
            enter(t, next);
        else if (t->on_stack[next] && t->index[next] < t->low[channel])
            t->low[channel] = t->index[next];
    }
}

static size_t describe(const struct graph *g, size_t channel, char *text, size_t size)
{
    const struct topology *t = g->topology;
    const struct machine *m = t->machine;
    if (channel >= g->queues)
        return 0;
    const size_t tile = channel / m->vcs;
    const unsigned router = (unsigned)(tile / m->ports), port = (unsigned)(tile % m->ports);
    const int n = snprintf(text, size, "%u.%u %s VC %u, ", router, port,
                           t->kinds[t->ports[router][port].kind], (unsigned)(channel % m->vcs));
    return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

/* A shortest cycle through a channel: breadth first until it is met again. */
static void show_cycle(const struct graph *g, size_t from, struct deadlock *result)
{
    uint32_t *before = sim_alloc(g->channels, sizeof *before); /* + 1; 0: not met */
    uint32_t *queue = sim_alloc(g->channels, sizeof *queue);
    size_t head = 0, tail = 0, used = 0;
    queue[tail++] = (uint32_t)from;
    while (head < tail && before[from] == 0) {
        const uint32_t channel = queue[head++];
        unsigned turn = 0;
        for (size_t next; (next = successor(g, channel, &turn)) != SIZE_MAX;)
            if (before[next] == 0) {
                before[next] = channel + 1;
                queue[tail++] = (uint32_t)next;
            }
    }
    size_t channel = from;
    do {
        used += describe(g, channel, result->example + used, sizeof result->example - used);
        channel = before[channel] - 1;
    } while (channel != from);
    if (used >= 2)
        result->example[used - 2] = '\0';
    free(before);
    free(queue);
}

static void find_cycles(const struct graph *g, struct deadlock *result)
{
    struct tarjan t = {.graph = g};
    t.index = sim_alloc(g->channels, sizeof *t.index);
    t.low = sim_alloc(g->channels, sizeof *t.low);
    t.turn = sim_alloc(g->channels, sizeof *t.turn);
    t.on_stack = sim_alloc(g->channels, sizeof *t.on_stack);
    t.stack = sim_alloc(g->channels, sizeof *t.stack);
    t.calls = sim_alloc(g->channels, sizeof *t.calls);
    for (size_t c = 0; c < g->channels; c++) {
        result->channels += g->used[c];
        if (g->used[c] && t.index[c] == 0)
            components(&t, c, result);
    }
    if (result->cycles)
        show_cycle(g, t.member, result);
    free(t.index);
    free(t.low);
    free(t.turn);
    free(t.on_stack);
    free(t.stack);
    free(t.calls);
}

static bool check(const struct tables *tables, enum deadlock_heads heads, unsigned routers,
                  unsigned groups, unsigned jobs, struct deadlock *result, char error[TABLES_ERROR])
{
    struct graph g;
    *result = (struct deadlock){0};
    graph_new(&g, tables->topology, routers, jobs);
    result->bytes = room_of(&g, jobs);
    const bool good = walk_graph(&g, tables, heads, groups, jobs, result, error);
    if (good)
        find_cycles(&g, result);
    graph_free(&g);
    return good;
}

bool deadlock_check_by(const struct tables *tables, enum deadlock_heads heads, unsigned groups,
                       unsigned jobs, struct deadlock *result, char error[TABLES_ERROR])
{
    return check(tables, heads, tables->topology->routers, groups, jobs, result, error);
}

bool deadlock_check(const struct tables *tables, unsigned groups, struct deadlock *result,
                    char error[TABLES_ERROR])
{
    return deadlock_check_by(tables, HEADS_SENT, groups, 1, result, error);
}

/* ---- one group for all --------------------------------------------------------------------------- */

/* Whether every router is wired like the one of the same number in the group before. */
static bool wired_alike(const struct topology *t)
{
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++) {
            const struct port *a = &t->ports[r][p];
            const struct port *b = &t->ports[(r + t->period) % t->routers][p];
            const bool nobody = a->router == TOPO_NOBODY;
            if (a->kind != b->kind || nobody != (b->router == TOPO_NOBODY))
                return false;
            if (!nobody && (a->port != b->port ||
                            ((unsigned)a->router + t->period) % t->routers != (unsigned)b->router))
                return false;
        }
    return true;
}

static void ask(const struct topology *t, struct question q, unsigned group,
                struct candidate_list *list)
{
    *list = (struct candidate_list){0};
    q.router += group * t->period;
    if (!q.local)
        q.index = (q.index + group) % t->groups;
    t->candidates(t, &q, list);
}

/* Whether the candidates of all destinations in a group are those in the group before, moved by one. */
static bool routed_alike(const struct topology *t, unsigned group, const unsigned indices[2])
{
    static struct candidate_list a, b;
    for (unsigned tile = 0; tile < t->period * t->machine->ports; tile++)
        for (unsigned k = 0; k < 4; k++) {
            struct question q = {.router = tile / t->machine->ports,
                                 .port = tile % t->machine->ports,
                                 .nonminimal = k & 1,
                                 .local = k >> 1};
            for (; q.index < indices[q.local]; q.index++) {
                ask(t, q, 0, &a);
                ask(t, q, group, &b);
                if (memcmp(&a, &b, sizeof a) != 0)
                    return false;
            }
        }
    return true;
}

bool deadlock_check_folded(const struct topology *t, unsigned jobs, struct deadlock *result,
                           char error[TABLES_ERROR])
{
    const struct tables tables = tables_computed(t);
    if (t->period == 0 || t->groups < 2) {
        snprintf(error, TABLES_ERROR, "its groups are not alike, so one cannot stand for all");
        return false;
    }
    if (!wired_alike(t) || !routed_alike(t, 1, tables.indices) ||
        !routed_alike(t, t->groups - 1, tables.indices)) {
        snprintf(error, TABLES_ERROR, "its groups should be alike, and are not");
        return false;
    }
    return check(&tables, HEADS_SENT, t->period, 1, jobs, result, error);
}
