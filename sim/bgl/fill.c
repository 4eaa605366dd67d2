// SPDX-License-Identifier: Apache-2.0
/*
 * fill.c - a node to its line or plane, and a message there and back.
 *
 * The line: half of the packets go x+, half x-, each deposited at all other nodes. The plane: a quarter of them for each of four trees that share
 * no link. The tree of x+ is the root's line x+; from each of its other nodes the line y+; and the link x+ from each of the last of these lines'
 * nodes into the root's own column. The trees of x-, y+, y- are the same with other ports.
 */
#include "sim/bgl/program_state.h"

/* Ports of a colour: of its first line, of its second lines. */
static const uint8_t first_port[COLOURS] = {0, 1, 2, 3}, second_port[COLOURS] = {2, 3, 0, 1};

/* The last node of the ring through a node that one comes to by this port. */
static struct place ring_end(const struct shape *s, struct place p, unsigned port)
{
    return shape_neighbour(s, p, port ^ 1);
}

static bool next_stage(struct program *p, struct seat *seat, struct place at, struct call *call,
                       uint32_t now)
{
    const struct shape *s = &p->config.shape;
    for (unsigned i = 0; i < COLOURS * (STAGES - 1); i++) {
        const unsigned colour = i % COLOURS, stage = 1 + i / COLOURS;
        const unsigned port = stage == 1 ? second_port[colour] : first_port[colour];
        if (!seat->owed[i])
            continue;
        seat->owed[i]--;
        const struct place to = stage == 1 ? ring_end(s, at, port) : shape_neighbour(s, at, port);
        *call = plain_call(p, to, now);
        call->hints = (uint8_t)(1u << port);
        call->deposit = stage == 1;
        call->fifo = (int8_t)port;
        call->tag = (uint16_t)(stage * COLOURS + colour);
        return true;
    }
    return false;
}

bool next_fill(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait)
{
    const struct shape *s = &p->config.shape;
    struct seat *seat = &p->seat[node];
    const struct place at = shape_place(s, node);
    const unsigned colours = p->config.pattern == PATTERN_LINE ? 2 : COLOURS;
    (void)wait;
    if (next_stage(p, seat, at, call, now))
        return true;
    if (node != 0 || seat->index == p->config.packets)
        return false;
    const unsigned colour = (unsigned)(seat->index++ % colours);
    *call = plain_call(p, ring_end(s, at, first_port[colour]), now);
    call->hints = (uint8_t)(1u << first_port[colour]);
    call->deposit = true;
    call->fifo = (int8_t)colour;
    call->tag = (uint16_t)colour;
    return true;
}

void arrived_fill(struct program *p, unsigned node, uint32_t now, const struct packet *packet)
{
    const struct shape *s = &p->config.shape;
    const unsigned stage = packet->tag / COLOURS, colour = packet->tag % COLOURS;
    const struct place at = shape_place(s, node), root = {{0, 0, 0}};
    (void)now;
    if (p->config.pattern == PATTERN_LINE || stage == 2)
        return;
    const unsigned d = first_port[colour] / 2;
    const bool last = shape_neighbour(s, at, first_port[colour]).at[d] == root.at[d];
    if (stage == 0)
        p->seat[node].owed[colour]++;
    else if (last)
        p->seat[node].owed[COLOURS + colour]++;
}

/* ---- there and back ----------------------------------------------------------------------------- */

static unsigned pong_of(const struct program *p)
{
    unsigned hops = p->config.hops;
    struct place to = {{0, 0, 0}};
    for (unsigned d = 0; d < 3; d++)
        for (; hops && 2u * to.at[d] + 1 < p->config.shape.size[d]; hops--)
            to.at[d]++;
    return shape_node(&p->config.shape, to);
}

bool next_ping_pong(struct program *p, unsigned node, uint32_t now, struct call *call,
                    uint32_t *wait)
{
    struct seat *seat = &p->seat[node];
    const unsigned pong = pong_of(p);
    (void)wait;
    if (node == 0 && seat->index == 0)
        seat->owed[0] = p->config.packets; /* ping begins */
    seat->index = 1;
    if ((node != 0 && node != pong) || !seat->owed[0])
        return false;
    seat->owed[0]--;
    *call = plain_call(p, shape_place(&p->config.shape, node ? 0 : pong), now);
    return true;
}

void arrived_ping_pong(struct program *p, unsigned node, uint32_t now, const struct packet *packet)
{
    struct seat *seat = &p->seat[node];
    (void)now;
    (void)packet;
    if (++seat->owed[1] < p->config.packets)
        return;
    seat->owed[1] = 0;
    seat->owed[2]++; /* messages */
    if (node != 0 || seat->owed[2] < p->config.rounds)
        seat->owed[0] = p->config.packets;
}
