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

static bool is_response(const struct traffic_packet *p)
{
    return nic_get(p->flit, NIC_VC) >= RTR_VCS / 2;
}

/* A flit more; true when it is the last one of its packet. */
static bool gather(struct traffic_packet *p, uint64_t flit)
{
    if (p->count < NIC_FLITS) {
        p->flit[p->count] = flit;
    }
    p->count++;
    return p->count == nic_get(p->flit, NIC_LENGTH);
}

static enum traffic_kind kind_of(const struct nic_packet *p, unsigned flits)
{
    if (p->response) {
        return p->err ? TRAFFIC_ERROR : flits == 1 ? TRAFFIC_ACK : TRAFFIC_DATA;
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

static void count_sent(struct chip_traffic *t, const struct traffic_packet *sent)
{
    struct nic_packet p;
    enum traffic_kind kind;

    if (sent->count > NIC_FLITS ||
        nic_decode(sent->flit, sent->count, is_response(sent), &p) != NIC_RIGHT) {
        t->wrong++;
        return;
    }
    kind = kind_of(&p, sent->count);
    t->packets[kind]++;
    t->flits[kind] += sent->count;
    t->put_bytes += kind == TRAFFIC_PUT || kind == TRAFFIC_MESSAGE ? p.z + 1 : 0;
    t->get_bytes += kind == TRAFFIC_GET ? 4 * (p.x + 1) : 0;
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
                           uint64_t clock)
{
    struct traffic_packet *p = &t->to_router[number][port];
    bool last = gather(p, flit);

    if (p->count == 2 && !is_response(p)) {
        t->began[number][nic_get(p->flit, NIC_TAG)] = clock - 1;
    }
    if (last) {
        count_sent(t, p);
        p->count = 0;
    }
}

static void look_from_router(struct chip_traffic *t, unsigned number, unsigned port, uint64_t flit,
                             uint64_t clock)
{
    struct traffic_packet *p = &t->from_router[number][port];

    if (!gather(p, flit)) {
        return;
    }
    if (is_response(p)) {
        count_answer(t, clock - t->began[number][nic_get(p->flit, NIC_RSP_TAG)]);
    }
    p->count = 0;
}

void chip_traffic_look(struct chip_traffic *t, unsigned number, const struct chip *c,
                       uint64_t clock)
{
    for (unsigned port = 0; port < DEV_PROCESSORS; port++) {
        const struct port_in *to = &c->netlink[port / NL_TILES].out.to_tile[port % NL_TILES];
        const struct port_out *from = &c->device.out.to_processor[port];

        if (to->valid) {
            look_to_router(t, number, port, (uint64_t)to->flit, clock);
        }
        if (from->valid && to->ready) {
            look_from_router(t, number, port, (uint64_t)from->flit, clock);
        }
    }
}
