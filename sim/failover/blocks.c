// SPDX-License-Identifier: Apache-2.0
/*
 * blocks.c - lanes, busses and books of link control blocks.
 */
#include "sim/failover/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "sim/failover/faults.h"
#include "sim/failover/l0.h"
#include "sim/engine/network_state.h"

/*
 * What a block may have acknowledged and not handed up: flits in the receive buffer of hls/link/micropacket/lcb_rx.h; of packets framed
 * by their ends the one whose end waits a clock.
 */
enum { RECEIVED = 16, RECEIVED_PACKETS = 1 };

/* Flits, since the network was made; where the end frames, ends that are not poisoned, as copies of a packet may go up before it. */
struct fault_block {
    uint64_t taken, handed, reported;
    uint64_t gone; /* of those taken: with a router that was killed, at most */
    struct desk desk;
};

static struct fault_block *at(const struct network *n, unsigned router, unsigned port)
{
    return &faults_blocks(n)[tile_of(n, router, port)];
}

/* That at the other end of the cable. */
static struct fault_block *beyond(const struct network *n, unsigned router, unsigned port)
{
    const struct port *peer = &n->topology->ports[router][port];
    return at(n, (unsigned)peer->router, peer->port);
}

static bool has_cable(const struct network *n, unsigned router, unsigned port)
{
    return n->topology->ports[router][port].router != TOPO_NOBODY;
}

bool blocks_used(const struct network *n)
{
    return n->block;
}

struct fault_block *blocks_new(const struct network *n)
{
    return sim_alloc((size_t)n->topology->routers * MACHINE_PORTS, sizeof(struct fault_block));
}

void blocks_free(struct network *n)
{
    struct fault_block *block = faults_blocks(n);
    for (unsigned i = 0; block && i < n->topology->routers * MACHINE_PORTS; i++)
        desk_free(&block[i].desk);
    free(block);
}

/* ---- a clock ----------------------------------------------------------------------------------- */

void blocks_drive(struct network *n, unsigned router, unsigned port, struct lanes *from_cable,
                  struct link_side *side)
{
    if (!faults_carries(n, router, port))
        *from_cable = (struct lanes){0};
    side->chip = router + 1;
    side->port = port;
    struct l0 *l0 = faults_l0(n);
    if (l0) {
        const unsigned unit = l0_link(l0, router, port);
        l0_drive(l0, router, unit, &side->bus);
        l0_drive_link(l0, router, unit, side);
    } else
        desk_drive(&at(n, router, port)->desk, &side->bus);
}

/* A block that gives up closes a packet with flits of zeros; nobody sends such a flit. */
static bool made_up(const struct wires_in *to_router)
{
    return to_router->dead && to_router->flit == 0;
}

void blocks_answer(struct network *n, unsigned router, unsigned port,
                   const struct wires_in *to_router, bool taken, const struct link_side *side)
{
    struct fault_block *b = at(n, router, port);
    const struct wires_out *from = &n->block[tile_of(n, router, port)].from_router;
    struct l0 *l0 = faults_l0(n);
    if (l0) {
        l0_answer(l0, router, l0_link(l0, router, port), &side->bus);
        l0_see_link(l0, router, l0_link(l0, router, port), side);
    } else
        desk_answer(&b->desk, &side->bus);
    if (n->model->machine->by_end) {
        b->taken += taken && from->tail && !from->bad;
        b->handed += to_router->valid && to_router->tail && to_router->ok == MODEL_GOOD;
    } else {
        b->taken += taken;
        b->handed += to_router->valid && !made_up(to_router);
    }
    b->reported += side->reported;
    faults_crossed(n, router, port, to_router, taken ? from : NULL);
}

/* ---- breaking ---------------------------------------------------------------------------------- */

void blocks_kill(struct network *n, unsigned router)
{
    for (unsigned p = 0; p < n->model->machine->ports; p++) {
        if (!has_cable(n, router, p))
            continue;
        struct fault_block *own = at(n, router, p), *other = beyond(n, router, p);
        own->gone = own->taken - other->handed;
        other->gone += n->model->machine->by_end ? RECEIVED_PACKETS : RECEIVED;
    }
}

/* A new block; the cable does not hold what the old one sent. */
void blocks_replace(struct network *n, unsigned router)
{
    for (unsigned p = 0; p < n->model->machine->ports; p++) {
        const struct port *peer = &n->topology->ports[router][p];
        struct block *block = &n->block[tile_of(n, router, p)];
        if (!has_cable(n, router, p))
            continue;
        n->model->link->reset(block->link);
        block->from_router = (struct wires_out){0};
        block->to_router = (struct wires_in){0};
        desk_clear(&at(n, router, p)->desk);
        memset(arrival_at(n, (unsigned)peer->router, peer->port, 0), 0,
               n->slots * sizeof *n->arrival);
    }
}

unsigned blocks_deaf_ends(const struct network *n)
{
    unsigned count = 0;
    for (unsigned r = 0; r < n->topology->routers; r++)
        for (unsigned p = 0; p < n->model->machine->ports; p++)
            count += has_cable(n, r, p) && !faults_dead(n, r) && !faults_carries(n, r, p) &&
                     !n->block[tile_of(n, r, p)].to_router.dead;
    return count;
}

uint64_t blocks_unreported(const struct network *n)
{
    uint64_t sum = 0;
    for (unsigned r = 0; r < n->topology->routers; r++)
        for (unsigned p = 0; p < n->model->machine->ports; p++) {
            const struct fault_block *b = at(n, r, p);
            if (!has_cable(n, r, p) || faults_dead(n, r))
                continue;
            const uint64_t lost = b->taken - beyond(n, r, p)->handed;
            sum += lost > b->reported + b->gone ? lost - b->reported - b->gone : 0;
        }
    return sum;
}

/* ---- registers --------------------------------------------------------------------------------- */

void blocks_ask(struct network *n, unsigned router, unsigned port, const struct request *requests,
                size_t count)
{
    struct l0 *l0 = faults_l0(n);
    if (l0)
        l0_ask(l0, router, l0_link(l0, router, port), requests, count);
    else
        desk_ask(&at(n, router, port)->desk, requests, count);
}

size_t blocks_pending(const struct network *n, unsigned router, unsigned port)
{
    const struct l0 *l0 = faults_l0(n);
    return l0 ? l0_pending(l0, router, l0_link(l0, router, port))
              : desk_pending(&at(n, router, port)->desk);
}

uint64_t blocks_read(struct network *n, unsigned router, unsigned port)
{
    struct l0 *l0 = faults_l0(n);
    return l0 ? l0_read(l0, router, l0_link(l0, router, port))
              : desk_read(&at(n, router, port)->desk);
}
