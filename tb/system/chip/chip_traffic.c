// SPDX-License-Identifier: Apache-2.0
/*
 * chip_traffic.c - from flits at ports to packets, from packets to sums.
 */
#include "tb/system/chip/chip_traffic.h"

const char *const traffic_names[TRAFFIC_KINDS] = {
    [TRAFFIC_GET] = "get",         [TRAFFIC_PUT] = "put",     [TRAFFIC_MESSAGE] = "message",
    [TRAFFIC_CQWRITE] = "cqwrite", [TRAFFIC_OTHER] = "other", [TRAFFIC_ACK] = "ack",
    [TRAFFIC_DATA] = "data",       [TRAFFIC_ERROR] = "error",
};

enum {
    LONGEST = sizeof((struct traffic_packet){0}.flit) / sizeof((struct traffic_packet){0}.flit[0])
};

/* A flit more; true when it is the last one of its packet. */
static bool gather(struct traffic_packet *p, uint64_t flit, bool tail, uint64_t clock)
{
    if (p->count < LONGEST) {
        p->flit[p->count] = flit;
    }
    if (p->count++ == 0) {
        p->clock = clock;
    }
#if RTR_LENGTH_BITS == 0
    return tail;
#else
    (void)tail;
    return p->count == nic_get(p->flit, NIC_LENGTH);
#endif
}

/* What it means: how many packets of one tag, 0 if it is none that a NIC sends. */
static unsigned decode(const struct traffic_packet *p, struct nic_packet packet[TRAFFIC_SHARED])
{
    if (p->count > LONGEST) {
        return 0;
    }
#if RTR_LENGTH_BITS == 0
    unsigned count;

    return nic24_decode(p->flit, p->count, packet, &count) == NIC_RIGHT ? count : 0;
#else
    const bool response = nic_get(p->flit, NIC_VC) >= RTR_VCS / 2;

    return nic_decode(p->flit, p->count, response, packet) == NIC_RIGHT;
#endif
}

static enum traffic_kind kind_of(const struct nic_packet *p)
{
    if (p->response) {
        return p->err ? TRAFFIC_ERROR : p->bytes == 0 ? TRAFFIC_ACK : TRAFFIC_DATA;
    }
    switch (p->cmd) {
    case NIC_GET:
        return TRAFFIC_GET;
    case NIC_PUT:
        return TRAFFIC_PUT;
    case NIC_PUT_MSG:
        return TRAFFIC_MESSAGE;
    case NIC_CQWRITE:
        return TRAFFIC_CQWRITE;
    default:
        return TRAFFIC_OTHER;
    }
}

static void count_sent(struct chip_traffic *t, unsigned number, const struct traffic_packet *sent)
{
    struct nic_packet p[TRAFFIC_SHARED];
    const unsigned count = decode(sent, p);

    if (count == 0) {
        t->wrong++;
        return;
    }
    const enum traffic_kind kind = kind_of(p);

    t->packets[kind] += count;
    t->flits[kind] += sent->count;
    t->put_bytes += kind == TRAFFIC_PUT || kind == TRAFFIC_MESSAGE ? p->z + 1 : 0;
    t->get_bytes += kind == TRAFFIC_GET ? 4 * (p->x + 1) : 0;
    if (!p->response) {
        t->began[number][p->tag] = sent->clock;
    }
}

static void count_answer(struct chip_traffic *t, uint64_t clocks)
{
    uint64_t bin = clocks / TRAFFIC_STEP;

    t->latency[bin < TRAFFIC_BINS - 1 ? bin : TRAFFIC_BINS - 1]++;
    t->answers++;
    t->sum += clocks;
    t->most = clocks > t->most ? clocks : t->most;
}

static void look_to_router(struct chip_traffic *t, unsigned number, unsigned port, uint64_t flit,
                           bool tail, uint64_t clock)
{
    struct traffic_packet *p = &t->to_router[number][port];

    if (gather(p, flit, tail, clock)) {
        count_sent(t, number, p);
        p->count = 0;
    }
}

static void look_from_router(struct chip_traffic *t, unsigned number, unsigned port, uint64_t flit,
                             bool tail, uint64_t clock)
{
    struct traffic_packet *p = &t->from_router[number][port];
    struct nic_packet packet[TRAFFIC_SHARED];

    if (!gather(p, flit, tail, clock)) {
        return;
    }
    const unsigned count = decode(p, packet);

    for (unsigned i = 0; i < count && packet[i].response; i++) {
        count_answer(t, clock - t->began[number][packet[i].tag]);
    }
    p->count = 0;
}

#if RTR_LENGTH_BITS == 0
#define TAIL_OF(port) ((port)->tail)
#else
#define TAIL_OF(port) false
#endif

void chip_traffic_look(struct chip_traffic *t, unsigned number, const struct chip *c,
                       uint64_t clock)
{
    for (unsigned port = 0; port < DEV_PROCESSORS; port++) {
        const struct port_in *to = &c->netlink[port / NL_TILES].out.to_tile[port % NL_TILES];
        const struct port_out *from = &c->device.out.to_processor[port];

        if (to->valid) {
            look_to_router(t, number, port, (uint64_t)to->flit, TAIL_OF(to), clock);
        }
        if (from->valid && to->ready) {
            look_from_router(t, number, port, (uint64_t)from->flit, from->tail, clock);
        }
    }
}
