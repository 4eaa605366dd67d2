// SPDX-License-Identifier: Apache-2.0
/*
 * host.c - the processor of a node: reception FIFOs are read, injection FIFOs are filled.
 */
#include "sim/bgl/fast/state.h"

/* Clocks until a program that asks to wait longer is looked at again. */
enum { MOST_WAIT = 400 };

void host_take(struct worker *w, struct node *n, uint32_t number, unsigned q, uint32_t p,
               uint32_t now)
{
    struct port *port = &n->port[q];
    const unsigned chunks = w->packet[p].chunks;
    port->reception = now + bus_clocks(chunks);
    port->got += (uint8_t)chunks;
    later(w, now + TO_FIFO + bus_clocks(chunks), EVENT_DELIVER, number, q, p);
}

void host_receive(struct worker *w, struct node *n, uint32_t number, unsigned c, uint32_t now)
{
    host_take(w, n, number, c / STRIDE, channel_leave(w, n, number, c, now), now);
}

void host_deliver(struct worker *w, struct node *n, uint32_t number, unsigned q, uint32_t p,
                  uint32_t now)
{
    const struct model *m = w->model;
    const struct packet *packet = &w->packet[p];
    w->counts.delivered++;
    w->counts.delivered_sum += packet_is(&m->config.shape, n->place, packet->tag, packet->chunks);
    w->counts.chunks += packet->chunks;
    w->counts.last = now;
    if (packet->made >= m->measured) {
        w->counts.response += now - packet->made;
        w->counts.response_count++;
    }
    if (w->points)
        w->point[w->points - 1].delivered++;
    struct queue read = {.tail = n->port[q].read};
    queue_put(w, &read, p);
    n->port[q].read = read.tail;
    host_work(w, n, number, now);
}

/* Reads a packet; false if there is none. */
static bool read_one(struct worker *w, struct node *n, uint32_t number, uint32_t now)
{
    for (unsigned q = 0; q < SHAPE_PORTS; q++) {
        struct port *port = &n->port[q];
        if (!port->read)
            continue;
        struct queue read = {.tail = port->read};
        const uint32_t p = queue_get(w, &read);
        port->read = read.tail;
        port->got -= w->packet[p].chunks;
        const struct program_calls *program = &w->model->config.program;
        if (program->arrived) {
            program->arrived(program->self, number, now, &w->packet[p]);
            n->asks = 0;
            w->left.idle -= n->done;
            n->done = false;
        }
        packet_give(w, p);
        w->left.inside--;
        return true;
    }
    return false;
}

/* The injection FIFO that a packet goes to, or NONE. */
static int fifo_for(const struct model *m, const struct node *n, const struct call *call)
{
    for (unsigned i = 0; i < MODEL_FIFOS; i++) {
        const unsigned f = call->fifo >= 0 ? (unsigned)call->fifo : (n->turn + i) % MODEL_FIFOS;
        const struct queue *q = &n->inject[f];
        if (m->config.endless || q->held + q->leaving + call->chunks <= MODEL_FIFO)
            return (int)f;
        if (call->fifo >= 0)
            break;
    }
    return NONE;
}

static void make_packet(struct worker *w, struct node *n, unsigned f, const struct call *call)
{
    const struct shape *s = &w->model->config.shape;
    const uint32_t p = packet_take(w);
    const unsigned hints = call->hints ? call->hints : shape_hints(s, n->place, call->to);
    w->packet[p] = (struct packet){
        .made = call->made,
        .to = call->to,
        .hints = (uint8_t)hints,
        .chunks = call->chunks & 15,
        .dynamic = call->dynamic,
        .deposit = call->deposit,
        .relay = call->relay,
        .tag = call->tag,
    };
    w->left.inside++;
    w->counts.made++;
    w->counts.made_sum += packet_is(s, call->to, call->tag, call->chunks);
    n->turn = (uint8_t)((f + 1) % MODEL_FIFOS);
    const bool first = !n->inject[f].tail;
    queue_put(w, &n->inject[f], p);
    if (first)
        channel_front(w, n, INJECT + f);
}

/* Sends a packet; false if the program has none now, or no FIFO has space for it. */
static bool send_one(struct worker *w, struct node *n, uint32_t number, uint32_t now)
{
    const struct program_calls *program = &w->model->config.program;
    struct call call;
    uint32_t wait = 0;
    if (n->asks > now)
        return false;
    const bool is = program->next(program->self, number, now, &call, &wait);
    const bool done = !is && wait == 0;
    w->left.idle += (uint64_t)done - (uint64_t)n->done;
    n->done = done;
    if (!is) {
        n->asks = done ? UINT32_MAX : now + (wait < MOST_WAIT ? wait : MOST_WAIT);
        if (!done)
            later(w, n->asks, EVENT_WORK, number, 0, 0);
        return false;
    }
    const int f = fifo_for(w->model, n, &call);
    if (f == NONE) {
        program->again(program->self, number, &call);
        return false;
    }
    make_packet(w, n, (unsigned)f, &call);
    return true;
}

/* The processor is busy for so long, then looks again. */
static bool work_for(struct worker *w, struct node *n, uint32_t number, uint32_t now,
                     unsigned clocks)
{
    if (clocks == 0)
        return false;
    n->busy_until = now + clocks;
    later(w, n->busy_until, EVENT_WORK, number, 0, 0);
    return true;
}

void host_work(struct worker *w, struct node *n, uint32_t number, uint32_t now)
{
    const struct model_config *config = &w->model->config;
    while (n->busy_until <= now) {
        const bool reads = n->sent && read_one(w, n, number, now);
        n->sent = !reads && send_one(w, n, number, now);
        if (reads || n->sent) {
            if (work_for(w, n, number, now, reads ? config->receive : config->send))
                return;
        } else if (read_one(w, n, number, now)) {
            if (work_for(w, n, number, now, config->receive))
                return;
        } else
            return;
    }
}
