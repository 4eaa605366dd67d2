// SPDX-License-Identifier: Apache-2.0
/*
 * border.c - cables and packets between ranks, as messages.
 *
 * A message is, for each cable to that rank, in the order of our routers and ports, what it carried in each clock; then
 * the packets, each behind its router. Both ends make the list of cables from the topology.
 */
#include "sim/engine/ranks/border.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"
#include "sim/net/topology.h"

struct cable {
    unsigned router, port; /* that sends */
};

/* What we send to another rank, or it to us. */
struct side {
    struct cable *cable;
    unsigned cables;
};

struct letter {
    uint64_t router;
    struct packet packet;
};

struct border {
    struct ranks *ranks;
    const struct topology *topology;
    unsigned window;
    size_t item;
    unsigned *first; /* [rank + 1]: routers */
    struct side *to, *from;
    struct parcel *out, *in;
    uint8_t *
        *place; /* [our router][port]: of the cable, in the parcel; NULL: none of another rank */
};

static unsigned rank_of(const struct border *b, unsigned router)
{
    unsigned rank = 0;
    while (router >= b->first[rank + 1])
        rank++;
    return rank;
}

/* The cables from routers of one rank to those of another, twice: counted, listed. */
static struct side side_of(const struct border *b, unsigned from, unsigned to)
{
    struct side side = {0};
    for (unsigned pass = 0; pass < 2; pass++) {
        if (pass == 1)
            side.cable = sim_alloc(side.cables + 1, sizeof *side.cable);
        side.cables = 0;
        for (unsigned r = b->first[from]; r < b->first[from + 1]; r++)
            for (unsigned p = 0; p < b->topology->machine->ports; p++) {
                const int32_t peer = b->topology->ports[r][p].router;
                if (peer == TOPO_NOBODY || (unsigned)peer < b->first[to] ||
                    (unsigned)peer >= b->first[to + 1])
                    continue;
                if (pass == 1)
                    side.cable[side.cables] = (struct cable){r, p};
                side.cables++;
            }
    }
    return side;
}

static unsigned processors(const struct border *b, unsigned rank)
{
    unsigned count = 0;
    for (unsigned r = b->first[rank]; r < b->first[rank + 1]; r++)
        for (unsigned p = 0; p < b->topology->machine->ports; p++)
            count += b->topology->ports[r][p].kind == PORT_PROCESSOR;
    return count;
}

/* Room for the cables, and for a packet of each processor port in each clock. */
static struct parcel parcel_new(const struct border *b, const struct side *side, unsigned sender)
{
    struct parcel p = {.size = side->cables * b->window * b->item};
    p.room = p.size + (size_t)processors(b, sender) * b->window * sizeof(struct letter);
    p.data = sim_alloc(p.room + 1, 1);
    return p;
}

struct border *border_new(struct ranks *ranks, const struct topology *t, unsigned window,
                          size_t item)
{
    struct border *b = sim_alloc(1, sizeof *b);
    *b = (struct border){.ranks = ranks, .topology = t, .window = window, .item = item};
    b->first = sim_alloc(ranks->count + 1, sizeof *b->first);
    for (unsigned r = 0; r <= ranks->count; r++)
        b->first[r] = ranks_first_router(t, r, ranks->count);
    b->to = sim_alloc(ranks->count, sizeof *b->to);
    b->from = sim_alloc(ranks->count, sizeof *b->from);
    b->out = sim_alloc(ranks->count, sizeof *b->out);
    b->in = sim_alloc(ranks->count, sizeof *b->in);
    const unsigned ours = b->first[ranks->rank];
    b->place =
        sim_alloc((size_t)(b->first[ranks->rank + 1] - ours) * MACHINE_PORTS, sizeof *b->place);
    for (unsigned r = 0; r < ranks->count; r++) {
        if (r == ranks->rank)
            continue;
        b->to[r] = side_of(b, ranks->rank, r);
        b->from[r] = side_of(b, r, ranks->rank);
        b->out[r] = parcel_new(b, &b->to[r], ranks->rank);
        b->in[r] = parcel_new(b, &b->from[r], r);
        for (unsigned c = 0; c < b->to[r].cables; c++) {
            const struct cable *cable = &b->to[r].cable[c];
            b->place[(size_t)(cable->router - ours) * MACHINE_PORTS + cable->port] =
                b->out[r].data + c * window * item;
        }
    }
    return b;
}

void border_free(struct border *b)
{
    for (unsigned r = 0; b && r < b->ranks->count; r++) {
        free(b->to[r].cable);
        free(b->from[r].cable);
        free(b->out[r].data);
        free(b->in[r].data);
    }
    if (b) {
        free(b->to);
        free(b->from);
        free(b->out);
        free(b->in);
        free(b->first);
        free(b->place);
    }
    free(b);
}

void *border_item(struct border *b, unsigned router, unsigned port, unsigned clock)
{
    return b->place[(size_t)(router - b->first[b->ranks->rank]) * MACHINE_PORTS + port] +
           clock * b->item;
}

void border_packet(struct border *b, unsigned router, const struct packet *packet)
{
    struct parcel *to = &b->out[rank_of(b, router)];
    const struct letter letter = {router, *packet};
    memcpy(to->data + to->size, &letter, sizeof letter);
    to->size += sizeof letter;
}

static void take(const struct border *b, const struct side *side, const struct parcel *in,
                 unsigned clocks, const struct border_takers *takers)
{
    size_t at = side->cables * b->window * b->item;
    for (unsigned c = 0; c < side->cables; c++)
        for (unsigned k = 0; k < clocks; k++)
            takers->item(takers->self, side->cable[c].router, side->cable[c].port, k,
                         in->data + (c * b->window + k) * b->item);
    for (; at < in->size; at += sizeof(struct letter)) {
        struct letter letter;
        memcpy(&letter, in->data + at, sizeof letter);
        takers->packet(takers->self, (unsigned)letter.router, &letter.packet);
    }
}

void border_swap(struct border *b, unsigned clocks, const struct border_takers *takers)
{
    b->ranks->swap(b->ranks, b->out, b->in);
    for (unsigned r = 0; r < b->ranks->count; r++) {
        if (r == b->ranks->rank)
            continue;
        take(b, &b->from[r], &b->in[r], clocks, takers);
        b->out[r].size = b->to[r].cables * b->window * b->item;
    }
}
