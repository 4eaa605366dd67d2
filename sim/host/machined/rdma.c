// SPDX-License-Identifier: Apache-2.0
/*
 * rdma.c - block transfers of programs: the rings of each node's block transfer engine, and what is posted there.
 *
 * The rings are the machine's memory and the driver's. All transfers of a program go to one channel, so that a fence is one for it; the
 * NIC's own event at the end of a transaction goes straight to the program's queue.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"
#include "sim/host/machined/machine.h"

enum { RING_LOG2 = 7, BYTES = 64 << RING_LOG2, LOOK = 1 << 12 };

void rdma_start(struct machine *m, unsigned number)
{
    struct node *node = &m->node[number];
    for (node->channels = 0; node->channels < MACHINE_CHANNELS; node->channels++) {
        struct kernel_memory *r = &node->ring[node->channels];
        struct drv_ring want = {.log2 = RING_LOG2, .transactions = chips_sizes.ring_transactions};
        *r = (struct kernel_memory){.bytes = BYTES, .at = sim_alloc(1, BYTES)};
        enum drv_result result = drv_kernel_memory(node->driver, BYTES, &r->place);
        want.place = r->place;
        want.memory = r->at;
        if (result == DRV_OK)
            result = drv_ring(node->driver, node->channels, &want);
        if (result == DRV_WRONG && node->channels != 0)
            return; /* the NIC has no more of them */
        if (result != DRV_OK)
            sim_fail("machined: node %u: a ring of block transfers: %s", number, drv_says(result));
    }
}

bool rdma_ring_access(struct node *node, uint64_t place, void *data, unsigned bytes, bool write)
{
    for (unsigned i = 0; i < node->channels; i++) {
        struct kernel_memory *r = &node->ring[i];
        if (place < r->place || place - r->place + bytes > r->bytes)
            continue;
        if (write)
            memcpy(r->at + (place - r->place), data, bytes);
        else
            memcpy(data, r->at + (place - r->place), bytes);
        return true;
    }
    return false;
}

/* Events tell programs; to the driver it matters that places in the ring are free again, and names that rest. */
static void look(struct drv *d)
{
    struct drv_over over;
    while (drv_over(d, &over)) {
    }
}

void rdma_look(struct machine *m)
{
    if (chips_clocks(m->chips) - m->rings_seen < LOOK)
        return;
    m->rings_seen = chips_clocks(m->chips);
    for (unsigned i = 0; i < m->nodes; i++)
        look(m->node[i].driver);
}

void rdma_post(struct job *j, const struct wire_request *r, struct wire_answer *a)
{
    struct node *node = &j->program->machine->node[j->program->node];
    const uint64_t flags = r->word[1] & 0xFF;
    const struct drv_transfer t = {
        .get = (flags & WIRE_RDMA_PUT) == 0,
        .fence = (flags & WIRE_RDMA_FENCE) != 0,
        .mode = (unsigned)(r->word[1] >> 8 & 7),
        .pe = (uint32_t)(r->word[1] >> 32),
        .mdh = (unsigned)(r->word[2] & 0xFFF),
        .offset = r->word[4],
        .local_mdh = (unsigned)(r->word[2] >> 12 & 0xFFF),
        .local = r->word[3],
        .bytes = r->word[5],
        .local_event = (flags & WIRE_RDMA_LOCAL) != 0,
        .global_event = (flags & WIRE_RDMA_GLOBAL) != 0,
        .queue = (unsigned)(r->word[1] >> 16 & 0xFFFF),
        .event = r->word[6],
        .target_event = (flags & WIRE_RDMA_REMOTE) != 0,
        .target = r->word[7],
    };
    const unsigned channel = (unsigned)j->program->pid % node->channels;
    enum drv_result result = drv_post(j->process, channel, &t);
    if (result == DRV_FULL) {
        look(node->driver);
        result = drv_post(j->process, channel, &t);
    }
    a->result = wire_of(result);
}
