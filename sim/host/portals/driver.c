// SPDX-License-Identifier: Apache-2.0
/* driver.c - the privileged part: nodes, their ring, local commands, memory of the library. */
#include <stdlib.h>
#include <string.h>

#include "hls/seastar/host/seastar_map.h"
#include "sim/host/portals/portals.h"
#include "sim/host/portals/ptl_inside.h"

enum { KIND_COMMAND = 5, TICKET = 0xFFFF, RETRY = 8, RECORDS = 1024 /* bytes for each node */ };

void ptl_open(struct ptl_port *port)
{
    struct ptl_node *node = calloc(1, sizeof *node);
    if (!node)
        abort();
    node->port = port;
    port->driver = node;
    node->heap = port->heap;
    for (unsigned s = 0; s < PTL_SLOTS; s++)
        node->slot[s] = PTL_NONE;
    node->ring = ptl_alloc(node, UINT64_C(64) << PTL_RING_LOG2);
    const uint64_t records = port->nodes ? ptl_alloc(node, RECORDS * (uint64_t)port->nodes) : 0;
    if (records)
        port->write(port->node, SS_REG_STREAMS, records | 1);
    port->write(port->node, SS_REG_RING_BASE, node->ring);
    port->write(port->node, SS_REG_RING_CONFIG, 1 | PTL_RING_LOG2 << 1);
    port->write(port->node, SS_REG_IRQ_MASK, 0);
}

void ptl_close(struct ptl_port *port)
{
    free(port->driver);
    port->driver = NULL;
}

uint64_t ptl_alloc(struct ptl_node *node, uint64_t bytes)
{
    const uint64_t at = (node->heap + 127) & ~UINT64_C(127);
    if (at + bytes > node->port->bytes)
        return 0;
    node->heap = at + bytes;
    memset(node->port->memory + at, 0, bytes);
    return at;
}

void ptl_command(struct ptl_node *node, unsigned address, const uint64_t words[7], unsigned op,
                 unsigned ticket, uint64_t length)
{
    struct ptl_port *port = node->port;
    uint64_t word[8];
    memcpy(word, words, 7 * sizeof *word);
    word[7] = (uint64_t)op << 56 | (uint64_t)ticket << 40 | length;
    while (!port->mail(port->node, address, word, 8))
        port->spend(port->node, RETRY);
}

unsigned ptl_local(struct ptl_node *node, const uint64_t words[7], unsigned op, uint64_t length)
{
    node->answer.came = false;
    ptl_command(node, LINE_LOCAL, words, op, TICKET, length);
    for (unsigned n = 0; n < PTL_WAIT_LIMIT && !node->answer.came; n++) {
        ptl_serve(node);
        node->port->spend(node->port->node, 1);
    }
    return node->answer.came ? node->answer.status : 7;
}

/* An entry of the ring: the answer to a local command, or of generic mode. */
static void take_entry(struct ptl_node *node, const uint64_t word[8])
{
    const unsigned kind = word[7] >> 48 & 7;
    if (kind == KIND_COMMAND && (word[0] & 0xFFFF) == TICKET) {
        node->answer.status = word[7] >> 32 & 15;
        memcpy(node->answer.word, word, sizeof node->answer.word);
        node->answer.came = true;
    } else if (kind != KIND_COMMAND) {
        generic_entry(node, word);
    }
}

void ptl_serve(struct ptl_node *node)
{
    struct ptl_port *port = node->port;
    for (;;) {
        const uint64_t at = node->ring + 64 * (node->entries % (1U << PTL_RING_LOG2));
        const unsigned lap = (node->entries >> PTL_RING_LOG2) % 127 + 1;
        uint64_t word[8];
        memcpy(word, port->memory + at, sizeof word);
        if (word[7] >> 57 != lap)
            return;
        node->entries++;
        port->write(port->node, SS_REG_RING_READ, node->entries & 0xFFFF);
        take_entry(node, word);
    }
}

/* Masked while the ring is emptied, so that what comes meanwhile is seen here or interrupts again. */
void ptl_interrupt(struct ptl_port *port)
{
    struct ptl_node *node = port->driver;
    if (!node)
        return;
    port->write(port->node, SS_REG_IRQ_MASK, 1);
    ptl_serve(node);
    port->write(port->node, SS_REG_IRQ_MASK, 0);
}
