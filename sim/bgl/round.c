// SPDX-License-Identifier: Apache-2.0
/*
 * round.c - all-to-all of the living nodes: hints lead round the dead ones, relays send on what no hints can.
 */
#include <stdlib.h>

#include "sim/base/program.h"
#include "sim/bgl/fast/grow.h"
#include "sim/bgl/hints.h"
#include "sim/bgl/program_state.h"

/* Hints of a packet: dynamic if its box is clean and it may be, else of its clean path; 0 if there is none. */
static unsigned way(const struct program *p, struct place from, struct call *call)
{
    const struct shape *s = &p->config.shape;
    const bool may = !p->config.deterministic;
    const unsigned box = may ? hints_round(s, p->dead, from, call->to, true) : 0;
    call->dynamic = box != 0;
    call->hints = (uint8_t)(box ? box : hints_round(s, p->dead, from, call->to, false));
    return call->hints;
}

/* What the node has to send on as a relay. */
static bool next_relayed(struct program *p, struct seat *seat, struct place at, uint32_t now,
                         struct call *call)
{
    if (seat->relays == seat->relayed)
        return false;
    *call = plain_call(p, shape_place(&p->config.shape, seat->relay[seat->relayed++]), now);
    (void)way(p, at, call);
    return true;
}

bool next_round(struct program *p, unsigned node, uint32_t now, struct call *call, uint32_t *wait)
{
    const struct shape *s = &p->config.shape;
    struct seat *seat = &p->seat[node];
    const struct place from = shape_place(s, node);
    if (p->dead[node])
        return false;
    if (next_relayed(p, seat, from, now, call))
        return true;
    for (;;) {
        if (!p->plain(p, node, now, call, wait))
            return false;
        if (p->dead[shape_node(s, call->to)])
            continue;
        if (way(p, from, call))
            return true;
        const unsigned to = shape_node(s, call->to);
        if (!hints_relay(s, p->dead, from, call->to, &call->to)) {
            seat->lost++;
            continue;
        }
        (void)way(p, from, call);
        call->relay = true;
        call->tag = (uint16_t)to;
        return true;
    }
}

void arrived_round(struct program *p, unsigned node, uint32_t now, const struct packet *packet)
{
    struct seat *seat = &p->seat[node];
    (void)now;
    if (!packet->relay)
        return;
    if (seat->relays == seat->relay_room) {
        seat->relay_room = seat->relay_room ? 2 * seat->relay_room : 8;
        seat->relay = grow(seat->relay, seat->relay_room * sizeof *seat->relay);
    }
    seat->relay[seat->relays++] = packet->tag;
}
