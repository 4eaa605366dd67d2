// SPDX-License-Identifier: Apache-2.0
/*
 * nic_channel.c - packets between NICs.
 */
#include "tb/system/nic/nic_channel.h"

#include <stdlib.h>
#include <string.h>

struct nic_channel *channel_of(const struct nic_bench *b)
{
    return b->network;
}

/* ---- packets ----------------------------------------------------------------------------------- */

static void grow(struct channel_queue *q)
{
    unsigned room = q->room == 0 ? 64 : 2 * q->room;
    struct channel_packet *bigger = realloc(q->packet, room * sizeof(*bigger));

    if (bigger == NULL) {
        abort();
    }
    q->packet = bigger;
    q->room = room;
}

/* Clocks that a packet is late: a request by chance, a response as its request was. */
static unsigned lateness(struct nic_bench *b, int class, beat_word head)
{
    struct nic_channel *c = b->network;
    unsigned node = (unsigned)(class == 0 ? req_src(head) : req_node(head)) % GN_NODES;
    bool *late = &c->late[node][(class == 0 ? req_tag(head) : rsp_tag(head)) % (1 << NIC_TAG_LOG2)];

    if (class == 0) {
        *late = rng_chance(&b->rng, c->knobs.late);
    }
    return *late ? c->knobs.late_delay * 3 / 4 + rng_below(&b->rng, c->knobs.late_delay / 4) : 0;
}

/* One copy, so many clocks later than others. */
static void add(struct nic_bench *b, unsigned to, int class, const struct channel_packet *p,
                uint64_t later)
{
    struct channel_knobs *k = &channel_of(b)->knobs;
    struct channel_queue *q = &channel_of(b)->node[to].queue[class];

    if (q->count == q->room) {
        grow(q);
    }
    q->packet[q->count] = *p;
    q->packet[q->count].next = 0;
    q->packet[q->count++].due = b->clock + k->delay + later +
                                (k->delay_extra != 0 ? rng_below(&b->rng, k->delay_extra) : 0);
}

void channel_send(struct nic_bench *b, unsigned to, int class, const struct channel_packet *p)
{
    add(b, to, class, p, 0);
}

/* The one with this address, or b->nodes. */
static unsigned node_at(const struct nic_bench *b, uint32_t address)
{
    unsigned i = 0;

    while (i < b->nodes && b->node[i].address != address) {
        i++;
    }
    return i;
}

static void deliver(struct nic_bench *b, int class, const struct channel_packet *sent)
{
    struct nic_channel *c = b->network;
    struct channel_packet p = *sent;
    unsigned to = node_at(b, req_node(p.beat[0].word)); /* the same place in both */
    uint64_t late;

    p.due = 0;
    c->packets[class]++;
    if (c->cover != NULL) {
        nic_cover_packet(c->cover, class, p.beat[0].word);
    }
    if (to == b->nodes) {
        c->stray++;
        return;
    }
    if (rng_chance(&b->rng, c->knobs.loss) ||
        (c->tamper != NULL && !c->tamper(c->tamper_whose, class, &p))) {
        c->lost++;
        return;
    }
    late = p.due + lateness(b, class, sent->beat[0].word);
    if (class == 1 && rng_chance(&b->rng, c->knobs.repeat)) {
        c->repeated++;
        add(b, to, class, &p,
            late + (c->knobs.repeat_delay != 0 ? rng_below(&b->rng, c->knobs.repeat_delay) : 0));
    }
    add(b, to, class, &p, late);
}

/* A beat that comes out of a NIC. */
static void collect(struct nic_bench *b, struct channel_node *n, int class, const struct beat *beat)
{
    struct channel_packet *p = &n->sending[class];

    if (!beat->valid) {
        return;
    }
    if (beat->head != (p->count == 0) || p->count == BEATS) {
        tap_note("clock %llu: a packet without head, or of more than %d beats",
                 (unsigned long long)b->clock, BEATS);
        abort();
    }
    if (class == 1 && beat->head && rsp_err(beat->word) &&
        rsp_who(beat->word) != b->node[n - channel_of(b)->node].address) {
        tap_note("clock %llu: an error that does not come from the node that it names",
                 (unsigned long long)b->clock);
        abort();
    }
    p->beat[p->count++] = *beat;
    if (beat->tail) {
        deliver(b, class, p);
        p->count = 0;
    }
}

/* The beat for a node in this clock: a packet begins when the NIC's room was 1. */
static struct beat hand_over(struct nic_bench *b, struct channel_queue *q, bool room)
{
    struct channel_packet *p;
    struct beat beat = {};

    for (unsigned i = 0; q->under_way < 0 && room && i < q->count; i++) {
        if (q->packet[i].due <= b->clock) {
            q->under_way = (int)i;
        }
    }
    if (q->under_way < 0) {
        return beat;
    }
    p = &q->packet[q->under_way];
    beat = p->beat[p->next++];
    if (p->next == p->count) {
        memmove(p, p + 1, (--q->count - (unsigned)q->under_way) * sizeof(*p));
        q->under_way = -1;
    }
    return beat;
}

/* ---- the fabric ---------------------------------------------------------------------------------- */

static void before(struct nic_bench *b, struct channel_node *n, const struct bench_node *host)
{
    const struct nic_channel *c = b->network;

    n->in.s_axi = host->s_axi;
    n->in.m_axi = host->m_axi;
    n->in.s_axil = host->s_axil;
    n->in.request = hand_over(b, &n->queue[0], n->nic.out.request_room);
    n->in.response = hand_over(b, &n->queue[1], n->nic.out.response_room);
    n->answers += n->in.response.valid && n->in.response.tail;
    n->in.room_request = !rng_chance(&b->rng, c->knobs.stall);
    n->in.room_response = !rng_chance(&b->rng, c->knobs.stall);
}

static void channel_clock(struct nic_bench *b)
{
    struct nic_channel *c = b->network;

    for (unsigned i = 0; i < b->nodes; i++) {
        before(b, &c->node[i], &b->node[i]);
    }
    for (unsigned i = 0; i < b->nodes; i++) {
        nic(&c->node[i].nic, &c->node[i].in);
        collect(b, &c->node[i], 0, &c->node[i].nic.out.to_request);
        collect(b, &c->node[i], 1, &c->node[i].nic.out.to_response);
        if (c->cover != NULL) {
            nic_cover_look(c->cover, &c->node[i].nic);
        }
    }
}

static bool channel_idle(const struct nic_bench *b)
{
    const struct nic_channel *c = b->network;
    bool idle = true;

    for (unsigned i = 0; i < b->nodes; i++) {
        idle = idle && c->node[i].queue[0].count == 0 && c->node[i].queue[1].count == 0;
    }
    return idle;
}

static void channel_free(struct nic_bench *b)
{
    struct nic_channel *c = b->network;

    for (unsigned i = 0; i < b->nodes; i++) {
        free(c->node[i].queue[0].packet);
        free(c->node[i].queue[1].packet);
    }
    free(c->node);
    free(c);
}

static const struct nic_fabric channel_fabric = {channel_clock, channel_idle, channel_free};

struct nic_bench *channel_bench_new(unsigned nodes, uint64_t seed, struct golden_nic *golden)
{
    struct nic_bench *b = nic_bench_new(nodes, seed, golden);
    struct nic_channel *c = calloc(1, sizeof(*c));

    if (c == NULL || (c->node = calloc(nodes, sizeof(*c->node))) == NULL) {
        abort();
    }
    b->fabric = &channel_fabric;
    b->network = c;
    for (unsigned i = 0; i < nodes; i++) {
        struct channel_node *n = &c->node[i];

        n->queue[0].under_way = -1;
        n->queue[1].under_way = -1;
        nic_reset(&n->nic);
        b->node[i].address = i;
        b->node[i].nic = &n->nic;
        b->node[i].from_s_axi = &n->nic.out.s_axi;
        b->node[i].from_m_axi = &n->nic.out.m_axi;
        b->node[i].from_s_axil = &n->nic.out.s_axil;
    }
    nic_bench_enable(b);
    return b;
}
