// SPDX-License-Identifier: Apache-2.0
/*
 * arbiter.c - the three phases of a decision: what each packet in front may do, one offer of each receiver, one offer for each link.
 */
#include "sim/bgl/fast/state.h"

/* An offer for a link; injection FIFOs are beside receivers. */
struct offer {
    uint8_t channel, bit, full;
};

struct decision {
    struct worker *w;
    struct node *n;
    uint32_t number, now;
    struct sim_random random;
    bool longest; /* an SLQ clock */
    uint64_t once, twice;
    struct offer offer[SHAPE_PORTS][SHAPE_PORTS + MODEL_FIFOS];
    uint8_t network[SHAPE_PORTS], offers[SHAPE_PORTS]; /* from receivers; all */
    uint64_t lost;
};

/* All moves of these ports. */
static inline uint64_t moves_of_ports(unsigned ports)
{
    const uint64_t low = ports & 7, high = ports >> 3; /* a bit to a byte each */
    const uint64_t spread = (low | low << 7 | low << 14) & 0x010101;
    const uint64_t spread1 = (high | high << 7 | high << 14) & 0x010101;
    return (spread | spread1 << 24) * 0xff;
}

/* Moves of a front: dynamic ones, or if there is none its escape. */
static inline uint64_t moves(const struct model *m, unsigned front, uint64_t once, uint64_t twice)
{
    const uint64_t dynamic = front & FRONT_DYNAMIC ? m->moves[front & 63] & once : 0;
    const uint64_t escape = UINT64_C(1) << (front >> FRONT_ESCAPE & 63);
    return dynamic ? dynamic : escape & (front & FRONT_TWICE ? twice : once);
}

static inline unsigned range_of(const struct model *m, unsigned chunks)
{
    return (unsigned)(chunks >= m->least[0]) + (chunks >= m->least[1]) + (chunks >= m->least[2]);
}

/* One of the moves: of those with the most tokens, or of all. */
static unsigned pick_move(struct decision *d, uint64_t from)
{
    if (d->w->model->config.jsq)
        for (unsigned r = RANGES; r-- > 0;)
            if (from & d->n->range[r]) {
                from &= d->n->range[r];
                break;
            }
    if (from & (from - 1))
        for (uint32_t skip = sim_below(&d->random, (uint32_t)__builtin_popcountll(from)); skip;
             skip--)
            from &= from - 1;
    return (unsigned)__builtin_ctzll(from);
}

/* The winner of some offers: in an SLQ clock one of the fullest. */
static unsigned pick_offer(struct decision *d, const struct offer *offer, unsigned count)
{
    unsigned best[SHAPE_PORTS + MODEL_FIFOS], found = 0, full = 0;
    if (count == 1)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        if (d->longest && offer[i].full > full)
            found = 0, full = offer[i].full;
        if (!d->longest || offer[i].full == full)
            best[found++] = i;
    }
    return best[found > 1 ? sim_below(&d->random, found) : 0];
}

static inline bool host_takes(const struct port *q, uint32_t now)
{
    return q->reception <= now && q->got + MODEL_FULL <= MODEL_FIFO;
}

static inline bool bus_free(const struct model *m, const struct port *q, uint32_t now)
{
    for (unsigned k = 0; k < m->config.paths; k++)
        if (q->bus[k] <= now)
            return true;
    return false;
}

/* The first two phases of a receiver: one packet to the host, one offer. */
static void receiver(struct decision *d, unsigned q, unsigned vcs)
{
    const struct model *m = d->w->model;
    struct port *port = &d->n->port[q];
    struct offer home[STRIDE], away[STRIDE];
    unsigned homes = 0, aways = 0;
    const bool host = host_takes(port, d->now), bus = bus_free(m, port, d->now);
    for (; vcs; vcs &= vcs - 1) {
        const unsigned vc = (unsigned)__builtin_ctz(vcs), c = channel_of(q, vc);
        const unsigned front = d->n->front[c];
        const struct offer o = {
            .channel = (uint8_t)c,
            .full = (uint8_t)(vc == BYPASS ? 0 : range_of(m, port->vc[vc].held)),
        };
        if (vc == BYPASS && homes + aways > 0)
            break;
        if (front & FRONT_ARRIVED) {
            if (host)
                home[homes++] = o;
        } else if (bus && moves(m, front, d->once, d->twice))
            away[aways++] = o;
    }
    if (homes)
        host_receive(d->w, d->n, d->number, home[pick_offer(d, home, homes)].channel, d->now);
    if (!aways)
        return;
    struct offer o = away[pick_offer(d, away, aways)];
    if (d->n->front[o.channel] & FRONT_DEPOSIT && !host_takes(port, d->now))
        return;
    o.bit = (uint8_t)pick_move(d, moves(m, d->n->front[o.channel], d->once, d->twice));
    const unsigned to = o.bit / STRIDE;
    d->offer[to][d->offers[to]++] = o;
    d->network[to] = d->offers[to];
}

/* Injection FIFOs: each makes its own offer. */
static void injection(struct decision *d, unsigned fifos, uint64_t free)
{
    const struct model *m = d->w->model;
    for (; fifos; fifos &= fifos - 1) {
        const unsigned f = (unsigned)__builtin_ctz(fifos), c = INJECT + f;
        const uint64_t may = moves(m, d->n->front[c], d->n->once & free, d->n->twice & free);
        if (!may)
            continue;
        const struct offer o = {
            .channel = (uint8_t)c,
            .bit = (uint8_t)pick_move(d, may),
            .full = (uint8_t)(m->config.endless ? RANGES : range_of(m, d->n->inject[f].held)),
        };
        d->offer[o.bit / STRIDE][d->offers[o.bit / STRIDE]++] = o;
    }
}

/* A receiver has a bus and a packet in front that could go by this port. */
static bool wanted(const struct decision *d, unsigned to)
{
    const struct model *m = d->w->model;
    uint64_t fronts = d->n->fronts & ((UINT64_C(1) << INJECT) - 1);
    for (; fronts; fronts &= fronts - 1) {
        const unsigned c = (unsigned)__builtin_ctzll(fronts);
        if (c % STRIDE != BYPASS && !(d->n->front[c] & FRONT_ARRIVED) &&
            bus_free(m, &d->n->port[c / STRIDE], d->now) &&
            moves(m, d->n->front[c], d->n->once, d->n->twice) & UINT64_C(0xff) << to * STRIDE)
            return true;
    }
    return false;
}

/* The third phase: a winner for each link. What has lost may ask again two clocks later. */
static void senders(struct decision *d)
{
    for (unsigned to = 0; to < SHAPE_PORTS; to++) {
        if (!d->offers[to])
            continue;
        const bool network = d->network[to] > 0;
        const unsigned winner =
            pick_offer(d, d->offer[to], network ? d->network[to] : d->offers[to]);
        for (unsigned i = 0; i < d->offers[to]; i++)
            if (i != winner)
                d->lost |= UINT64_C(1) << d->offer[to][i].channel;
        if (!network && wanted(d, to))
            d->w->counts.stolen++;
        link_grant(d->w, d->n, d->number, d->offer[to][winner].channel, d->offer[to][winner].bit,
                   d->now);
    }
}

/* Ports whose link is free in `lead` clocks. */
static unsigned ports_free(const struct node *n, uint32_t now, unsigned lead)
{
    unsigned free = 0;
    for (unsigned p = 0; p < SHAPE_PORTS; p++)
        free |= (unsigned)(n->port[p].next <= now + lead) << p;
    return free;
}

/* Whether a receiver's packet could still go: then it asks in the next clock, or if its offer has lost two clocks later. */
static void again(struct decision *d, unsigned vcs_of[SHAPE_PORTS])
{
    const struct model *m = d->w->model;
    const uint64_t ports = moves_of_ports(ports_free(d->n, d->now, TO_LINK + EARLIER));
    const uint64_t once = d->n->once & ports, twice = d->n->twice & ports;
    unsigned wait = 0;
    for (unsigned q = 0; q < SHAPE_PORTS; q++) {
        unsigned vcs = vcs_of[q] & (unsigned)(d->n->fronts >> q * STRIDE) & 0xff;
        if (!vcs)
            continue;
        const bool host = host_takes(&d->n->port[q], d->now);
        const bool bus = bus_free(m, &d->n->port[q], d->now);
        for (; vcs; vcs &= vcs - 1) {
            const unsigned c = channel_of(q, (unsigned)__builtin_ctz(vcs));
            const unsigned front = d->n->front[c];
            if (front & (FRONT_ARRIVED | FRONT_DEPOSIT) && !host)
                continue;
            if (front & FRONT_ARRIVED || (bus && moves(m, front, once, twice)))
                wait |= d->lost >> c & 1 ? 2 : 1;
        }
    }
    uint64_t fifos = d->lost >> INJECT;
    for (; fifos && !wait; fifos &= fifos - 1)
        if (moves(m, d->n->front[INJECT + __builtin_ctzll(fifos)], once, twice))
            wait = 2;
    if (wait)
        later(d->w, d->now + (wait & 1 ? 1 : 2), EVENT_WAKE, d->number, 0, 0);
}

void arbitrate(struct worker *w, struct node *n, uint32_t number, uint32_t now)
{
    const struct model *m = w->model;
    const uint64_t fronts = n->fronts & ~(now - n->passed == 1 ? n->asked : 0);
    const unsigned early = ports_free(n, now, TO_LINK + EARLIER);
    const uint64_t ports = moves_of_ports(early);
    if (!n->fronts)
        return;
    struct decision d = {
        .w = w,
        .n = n,
        .number = number,
        .now = now,
        .random = sim_random_of(m->config.seed ^ number, now),
        .longest = m->config.slq && now % (SLQ_CLOCKS + RANDOM_CLOCKS) < SLQ_CLOCKS,
        .once = n->once & ports,
        .twice = n->twice & ports,
    };
    unsigned vcs[SHAPE_PORTS];
    w->counts.passes++;
    for (unsigned q = 0; q < SHAPE_PORTS; q++) {
        vcs[q] = (unsigned)(fronts >> q * STRIDE) & 0xff;
        if (vcs[q])
            receiver(&d, q, vcs[q]);
    }
    const unsigned fifos = (unsigned)(fronts >> INJECT);
    if (fifos)
        injection(&d, fifos, m->config.gap ? ports : moves_of_ports(ports_free(n, now, TO_LINK)));
    senders(&d);
    n->passed = now;
    n->asked = d.lost;
    again(&d, vcs);
}
