// SPDX-License-Identifier: Apache-2.0
/*
 * link.c - packets, acks and tokens over the links of a node.
 */
#include "sim/bgl/fast/state.h"

/* ---- channels ----------------------------------------------------------------------------------- */

/* The escape of a packet: the port of its first dimension or direction, and the VC. */
static unsigned escape_of(const struct model *m, const struct packet *p)
{
    unsigned port;
    if (m->config.order == ORDER_DIRECTION && p->dynamic) {
        const unsigned plus = p->hints & 0x15;
        port = (unsigned)__builtin_ctz(plus ? plus : p->hints);
    } else
        port = (unsigned)__builtin_ctz(p->hints);
    const bool higher = m->config.escape == ESCAPE_PAIR && p->crossed >> port / 2 & 1;
    return channel_of(port, higher ? MODEL_HIGHER : MODEL_ESCAPE);
}

/* Packet p comes to the front of channel c, with the VC that it came on. */
static void front(struct worker *w, struct node *n, unsigned c, unsigned vc, uint32_t p)
{
    const struct model *m = w->model;
    const struct packet *packet = &w->packet[p];
    unsigned is = packet->hints;
    n->fronts |= UINT64_C(1) << c;
    if (!is) {
        n->front[c] = FRONT_ARRIVED;
        return;
    }
    const unsigned escape = escape_of(m, packet);
    is |= escape << FRONT_ESCAPE;
    is |= packet->dynamic ? FRONT_DYNAMIC : 0;
    is |= packet->deposit && c < INJECT ? FRONT_DEPOSIT : 0;
    const bool on = c < INJECT && vc == MODEL_ESCAPE && escape / STRIDE == (c / STRIDE ^ 1);
    if (m->config.escape == ESCAPE_BUBBLE && !on)
        is |= FRONT_TWICE;
    n->front[c] = (uint16_t)is;
}

void channel_front(struct worker *w, struct node *n, unsigned c)
{
    const struct queue *q =
        c < INJECT ? &n->port[c / STRIDE].vc[c % STRIDE] : &n->inject[c - INJECT];
    if (q->tail && !q->leaving)
        front(w, n, c, c % STRIDE, queue_front(w, q));
}

uint32_t channel_leave(struct worker *w, struct node *n, uint32_t number, unsigned c, uint32_t now)
{
    struct port *port = c < INJECT ? &n->port[c / STRIDE] : NULL;
    uint32_t p;
    n->fronts &= ~(UINT64_C(1) << c);
    if (port && c % STRIDE == BYPASS) {
        p = port->bypass;
        port->bypass = 0;
        port->by_leaving = w->packet[p].chunks;
        w->counts.bypassed++;
    } else {
        struct queue *q = port ? &port->vc[c % STRIDE] : &n->inject[c - INJECT];
        p = queue_get(w, q);
        q->leaving = w->packet[p].chunks;
        q->left = now;
        if (port)
            w->counts.held += (uint64_t)q->leaving * now;
    }
    later(w, now + bus_clocks(w->packet[p].chunks), EVENT_DONE, number, 0, c);
    /* while a packet leaves, its chunks are told on an idle link */
    if (port && port->check <= now && n->port[c / STRIDE].next <= now) {
        port->check = now + bus_clocks(1);
        later(w, port->check, EVENT_ACK, number, c / STRIDE, 0);
    }
    return p;
}

/* Chunks that a packet of a VC costs and gives back. */
static inline unsigned charge(const struct model *m, unsigned vc, unsigned chunks)
{
    return vc == MODEL_ESCAPE && m->config.escape == ESCAPE_BUBBLE ? MODEL_FULL : chunks;
}

void channel_done(struct worker *w, struct node *n, uint32_t number, unsigned c, uint32_t now)
{
    const unsigned vc = c % STRIDE;
    if (c >= INJECT) {
        n->inject[c - INJECT].leaving = 0;
        channel_front(w, n, c);
        host_work(w, n, number, now);
        return;
    }
    struct port *port = &n->port[c / STRIDE];
    if (vc == BYPASS) {
        port->vc[port->by_vc].freed += (uint8_t)charge(w->model, port->by_vc, port->by_leaving);
        port->by_leaving = 0;
        channel_front(w, n, channel_of(c / STRIDE, port->by_vc));
    } else {
        port->vc[vc].freed += (uint8_t)charge(w->model, vc, port->vc[vc].leaving);
        port->vc[vc].leaving = 0;
        channel_front(w, n, c);
    }
    link_ack(w, n, number, c / STRIDE, now);
}

/* ---- acks and tokens ---------------------------------------------------------------------------- */

void link_tokens(const struct model *m, struct node *n, unsigned port, unsigned vc, unsigned tokens)
{
    const uint64_t bit = UINT64_C(1) << channel_of(port, vc);
    n->port[port].tokens[vc] = (uint8_t)tokens;
    n->once = (n->once & ~bit) | (tokens >= MODEL_FULL ? bit : 0);
    n->twice = (n->twice & ~bit) | (tokens >= 2 * MODEL_FULL ? bit : 0);
    for (unsigned r = 0; r < RANGES; r++)
        n->range[r] = (n->range[r] & ~bit) | (tokens >= m->least[r] ? bit : 0);
}

void link_freed(struct worker *w, struct node *n, unsigned port, const struct event *e)
{
    if (!(e->low | e->high))
        return;
    w->counts.returning++;
    if (w->points)
        w->point[w->points - 1].returning++;
    if (!n->acks) {
        n->once0 = n->once;
        n->twice0 = n->twice;
    }
    n->acks |= (uint8_t)(1u << port);
    for (unsigned vc = 0; vc < MODEL_VCS; vc++) {
        const unsigned freed = (vc < 4 ? e->low >> 8 * vc : e->high >> 8 * (vc - 4)) & 0xff;
        if (freed)
            link_tokens(w->model, n, port, vc, n->port[port].tokens[vc] + freed);
    }
}

/* Whether a packet in front that could go nowhere before can go by this port now. */
static bool unblocks(const struct model *m, const struct node *n, unsigned port)
{
    const uint64_t by = UINT64_C(0xff) << port * STRIDE;
    for (uint64_t fronts = n->fronts; fronts; fronts &= fronts - 1) {
        const unsigned is = n->front[__builtin_ctzll(fronts)];
        if (is & FRONT_ARRIVED)
            continue;
        const uint64_t dynamic = is & FRONT_DYNAMIC ? m->moves[is & 63] : 0;
        const uint64_t escape = UINT64_C(1) << (is >> FRONT_ESCAPE & 63);
        const uint64_t before = is & FRONT_TWICE ? n->twice0 : n->once0;
        const uint64_t after = is & FRONT_TWICE ? n->twice : n->once;
        if (!(dynamic & n->once0) && !(escape & before) &&
            ((dynamic & n->once) | (escape & after)) & by)
            return true;
    }
    return false;
}

void link_unblocked(struct worker *w, struct node *n)
{
    const uint64_t more = (n->once & ~n->once0) | (n->twice & ~n->twice0);
    uint64_t freeing = 0, unblocking = 0;
    for (unsigned ports = n->acks; ports; ports &= ports - 1) {
        const unsigned port = (unsigned)__builtin_ctz(ports);
        if (more & UINT64_C(0xff) << port * STRIDE) {
            freeing++;
            unblocking += unblocks(w->model, n, port);
        }
    }
    n->acks = 0;
    w->counts.freeing += freeing;
    w->counts.unblocking += unblocking;
    if (w->points) {
        w->point[w->points - 1].freeing += freeing;
        w->point[w->points - 1].unblocking += unblocking;
    }
}

/* Chunks of VC v of a receiver given back by then; of a packet that still comes none. */
static unsigned freed_by(const struct model *m, const struct port *p, unsigned v, uint32_t then)
{
    const struct queue *q = &p->vc[v];
    unsigned freed = q->freed;
    if (!q->leaving || then <= q->left || charge(m, v, 1) == MODEL_FULL ||
        (!q->tail && p->comes == v && p->tail > then))
        return freed;
    const unsigned chunks = (then - q->left - 1) / MODEL_CHUNK;
    return freed + (chunks < q->leaving ? chunks : q->leaving);
}

/* Whether an ack is due at that clock: a packet was accepted, or chunks became free. */
static bool ack_due(const struct model *m, const struct port *p, uint32_t then)
{
    if ((p->tail <= then && p->tail > p->acked) || (p->before <= then && p->before > p->acked))
        return true;
    for (unsigned v = 0; v < MODEL_VCS; v++)
        if ((uint8_t)freed_by(m, p, v, then) != p->vc[v].told)
            return true;
    return false;
}

static inline uint32_t cable_of(const struct model *m, const struct node *n, unsigned port)
{
    return m->cable[port][n->place.at[port / 2]];
}

/* Sends it, with all that is known by then. */
static void ack_send(struct worker *w, struct node *n, unsigned port, uint32_t then)
{
    struct port *p = &n->port[port];
    struct event e = {.kind = EVENT_TOKENS};
    for (unsigned v = 0; v < MODEL_VCS; v++) {
        const uint8_t freed = (uint8_t)freed_by(w->model, p, v, then);
        const uint32_t more = (uint8_t)(freed - p->vc[v].told);
        p->vc[v].told = freed;
        if (v < 4)
            e.low |= more << 8 * v;
        else
            e.high |= more << 8 * (v - 4);
    }
    p->acked = then;
    w->counts.acks++;
    send_event(w, n, port, then + PIPE_TOKENS + cable_of(w->model, n, port), e, 0);
}

static inline uint32_t even(uint32_t clock)
{
    return (clock + 1) & ~UINT32_C(1);
}

/* The link was given work; it says so before it will be free again. */
static void link_busy(struct worker *w, struct node *n, uint32_t number, unsigned port,
                      uint32_t next, unsigned clocks)
{
    n->port[port].next = next;
    n->port[port].busy += clocks;
    w->counts.busy[port] += clocks;
    later(w, next - TO_LINK - EARLIER, EVENT_LINK, number, port, 0);
}

void link_ack(struct worker *w, struct node *n, uint32_t number, unsigned port, uint32_t now)
{
    struct port *p = &n->port[port];
    if (now + 2 < p->next)
        return;
    if (ack_due(w->model, p, now)) {
        const uint32_t begin = even(now);
        ack_send(w, n, port, begin);
        w->counts.alone++;
        link_busy(w, n, number, port, begin + ALONE, MODEL_ACK + 2);
        return;
    }
    if (p->check > now)
        return;
    for (unsigned v = 0; v < MODEL_VCS; v++) {
        const struct queue *q = &p->vc[v];
        if (q->leaving && charge(w->model, v, 1) != MODEL_FULL) {
            const uint32_t chunks = now > q->left ? (now - q->left - 1) / MODEL_CHUNK : 0;
            const uint32_t then = q->left + 1 + MODEL_CHUNK * (chunks + 1);
            if (p->check <= now || then < p->check)
                p->check = then;
        }
    }
    if (p->check > now)
        later(w, p->check, EVENT_ACK, number, port, 0);
}

/* ---- packets ------------------------------------------------------------------------------------ */

/* Packet p takes a bus of the receiver that it leaves; a copy of a broadcast goes to the host beside it. */
static void take_bus(struct worker *w, struct node *n, uint32_t number, unsigned q, uint32_t p,
                     uint32_t now)
{
    uint32_t *bus = n->port[q].bus;
    while (*bus > now)
        bus++;
    *bus = now + bus_clocks(w->packet[p].chunks);
    if (!w->packet[p].deposit)
        return;
    const uint32_t copy = packet_take(w);
    struct packet *packet = &w->packet[copy];
    *packet = w->packet[p];
    packet->hints = 0;
    packet->to = n->place;
    w->left.inside++;
    w->counts.copies++;
    w->counts.made_sum += packet_is(&w->model->config.shape, n->place, packet->tag, packet->chunks);
    host_take(w, n, number, q, copy, now);
}

/* The packet's header behind a hop by this port: a hint less where it has come to its coordinate. */
static void pass(const struct shape *s, struct packet *packet, struct place from, unsigned port)
{
    const unsigned d = port / 2, at = from.at[d], to = shape_step(s->size[d], at, port);
    if (to == packet->to.at[d])
        packet->hints &= (uint8_t)~(1u << port);
    if (port & 1 ? to > at : to < at)
        packet->crossed |= (unsigned char)(1u << d);
}

void link_grant(struct worker *w, struct node *n, uint32_t number, unsigned c, unsigned bit,
                uint32_t now)
{
    const struct model *m = w->model;
    const unsigned port = bit / STRIDE, vc = bit % STRIDE;
    const uint32_t p = channel_leave(w, n, number, c, now);
    struct port *out = &n->port[port];
    if (c < INJECT)
        take_bus(w, n, number, c / STRIDE, p, now);
    else
        w->counts.injected++;
    struct packet *packet = &w->packet[p];
    link_tokens(m, n, port, vc, out->tokens[vc] - charge(m, vc, packet->chunks));
    uint32_t start = even(now + TO_LINK > out->next ? now + TO_LINK : out->next);
    const bool acked = ack_due(m, out, start - 2);
    if (acked) {
        ack_send(w, n, port, start - 2);
        start += MODEL_ACK;
    }
    const unsigned clocks = MODEL_CHUNK * packet->chunks + MODEL_FRAME;
    link_busy(w, n, number, port, start + clocks, clocks + (acked ? MODEL_ACK : 0));
    w->counts.hops[vc]++;
    if (w->points)
        w->point[w->points - 1].hops[vc]++;
    pass(&m->config.shape, packet, n->place, port);
    send_event(w, n, port, start + PIPE_BYPASS + cable_of(m, n, port),
               (struct event){.kind = EVENT_ARRIVE, .high = vc}, p);
}

void link_arrive(struct worker *w, struct node *n, uint32_t number, unsigned q,
                 const struct event *e, uint32_t now)
{
    struct port *port = &n->port[q];
    const unsigned vc = e->high;
    const uint32_t p = e->low;
    port->before = port->tail;
    port->tail = now + bus_clocks(w->packet[p].chunks);
    port->comes = (uint8_t)vc;
    later(w, port->tail, EVENT_ACK, number, q, 0);
    bool by = !port->vc[vc].tail && !port->vc[vc].leaving && !port->by_leaving;
    for (unsigned v = 0; v < MODEL_VCS; v++)
        by &= port->vc[v].held < w->model->config.bypass;
    if (!by) {
        later(w, now + PIPE_STORED - PIPE_BYPASS, EVENT_STORE, number, q, p);
        return;
    }
    port->bypass = p;
    port->by_vc = (uint8_t)vc;
    front(w, n, channel_of(q, BYPASS), vc, p);
    later(w, now + 1, EVENT_WAKE, number, q, 0);
    later(w, now + BYPASS_CLOCKS, EVENT_MISSED, number, q, p);
}

void link_missed(struct worker *w, struct node *n, uint32_t number, unsigned q, uint32_t p,
                 uint32_t now)
{
    if (n->port[q].bypass != p)
        return;
    n->port[q].bypass = 0;
    n->fronts &= ~(UINT64_C(1) << channel_of(q, BYPASS));
    later(w, now + PIPE_STORED - PIPE_BYPASS - BYPASS_CLOCKS, EVENT_STORE, number, q, p);
}

void link_store(struct worker *w, struct node *n, unsigned q, uint32_t p, uint32_t now)
{
    struct port *port = &n->port[q];
    struct queue *vc = &port->vc[port->comes];
    const bool first = !vc->tail;
    queue_put(w, vc, p);
    w->counts.held -= (uint64_t)w->packet[p].chunks * now;
    if (first && !(port->by_leaving && port->by_vc == port->comes))
        channel_front(w, n, channel_of(q, port->comes));
}
