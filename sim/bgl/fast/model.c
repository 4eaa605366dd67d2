// SPDX-License-Identifier: Apache-2.0
/*
 * model.c - nodes and workers: events of a clock, windows, what crosses from one worker to another, counts.
 */
#include "sim/bgl/fast/model.h"

#include <stdlib.h>
#include <string.h>

#include "sim/bgl/fast/state.h"

enum { SPINS = 2000 /* looks at a meeting before its thread sleeps: some 50 us */ };

/* ---- new ---------------------------------------------------------------------------------------- */

/* What a node full of full packets has in FIFOs, on links and in the wheel. */
double model_bytes(const struct shape *s)
{
    const double packets = 1.25 * (SHAPE_PORTS * (3 * 4 + 2 + 4) + MODEL_FIFOS * 4);
    return s->nodes * (sizeof(struct node) + packets * sizeof(struct packet) +
                       64.0 * sizeof(struct event)) +
           sizeof(struct wheel);
}

void packet_more(struct worker *w)
{
    const uint32_t old = w->packets, size = old ? old + old / 4 + 1024 : 4096;
    if (size < old)
        sim_fail("more packets are inside than the model can number");
    struct packet *packet = grow(w->packet, size * sizeof *packet);
    w->packet = packet;
    w->packets = size;
    for (uint32_t p = old ? old : 1; p < size; p++)
        packet[p].next = p + 1 < size ? p + 1 : 0;
    w->unused = old ? old : 1;
}

static void new_node(struct model *m, uint32_t number)
{
    struct node *n = &m->node[number];
    n->place = shape_place(&m->config.shape, number);
    n->sent = true;
    n->passed = n->touched = UINT32_MAX;
    for (unsigned p = 0; p < SHAPE_PORTS; p++)
        for (unsigned v = 0; v < MODEL_VCS; v++)
            link_tokens(m, n, p, v, m->config.chunks);
    later(&m->worker[m->owner[number]], m->clock, EVENT_WORK, number, 0, 0);
}

/* Those of this process; others' are never touched, and take no memory. */
static void new_nodes(struct model *m)
{
    const uint32_t nodes = m->config.shape.nodes;
    m->node = m->config.ranks->count > 1 ? sim_alloc(nodes, sizeof *m->node)
                                         : sim_alloc_large(nodes * sizeof *m->node);
    for (uint32_t i = 0; i < nodes; i++)
        if (is_here(m, i))
            new_node(m, i);
}

/* Moves of dynamic packets by their hints. */
static void new_moves(struct model *m)
{
    for (unsigned hints = 0; hints < 64; hints++)
        for (unsigned p = 0; p < SHAPE_PORTS; p++)
            if (hints >> p & 1)
                m->moves[hints] |= ((UINT64_C(1) << m->config.dynamic) - 1) << channel_of(p, 0);
}

static unsigned owner_of(const struct model *m, struct place p)
{
    return shape_midplane(&m->config.shape, p) * m->workers / shape_midplanes(&m->config.shape);
}

/* Where a rack of a dimension stands: they are cabled in the order 1, 3, 5, ..., 6, 4, 2, and back to 1. */
static int rack_at(int rack, int racks)
{
    return rack < (racks + 1) / 2 ? 2 * rack : 2 * (racks - 1 - rack) + 1;
}

/* Clocks of all cables. */
static void new_cables(struct model *m)
{
    const struct model_config *c = &m->config;
    for (unsigned p = 0; p < SHAPE_PORTS; p++) {
        const unsigned size = c->shape.size[p / 2];
        const int racks = (int)((size + SHAPE_MIDPLANE - 1) / SHAPE_MIDPLANE);
        for (unsigned at = 0; at < size; at++) {
            const int from = (int)(at / SHAPE_MIDPLANE);
            const int to = (int)(shape_step(size, at, p) / SHAPE_MIDPLANE);
            const int passed = abs(rack_at(from, racks) - rack_at(to, racks));
            m->cable[p][at] = (uint8_t)(c->delay + c->racks * (unsigned)passed);
        }
    }
}

static void new_worker(struct model *m, unsigned number)
{
    struct worker *w = &m->worker[number];
    w->model = m;
    w->number = number;
    w->list = sim_alloc(w->nodes + 1, sizeof *w->list);
    for (unsigned side = 0; side < 2; side++)
        w->out[side] = sim_alloc(m->workers, sizeof *w->out[side]);
}

struct model *model_new(const struct model_config *config)
{
    struct model *m = sim_alloc_large(sizeof *m);
    m->config = *config;
    m->clock = MODEL_WINDOW; /* clocks from 1 on are later than "never" */
    m->workers = config->ranks->count > 1 ? config->ranks->count : config->threads;
    m->worker = sim_alloc_large(m->workers * sizeof *m->worker);
    m->own = &m->worker[config->ranks->rank];
    m->owner = sim_alloc(config->shape.nodes, sizeof *m->owner);
    pthread_mutex_init(&m->meeting.mutex, NULL);
    pthread_cond_init(&m->meeting.over, NULL);
    for (unsigned r = 0; r < RANGES; r++)
        m->least[r] = (uint8_t)(config->chunks / 4 * (r + 1) + 1);
    new_moves(m);
    new_cables(m);
    for (uint32_t i = 0; i < config->shape.nodes; i++) {
        m->owner[i] = (uint16_t)owner_of(m, shape_place(&config->shape, i));
        m->worker[m->owner[i]].nodes++;
    }
    for (unsigned t = 0; t < m->workers; t++)
        new_worker(m, t);
    new_nodes(m);
    border_new(m);
    return m;
}

void model_free(struct model *m)
{
    for (unsigned t = 0; t < m->workers; t++) {
        struct worker *w = &m->worker[t];
        for (unsigned i = 0; i < WHEEL_SLOTS; i++) {
            event_clear(&w->wheel, &w->wheel.own[i]);
            event_clear(&w->wheel, &w->wheel.sent[i]);
        }
        for (struct event_block *block; (block = w->wheel.unused) != NULL; free(block))
            w->wheel.unused = block->next;
        for (unsigned side = 0; side < 2; side++) {
            for (unsigned i = 0; i < m->workers; i++)
                free(w->out[side][i].letter);
            free(w->out[side]);
        }
        free(w->packet);
        free(w->list);
        free(w->point);
    }
    border_free(m);
    pthread_mutex_destroy(&m->meeting.mutex);
    pthread_cond_destroy(&m->meeting.over);
    free(m->node);
    free(m->worker);
    free(m->owner);
    free(m);
}

/* ---- a clock ------------------------------------------------------------------------------------ */

static void post(struct letters *l, const struct letter *letter)
{
    if (l->count == l->size) {
        l->size = l->size ? 2 * l->size : 64;
        l->letter = grow(l->letter, l->size * sizeof *l->letter);
    }
    l->letter[l->count++] = *letter;
}

void send_event(struct worker *w, const struct node *n, unsigned p, uint32_t clock, struct event e,
                uint32_t packet)
{
    const struct model *m = w->model;
    const struct shape *s = &m->config.shape;
    const uint32_t to = shape_node(s, shape_neighbour(s, n->place, p));
    e.node = to & 0xffffff;
    e.port = p ^ 1;
    if (packet) {
        e.low = packet;
        if (m->config.dead && m->config.dead[to])
            sim_fail("node %u is dead, and a packet goes there by port %u", to, p);
    }
    if (m->owner[to] == w->number) {
        event_add(&w->wheel, &w->wheel.sent[clock % WHEEL_SLOTS], e);
        return;
    }
    struct letter letter = {.clock = clock, .event = e};
    if (packet) {
        letter.packet = w->packet[packet];
        packet_give(w, packet);
    }
    post(&w->out[w->side][m->owner[to]], &letter);
}

void letter_take(struct worker *w, const struct letter *letter)
{
    struct event e = letter->event;
    if (e.kind == EVENT_ARRIVE) {
        e.low = packet_take(w);
        w->packet[e.low] = letter->packet;
    }
    event_add(&w->wheel, &w->wheel.sent[letter->clock % WHEEL_SLOTS], e);
}

static void happens(struct worker *w, const struct event *e, uint32_t now)
{
    struct node *n = &w->model->node[e->node];
    switch ((enum event_kind)e->kind) {
    case EVENT_WAKE:
        break;
    case EVENT_LINK:
        if (n->fronts >> INJECT && !w->model->config.gap)
            later(w, now + EARLIER, EVENT_WAKE, e->node, 0, 0);
        later(w, now + TO_LINK + EARLIER - 2, EVENT_ACK, e->node, e->port, 0);
        break;
    case EVENT_ACK:
        link_ack(w, n, e->node, e->port, now);
        return;
    case EVENT_MISSED:
        link_missed(w, n, e->node, e->port, e->low, now);
        return;
    case EVENT_STORE:
        link_store(w, n, e->port, e->low, now);
        break;
    case EVENT_DONE:
        channel_done(w, n, e->node, e->low, now);
        break;
    case EVENT_DELIVER:
        host_deliver(w, n, e->node, e->port, e->low, now);
        break;
    case EVENT_WORK:
        host_work(w, n, e->node, now);
        break;
    case EVENT_ARRIVE:
        link_arrive(w, n, e->node, e->port, e, now);
        break;
    case EVENT_TOKENS:
        link_freed(w, n, e->port, e);
        break;
    }
    if (n->touched != now) {
        n->touched = now;
        w->list[w->listed++] = e->node;
    }
}

static void all_happen(struct worker *w, struct event_list *l, uint32_t now)
{
    for (const struct event_block *block = l->first; block; block = block->next) {
        w->counts.events += block->count;
        for (uint32_t i = 0; i < block->count; i++)
            happens(w, &block->event[i], now);
    }
    event_clear(&w->wheel, l);
}

/* Events of a clock, then a decision of each node that they touched. */
static void clock_of(struct worker *w, uint32_t now)
{
    struct event_list *own = &w->wheel.own[now % WHEEL_SLOTS];
    struct event_list *sent = &w->wheel.sent[now % WHEEL_SLOTS];
    w->listed = 0;
    all_happen(w, own, now);
    all_happen(w, sent, now);
    for (uint32_t i = 0; i < w->listed; i++) {
        struct node *n = &w->model->node[w->list[i]];
        if (n->acks)
            link_unblocked(w, n);
        arbitrate(w, n, w->list[i], now);
    }
}

/* ---- windows ------------------------------------------------------------------------------------ */

/* The point of the series that this clock belongs to. */
static void point_of(struct worker *w, uint32_t clock)
{
    const uint32_t interval = w->model->config.interval;
    const uint32_t points = interval ? (clock - MODEL_WINDOW) / interval + 1 : 0;
    if (points <= w->points)
        return;
    w->point = grow(w->point, points * sizeof *w->point);
    memset(w->point + w->points, 0, (points - w->points) * sizeof *w->point);
    w->points = points;
}

/* Returns when all threads have called it: who waits looks for a while, then sleeps. */
static void meet(struct meeting *m, unsigned threads)
{
    const unsigned round = atomic_load(&m->round);
    if (atomic_fetch_add(&m->here, 1) + 1 == threads) {
        pthread_mutex_lock(&m->mutex);
        atomic_store(&m->here, 0);
        atomic_store(&m->round, round + 1);
        pthread_cond_broadcast(&m->over);
        pthread_mutex_unlock(&m->mutex);
        return;
    }
    for (unsigned i = 0; i < SPINS && atomic_load(&m->round) == round; i++)
        ;
    if (atomic_load(&m->round) != round)
        return;
    pthread_mutex_lock(&m->mutex);
    while (atomic_load(&m->round) == round)
        pthread_cond_wait(&m->over, &m->mutex);
    pthread_mutex_unlock(&m->mutex);
}

/* Letters of the last window to the threads' nodes: they meet once, as in the next window each writes to the other side. */
static struct left cross(struct worker *w)
{
    struct model *m = w->model;
    const unsigned side = w->side;
    struct left all = {0};
    w->shown[side] = w->left;
    w->side = !side;
    if (m->workers > 1)
        meet(&m->meeting, m->workers);
    for (unsigned t = 0; t < m->workers; t++) {
        struct letters *l = &m->worker[t].out[side][w->number];
        all.inside += m->worker[t].shown[side].inside;
        all.idle += m->worker[t].shown[side].idle;
        for (uint32_t i = 0; i < l->count; i++)
            letter_take(w, &l->letter[i]);
        l->count = 0;
    }
    return all;
}

static void *run(void *worker)
{
    struct worker *w = worker;
    struct model *m = w->model;
    uint32_t clock = m->clock;
    for (bool over = false; clock < m->until && !over;) {
        const uint32_t end = m->until - clock < MODEL_WINDOW ? m->until : clock + MODEL_WINDOW;
        for (; clock < end; clock++) {
            point_of(w, clock);
            clock_of(w, clock);
        }
        const struct left left = m->config.ranks->count > 1 ? border_cross(w) : cross(w);
        over = left.inside == 0 && left.idle == m->config.shape.nodes;
        if (w == m->own)
            m->over = over;
    }
    if (w == m->own) /* all others have begun, as they have met */
        m->clock = clock;
    return NULL;
}

bool model_run(struct model *m, uint32_t clocks)
{
    const unsigned threads = m->config.threads;
    pthread_t thread[threads];
    m->until = m->clock + clocks;
    m->over = false;
    for (unsigned t = 1; t < threads; t++)
        if (pthread_create(&thread[t], NULL, run, &m->worker[t]) != 0)
            sim_fail("the system gives no %u threads", threads);
    run(m->own);
    for (unsigned t = 1; t < threads; t++)
        pthread_join(thread[t], NULL);
    return m->over;
}

/* ---- counts ------------------------------------------------------------------------------------- */

uint32_t model_clock(const struct model *m)
{
    return m->clock - MODEL_WINDOW;
}

uint64_t model_inside(const struct model *m)
{
    uint64_t inside = 0;
    for (unsigned t = 0; t < m->workers; t++)
        inside += m->worker[t].left.inside;
    m->config.ranks->sum(&inside, 1);
    return inside;
}

/* Chunks that wait in VC FIFOs. */
static uint64_t held_now(const struct model *m)
{
    uint64_t held = 0;
    for (uint32_t i = 0; i < m->config.shape.nodes; i++)
        for (unsigned p = 0; is_here(m, i) && p < SHAPE_PORTS; p++)
            for (unsigned v = 0; v < MODEL_VCS; v++)
                held += m->node[i].port[p].vc[v].held;
    return held;
}

void model_measure(struct model *m)
{
    for (unsigned t = 0; t < m->workers; t++)
        m->worker[t].counts = (struct model_counts){.last = 0};
    m->own->counts.held = -held_now(m) * m->clock;
    m->measured = m->clock;
    for (uint32_t i = 0; i < m->config.shape.nodes; i++)
        for (unsigned p = 0; is_here(m, i) && p < SHAPE_PORTS; p++)
            m->node[i].port[p].busy = 0;
}

struct model_counts model_counts(const struct model *m)
{
    enum { SUMS = offsetof(struct model_counts, last) / sizeof(uint64_t) }; /* all but the last */
    struct model_counts all = {.held = held_now(m) * m->clock};
    uint64_t last = 0;
    for (unsigned t = 0; t < m->workers; t++) {
        const struct model_counts *c = &m->worker[t].counts;
        uint64_t *sum = (uint64_t *)&all;
        const uint64_t *more = (const uint64_t *)c;
        for (size_t i = 0; i < SUMS; i++)
            sum[i] += more[i];
        last = last > c->last ? last : c->last;
    }
    m->config.ranks->sum((uint64_t *)&all, SUMS);
    m->config.ranks->most(&last, 1);
    all.last = (uint32_t)last - (last ? MODEL_WINDOW : 0);
    return all;
}

unsigned model_series(const struct model *m, struct model_point **points)
{
    enum { SUMS = sizeof(struct model_point) / sizeof(uint64_t) };
    const unsigned count = m->own->points; /* as of all workers */
    *points = sim_alloc(count + 1, sizeof **points);
    for (unsigned t = 0; t < m->workers; t++)
        for (unsigned i = 0; i < m->worker[t].points; i++) {
            uint64_t *sum = (uint64_t *)&(*points)[i];
            const uint64_t *more = (const uint64_t *)&m->worker[t].point[i];
            for (size_t k = 0; k < SUMS; k++)
                sum[k] += more[k];
        }
    m->config.ranks->sum((uint64_t *)*points, (size_t)count * SUMS);
    return count;
}

uint64_t model_entries(const struct model *m, bool (*chosen)(const void *to, struct place p),
                       const void *to, unsigned *links)
{
    const struct shape *s = &m->config.shape;
    uint64_t busy = 0;
    *links = 0;
    for (uint32_t i = 0; i < s->nodes; i++)
        for (unsigned p = 0; p < SHAPE_PORTS; p++)
            if (s->size[p / 2] > 1 && !chosen(to, shape_place(s, i)) &&
                chosen(to, shape_neighbour(s, shape_place(s, i), p))) {
                busy += is_here(m, i) ? m->node[i].port[p].busy : 0;
                ++*links;
            }
    m->config.ranks->sum(&busy, 1);
    return busy;
}
