// SPDX-License-Identifier: Apache-2.0
/*
 * world.c - hosts and processors at the ring.
 */
#include "tb/system/chip/abuse/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a host's memory sees ------------------------------------------------------------------------- */

static void look(void *whose, uint64_t address, const uint8_t *data, unsigned bytes, bool write,
                 unsigned id)
{
    struct node *n = whose;
    uint64_t place = address - BLOCKS_AT, block = place / BLOCK_BYTES;

    (void)id;
    if (address < BLOCKS_AT || block >= PROCESSES) {
        found(&n->world->verdict, STRAYS, "node %u: %u bytes %s at %llx, where nobody has memory",
              n->number, bytes, write ? "written" : "read", (unsigned long long)address);
    } else if (write) {
        block_write(&n->block[block], (unsigned)(place % BLOCK_BYTES), data, bytes);
    } else {
        block_read(&n->block[block], (unsigned)(place % BLOCK_BYTES), bytes);
    }
}

/* ---- a clock ------------------------------------------------------------------------------------------- */

static void node_clock(struct world *w, struct node *n)
{
    unsigned chip = n->number / CHIP_NICS, nic = n->number % CHIP_NICS;
    const struct chip_out *out = &w->ring->chip[chip].out;
    struct chip_in *in = &w->ring->in[chip];

    if (n->held) { /* and so are its ports, on both sides */
        driver_restart(&n->driver);
        host_restart(n->host);
        n->m_axi = (struct axi_to_man){};
    }
    for (unsigned p = 0; p < HONEST; p++) {
        process_clock(&n->process[p]);
    }
    if (!n->down) {
        rough_clock(&n->process[ROUGH]);
    }
    script_clock(n);
    driver_drive(&n->driver);
    in->s_axi[nic] = n->driver.axi;
    in->s_axil[nic] = n->driver.lite;
    host_step(n->host, &out->m_axi[nic], &n->m_axi);
    in->m_axi[nic] = n->m_axi;
    driver_take(&n->driver, &out->s_axi[nic], &out->s_axil[nic]);
}

void world_clock(struct world *w)
{
    for (unsigned i = 0; i < RING_NODES; i++) {
        node_clock(w, &w->node[i]);
    }
    rogue_clock(&w->rogue, w->ring);
    ring_clock(w->ring);
    w->clock++;
}

/* ---- what disturbs whom -------------------------------------------------------------------------------- */

void world_disturb(struct world *w, unsigned p, unsigned node, bool on)
{
    for (unsigned i = 0; i < PROCESSES * RING_NODES * RING_NODES; i++) {
        unsigned process = i % PROCESSES, from = i / PROCESSES % RING_NODES,
                 to = i / PROCESSES / RING_NODES;

        if ((p == PROCESSES || p == process) && (from == node || to == node)) {
            w->disturbing[process][from][to] += on ? 1 : -1u;
            w->disturbed[process][from][to] = w->clock;
        }
    }
}

bool world_disturbed(const struct world *w, unsigned p, unsigned from, unsigned to, uint64_t since)
{
    return w->disturbing[p][from][to] != 0 || w->disturbed[p][from][to] >= since;
}

/* ---- begin --------------------------------------------------------------------------------------------- */

static void start_node(struct world *w, unsigned number, uint64_t seed)
{
    struct node *n = &w->node[number];

    n->number = number;
    n->world = w;
    n->host = host_new(MEMORY, seed, look, n);
    driver_start(&n->driver, seed + 1);
    for (unsigned p = 0; p < PROCESSES; p++) {
        char name[24];

        snprintf(name, sizeof(name), "node %u, process %u", number, p);
        block_start(&n->block[p], &w->verdict, host_memory(n->host) + BLOCKS_AT + p * BLOCK_BYTES,
                    name, p == ROUGH);
        process_begin(&n->process[p], n, p, p + 1, seed + 2 + p);
        n->process[p].alive = false; /* until its NIC is set up */
    }
    n->down = true;
    script_configure(n);
}

static void stop_nodes(struct world *w)
{
    for (unsigned i = 0; i < RING_NODES; i++) {
        host_free(w->node[i].host);
        driver_stop(&w->node[i].driver);
    }
}

static void start(struct world *w, uint64_t seed)
{
    struct ring *ring = w->ring, *kept = w->kept;

    memset(w, 0, sizeof(*w));
    w->ring = ring;
    w->kept = kept;
    w->verdict.clock = &w->clock;
    rng_seed(&w->rng, seed);
    rogue_start(&w->rogue, seed + 1, PTAG_ROUGH, handle_of(ROUGH, 0));
    for (unsigned i = 0; i < RING_NODES; i++) {
        start_node(w, i, seed + 100 * (i + 1));
    }
}

struct world *world_new(uint64_t seed)
{
    struct world *w = calloc(1, sizeof(*w));

    if (w == NULL || (w->kept = aligned_alloc(64, (sizeof(struct ring) + 63) / 64 * 64)) == NULL) {
        abort();
    }
    w->ring = ring_new(seed);
    ring_restore(w->kept, w->ring);
    start(w, seed);
    harness_clock = &w->clock;
    return w;
}

void world_restore(struct world *w, uint64_t seed)
{
    stop_nodes(w);
    ring_restore(w->ring, w->kept);
    start(w, seed);
}

void world_free(struct world *w)
{
    stop_nodes(w);
    free(w->kept);
    ring_free(w->ring);
    free(w);
}

void world_halt(struct world *w, unsigned node)
{
    struct node *n = &w->node[node];

    n->down = true;
    for (unsigned p = 0; p < PROCESSES; p++) {
        process_abandon(&n->process[p]);
        n->block[p].lossy = true;
    }
    driver_restart(&n->driver);
    host_restart(n->host);
    n->m_axi = (struct axi_to_man){};
    n->script = (struct script){0};
}

void world_restart(struct world *w, unsigned node)
{
    world_halt(w, node);
    script_configure(&w->node[node]);
}
