// SPDX-License-Identifier: Apache-2.0
/*
 * network.c - routers, cables and NICs.
 *
 * What goes into a cable comes out some clocks later, so within a window of as many clocks as the shortest cable takes no router can
 * see what another does: each runs through the whole window, one router after the other. As long as the shortest cable between two
 * ranks takes ranks run ahead of each other in the same way; then they exchange what went into the cables between them.
 */
#include "sim/engine/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/network_state.h"

/* WAITING: packets of each router that there must be memory for, past saturation some thousand clocks' worth. */
enum {
    LOAD_MOST = 127,
    FAR_MOST = 63,
    WINDOW_MOST = 32,
    AHEAD_MOST = 64,
    WAITING = 1024,
    LARGE_PAGE = 1 << 21
};

/* ---- making ----------------------------------------------------------------------------------- */

static bool ours(const struct network *n, unsigned router)
{
    return router >= n->first && router < n->last;
}

/* Bits that pass before the next wrong one: geometric. */
static uint64_t until_error(const struct network *n, struct sim_random *random)
{
    const double p = n->config.ber;
    if (p <= 0)
        return UINT64_MAX;
    const double bits = log1p(-sim_unit(random)) / log1p(-p);
    return bits < 1e18 ? (uint64_t)bits : UINT64_MAX;
}

/* Within what the register holds. */
static unsigned bias_of(const struct net_config *config, unsigned kind)
{
    const int bias = (int)config->bias + config->bias_more[kind];
    return bias < 0 ? 0 : bias > LOAD_MOST ? LOAD_MOST : (unsigned)bias;
}

static void write_memories(struct network *n, const struct tables *tables, unsigned router,
                           unsigned port)
{
    const struct router_model *m = n->model;
    const struct here *here = &n->topology->here[router];
    void *r = n->router[router - n->first];
    for (unsigned k = 0; k < 4; k++) {
        struct question q = {.router = router, .port = port, .nonminimal = k & 1, .local = k >> 1};
        for (q.index = 0; q.index < tables->indices[q.local]; q.index++) {
            uint64_t words[MACHINE_DRAWS];
            tables_entries(tables, &q, words);
            for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++)
                m->write(r, port, q.nonminimal ? MEMORY_NONMINIMAL : MEMORY_MINIMAL,
                         m->machine->entry_at(q.local, q.index, draw), words[draw]);
        }
    }
    for (unsigned i = 0; i < TABLES_MAP; i++)
        m->write(r, port, MEMORY_VC_MAP, i, tables_map(tables, router, port, i));
    m->write(r, port, MEMORY_BIAS, 0, bias_of(&n->config, n->topology->ports[router][port].kind));
    struct sim_random draws = sim_random_of(~n->config.seed, (UINT64_C(1) << 32) + router);
    m->write(r, port, MEMORY_HERE, 0,
             m->machine->pack_here(here->global, here->local, sim_random(&draws)));
    m->write(r, port, MEMORY_FIRST, 0,
             n->config.alike ? 0 : topo_transit_rows(n->topology, router));
}

static void place_blocks(struct network *n)
{
    const struct topology *t = n->topology;
    n->block = sim_alloc(tile_of(n, n->last, 0), sizeof *n->block);
    for (size_t i = 0; i < tile_of(n, n->last, 0); i++) {
        struct block *block = &n->block[i];
        if (t->ports[n->first + i / MACHINE_PORTS][i % MACHINE_PORTS].router == TOPO_NOBODY)
            continue;
        block->link = sim_alloc(1, n->model->link->size);
        n->model->link->reset(block->link);
        block->checked = n->config.checked ? sim_alloc(1, sizeof *block->checked) : NULL;
        block->random = sim_random_of(~n->config.seed, (uint64_t)n->first * MACHINE_PORTS + i);
        block->good_bits = until_error(n, &block->random);
    }
}

/* Clocks of the shortest cable between two ranks; AHEAD_MOST if that is longer, or there is none. */
static unsigned between_ranks(const struct network *n)
{
    const struct topology *t = n->topology;
    unsigned shortest = AHEAD_MOST;
    for (unsigned rank = 0; rank < n->config.ranks->count; rank++) {
        const unsigned first = ranks_first_router(t, rank, n->config.ranks->count),
                       last = ranks_first_router(t, rank + 1, n->config.ranks->count);
        for (unsigned i = first * MACHINE_PORTS; i < last * MACHINE_PORTS; i++) {
            const struct port *port = &t->ports[i / MACHINE_PORTS][i % MACHINE_PORTS];
            const unsigned delay = n->config.delay[port->kind];
            if (port->router != TOPO_NOBODY && delay < shortest &&
                ((unsigned)port->router < first || (unsigned)port->router >= last))
                shortest = delay;
        }
    }
    return shortest;
}

/* Windows and rings, by the cables that there are: what is put in last may be a window and a cable ahead of what is read. */
static void size_rings(struct network *n)
{
    const struct topology *t = n->topology;
    unsigned longest = 1, shortest = WINDOW_MOST;
    for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++) {
        const struct port *port = &t->ports[i / MACHINE_PORTS][i % MACHINE_PORTS];
        const unsigned delay = n->config.delay[port->kind];
        if (port->router == TOPO_NOBODY)
            continue;
        longest = delay > longest ? delay : longest;
        shortest = delay < shortest ? delay : shortest;
    }
    n->window = shortest;
    n->ahead = n->config.ranks && n->config.ranks->count > 1 ? between_ranks(n) : shortest;
    n->slots = longest + shortest;
}

/* The routers of this rank. */
static void divide(struct network *n)
{
    const struct ranks *ranks = n->config.ranks;
    n->first = ranks ? ranks_first_router(n->topology, ranks->rank, ranks->count) : 0;
    n->last = ranks ? ranks_first_router(n->topology, ranks->rank + 1, ranks->count)
                    : n->topology->routers;
}

/* From one router to the next: whole cache lines. */
static size_t stride(const struct network *n)
{
    return (n->model->size + 63) / 64 * 64;
}

/* Of this rank, without what topology and tables take, which are there by now. */
static double bytes(const struct network *n)
{
    const size_t tiles = tile_of(n, n->last, 0);
    const size_t link = (n->config.lcb ? n->model->link->size : 0) +
                        (n->config.checked ? sizeof(struct checked) : 0);
    const double all = (double)n->topology->routers, nodes = (double)n->topology->nodes;
    return (double)(n->last - n->first) * (double)(stride(n) + WAITING * sizeof(struct packet)) +
           (double)tiles * (double)(n->slots * sizeof *n->arrival + sizeof *n->end + link) +
           nodes * sizeof(struct nic) +
           all * (sizeof(struct packets) + MACHINE_PORTS * sizeof *n->sent) + 4 * LARGE_PAGE;
}

void net_room(const struct router_model *model, const struct topology *t,
              const struct net_config *config)
{
    struct network n = {.model = model, .topology = t, .config = *config};
    size_rings(&n);
    divide(&n);
    sim_room(t->name, bytes(&n) * (config->ranks ? config->ranks->beside : 1));
}

static void send_word(void *network, unsigned router, const struct packet *packet)
{
    border_packet(((struct network *)network)->border, router, packet);
}

static void make_router(struct network *n, const struct tables *tables, unsigned r)
{
    const struct topology *t = n->topology;
    void **router = &n->router[r - n->first];
    *router = n->memory + (r - n->first) * stride(n);
    n->model->reset(*router);
    for (unsigned p = 0; p < n->model->machine->ports; p++)
        if (t->ports[r][p].kind != PORT_UNUSED)
            write_memories(n, tables, r, p);
}

struct network *net_new(const struct router_model *model, const struct tables *tables,
                        const struct net_config *config)
{
    const struct topology *t = tables->topology;
    struct network *n = sim_alloc(1, sizeof *n);
    net_room(model, t, config);
    n->model = model;
    n->topology = t;
    n->config = *config;
    size_rings(n);
    divide(n);
    const size_t tiles = tile_of(n, n->last, 0);
    n->router = sim_alloc(n->last - n->first, sizeof *n->router);
    n->memory = sim_alloc_large((n->last - n->first) * stride(n));
    n->end = sim_alloc_large(tiles * sizeof *n->end);
    n->arrival = sim_alloc_large(tiles * n->slots * sizeof *n->arrival);
    n->sent = sim_alloc((size_t)t->routers * MACHINE_PORTS, sizeof *n->sent);
    if (config->lcb)
        place_blocks(n);
    nics_new(&n->nics, model, t, &config->traffic, config->seed);
    n->nics.ends = config->lcb && model->machine->by_end;
    n->tally = sim_alloc(nics_tallies(&n->nics), sizeof *n->tally);
    n->nics.first_router = n->first;
    n->nics.last_router = n->last;
    n->nics.send_word = send_word;
    n->nics.send_to = n;
    if (config->ranks && config->ranks->count > 1)
        n->border = border_new(config->ranks, t, n->ahead, sizeof *n->arrival);
    for (size_t i = 0; i < tiles; i++)
        n->end[i].nic = NIC_NOBODY;
    for (unsigned i = 0; i < n->nics.count; i++)
        if (ours(n, n->nics.nic[i].router))
            n->end[tile_of(n, n->nics.nic[i].router, n->nics.nic[i].port)].nic = (int32_t)i;
    for (unsigned r = n->first; r < n->last; r++)
        make_router(n, tables, r);
    return n;
}

void net_free(struct network *n)
{
    if (!n)
        return;
    for (size_t i = 0; n->block && i < tile_of(n, n->last, 0); i++) {
        free(n->block[i].link);
        free(n->block[i].checked);
    }
    border_free(n->border);
    free(n->block);
    free(n->router);
    free(n->memory);
    free(n->end);
    free(n->arrival);
    free(n->sent);
    free(n->tally);
    nics_free(&n->nics);
    if (n->cable_ops)
        n->cable_ops->free(n);
    free(n);
}

/* ---- a clock ---------------------------------------------------------------------------------- */

/* Where what goes into the cable at this port arrives. */
static struct arrival *into_cable(struct network *n, unsigned router, unsigned port)
{
    const struct port *link = &n->topology->ports[router][port];
    if (!ours(n, (unsigned)link->router))
        return border_item(n->border, router, port, (unsigned)(n->nics.now - n->begin));
    return arrival_at(n, (unsigned)link->router, link->port,
                      n->nics.now + n->config.delay[link->kind]);
}

static void corrupt(const struct network *n, struct block *block, struct lanes *lanes)
{
    enum { WORD = 16, BITS = MODEL_LANES * WORD };
    uint64_t at = block->good_bits;
    if (!lanes->valid)
        return;
    for (; at < BITS; at += 1 + until_error(n, &block->random))
        lanes->word[at / WORD] ^= (uint16_t)(1U << at % WORD);
    block->good_bits = at == UINT64_MAX ? at : at - BITS;
}

/* A link control block's clock: what it had for the router before, its lanes into the cable. */
static struct wires_in clock_block(struct network *n, unsigned router, unsigned port,
                                   struct block *block)
{
    const struct wires_in before = block->to_router;
    const bool taken = block->from_router.valid && before.ready;
    struct lanes from_cable = arrival_at(n, router, port, n->nics.now)->lanes, to_cable;
    struct link_side side = {.now = n->nics.now};
    if (n->cable_ops)
        n->cable_ops->drive(n, router, port, &from_cable, &side);
    n->model->link->clock(block->link, &block->from_router, &from_cable, &side, &block->to_router,
                          &to_cable);
    if (block->checked)
        checked_clock(block->checked, &block->to_router);
    if (n->cable_ops)
        n->cable_ops->crossed(n, router, port, &before, taken, &side);
    corrupt(n, block, &to_cable);
    into_cable(n, router, port)->lanes = to_cable;
    n->sent[router * MACHINE_PORTS + port] += taken;
    n->nics.sums.hops += before.valid;
    return before;
}

/* What waits of a class at the other end, in fours, by what was sent and not given back: less what the cable holds both ways. */
static uint8_t far_load(const struct network *n, unsigned router, unsigned port,
                        const struct cable_end *end, unsigned class)
{
    const unsigned trip = 2 * n->config.delay[n->topology->ports[router][port].kind];
    const unsigned filled = end->account.filled[class];
    const unsigned load = filled > trip ? (filled - trip) / 4 : 0;
    return (uint8_t)(load > FAR_MOST ? FAR_MOST : load);
}

/* What a port sees in this clock. */
static struct wires_in gather(struct network *n, unsigned router, unsigned port)
{
    struct cable_end *end = &n->end[tile_of(n, router, port)];
    struct wires_in in = {.ready = true};
    if (n->block && end->nic == NIC_NOBODY)
        return clock_block(n, router, port, &n->block[tile_of(n, router, port)]);
    if (end->nic != NIC_NOBODY) {
        nic_make(&n->nics, &n->nics.nic[end->nic]);
        nic_send(&n->nics, &n->nics.nic[end->nic], &in);
        if (n->cable_ops)
            n->cable_ops->comes(n, router, port, &in);
        in.room = in.spare = nic_room(&n->nics, &n->nics.nic[end->nic]);
        return in;
    }
    struct arrival *a = arrival_at(n, router, port, n->nics.now);
    in.valid = a->valid;
    in.flit = a->flit;
    in.bad = a->bad;
    in.tail = a->tail;
    in.peer_load = a->load;
    if (n->cable_ops)
        n->cable_ops->comes(n, router, port, &in);
    end->held += in.valid;
    n->nics.sums.hops += in.valid;
    if (a->freed)
        account_free(&end->account, n->model, a->freed_vc, 1);
    in.room = in.spare = in.dead ? UINT8_MAX : account_room(&end->account, n->model);
    in.far_request = in.dead ? 0 : far_load(n, router, port, end, 0);
    in.far_response = in.dead ? 0 : far_load(n, router, port, end, 1);
    *a = (struct arrival){0};
    return in;
}

/* A packet that was chosen counts as the longest until its head tells its length, or its end comes. */
static void charge(struct network *n, struct cable_end *end, const struct wires_out *out)
{
    const struct machine *m = n->model->machine;
    if (out->start)
        account_charge(&end->account, n->model, out->start_vc, m->packet);
    if (m->by_end) {
        if (out->valid && out->head) {
            end->going = 0;
            end->vc = (uint8_t)m->unpack_head(out->flit).vc;
        }
        end->going += out->valid;
        if (out->valid && out->tail)
            account_free(&end->account, n->model, end->vc, m->packet - end->going);
    } else if (out->valid && out->head) {
        const struct head head = m->unpack_head(out->flit);
        account_free(&end->account, n->model, head.vc, m->packet - head.length);
    }
}

static void scatter(struct network *n, unsigned router, unsigned port, const struct wires_out *out)
{
    struct cable_end *end = &n->end[tile_of(n, router, port)];
    if (end->nic != NIC_NOBODY) {
        struct nic *nic = &n->nics.nic[end->nic];
        if (out->freed)
            account_free(&nic->account, n->model, out->freed_vc, 1);
        n->sent[router * MACHINE_PORTS + port] += out->valid;
        if (out->valid)
            nic_take(&n->nics, nic, out);
        if (n->cable_ops)
            (void)n->cable_ops->goes(n, router, port, out);
        return;
    }
    if (n->block) {
        n->block[tile_of(n, router, port)].from_router = *out;
        return;
    }
    charge(n, end, out);
    end->held -= out->freed;
    const unsigned load = end->held / 4;
    if (n->cable_ops && !n->cable_ops->goes(n, router, port, out))
        return;
    n->sent[router * MACHINE_PORTS + port] += out->valid;
    *into_cable(n, router, port) =
        (struct arrival){.flit = out->flit,
                         .valid = out->valid,
                         .bad = out->bad,
                         .tail = out->tail,
                         .freed = out->freed,
                         .freed_vc = out->freed_vc,
                         .load = (uint8_t)(load > LOAD_MOST ? LOAD_MOST : load)};
}

static void clock_router(struct network *n, unsigned r)
{
    const unsigned ports = n->model->machine->ports;
    const struct port *port = n->topology->ports[r];
    struct wires_in *in = n->in;
    struct wires_out *out = n->out;
    struct bus bus = {0};

    for (unsigned p = 0; p < ports; p++)
        if (port[p].kind != PORT_UNUSED)
            in[p] = gather(n, r, p);
        else
            in[p] = (struct wires_in){.ready = true};
    if (n->cable_ops)
        n->cable_ops->bus(n, r, &bus);
    n->model->clock(n->router[r - n->first], in, out, &bus);
    if (n->cable_ops)
        n->cable_ops->answer(n, r, &bus);
    for (unsigned p = 0; p < ports; p++)
        if (port[p].kind != PORT_UNUSED)
            scatter(n, r, p, &out[p]);
}

/* What another rank's router put into the cable at this port in that clock of the window. */
static void take_item(void *network, unsigned router, unsigned port, unsigned clock,
                      const void *item)
{
    struct network *n = network;
    const struct port *link = &n->topology->ports[router][port];
    *arrival_at(n, (unsigned)link->router, link->port,
                n->begin + clock + n->config.delay[link->kind]) = *(const struct arrival *)item;
}

static void take_packet(void *network, unsigned router, const struct packet *packet)
{
    nics_expect(&((struct network *)network)->nics, router, packet);
}

static void run_window(struct network *n, unsigned clocks)
{
    const uint64_t begin = n->nics.now;
    for (unsigned r = n->first; r < n->last; r++) {
        const bool dead = n->cable_ops && n->cable_ops->dead(n, r);
        const uint64_t end = dead ? begin : begin + clocks;
        if (r + 1 < n->last)
            n->model->expect(n->router[r + 1 - n->first]);
        for (n->nics.now = begin; n->nics.now < end; n->nics.now++)
            clock_router(n, r);
    }
    n->nics.now = begin + clocks;
}

/* As far as ranks may go without each other. */
static void run_ahead(struct network *n, unsigned clocks)
{
    const struct border_takers takers = {n, take_item, take_packet};
    n->begin = n->nics.now;
    for (unsigned left = clocks; left > 0;) {
        const unsigned window = left < n->window ? left : n->window;
        run_window(n, window);
        if (n->cable_ops)
            n->cable_ops->step(n);
        left -= window;
    }
    if (n->border)
        border_swap(n->border, clocks, &takers);
}

/* How far packets are, of all ranks. */
static void settle(struct network *n)
{
    uint64_t sums[] = {n->nics.sums.begun, n->nics.sums.delivered}, arrived = n->nics.arrived;
    if (n->border) {
        n->config.ranks->sum(sums, 2);
        n->config.ranks->most(&arrived, 1);
    }
    n->begun = sums[0];
    n->delivered = sums[1];
    n->moved = n->begun == n->delivered ? n->nics.now : arrived > n->moved ? arrived : n->moved;
}

void net_run(struct network *n, uint64_t clocks)
{
    while (clocks > 0) {
        const unsigned part = clocks < n->ahead ? (unsigned)clocks : n->ahead;
        run_ahead(n, part);
        clocks -= part;
    }
    settle(n);
}

void net_clock(struct network *n)
{
    net_run(n, 1);
}

bool net_stalled(const struct network *n)
{
    return n->begun != n->delivered && n->nics.now - n->moved > NET_STALL;
}

bool net_drain(struct network *n, uint64_t limit)
{
    n->nics.closed = true;
    settle(n);
    for (uint64_t i = 0; i < limit && n->begun != n->delivered && !net_stalled(n); i += n->window)
        net_run(n, n->window);
    return n->begun == n->delivered;
}
