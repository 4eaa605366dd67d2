// SPDX-License-Identifier: Apache-2.0
/*
 * ss_router.c - the router of SeaStar: tables, inputs, choice and outputs, joined.
 */
#include "seastar/router/ss_router.h"

HLS_RESET void ss_router_reset(struct ss_router *self)
{
    self->out = (struct ss_router_out){};
    for (int p = 0; p < SS_PORTS; p++) {
        ss_route_reset(&self->route[p]);
        ss_input_reset(&self->in_port[p]);
        ss_output_reset(&self->out_port[p]);
    }
    ss_choice_reset(&self->choice);
    self->clocks = 0;
    self->tick = 0;
}

/* An offer of input i, as its output sees it. */
static inline void offer(struct ss_asking *to, int i, const struct ss_offer *offer)
{
    to->asks |= (ss_ports)((ss_ports)offer->valid << i);
    to->vc |=
        (uint(SS_PORTS * SS_VC_LOG2))((uint(SS_PORTS * SS_VC_LOG2)) offer->vc << (SS_VC_LOG2 * i));
    to->next |= (uint(SS_PORTS * SS_VC_LOG2))((uint(SS_PORTS * SS_VC_LOG2)) offer->next
                                              << (SS_VC_LOG2 * i));
    to->age |= (uint(SS_PORTS * SS_AGE_BITS))((uint(SS_PORTS * SS_AGE_BITS)) offer->age
                                              << (SS_AGE_BITS * i));
}

/* Outputs that a packet of this input is on its way to, or will be; not behind a tail that leaves in this clock. */
static inline ss_ways taken(const struct ss_input_out *i, ss_ports go)
{
    u1 last = (u1)(i->tails >> i->leaves_vc);

    return (last ? (ss_ways)(i->leaves & ~(ss_ways)go) : i->leaves) | i->follows;
}

/* Registers of the modules, as the others see them in this clock. */
struct ss_seen {
    struct ss_choice_in choice;
    struct ss_output_in output;
    ss_ports dead, go;
};

static inline struct ss_seen see(const struct ss_router *self, const struct ss_router_in *in)
{
    struct ss_seen s = {.choice = {.age_rr = in->age_rr}};

    for (int p = 0; p < SS_PORTS; p++) {
        const struct ss_input_out *i = &self->in_port[p].out;

        for (int o = 0; o <= SS_PORTS; o++) {
            offer(&s.choice.to[o], p, &i->offer[o]);
        }
        s.choice.room[p] = in->from[p].room;
        s.go |= (ss_ports)((ss_ports)self->out_port[p].out.go << p);
        s.output.from[p] = i->cross;
        s.dead |= (ss_ports)((ss_ports)in->from[p].dead << p);
    }
    for (int p = 0; p < SS_PORTS; p++) {
        s.choice.taken |= (ss_ports)taken(&self->in_port[p].out, s.go);
    }
    return s;
}

HLS_MODULE void ss_router(struct ss_router *self, const struct ss_router_in *in)
{
    struct ss_seen s = see(self, in);

    for (int p = 0; p < SS_PORTS; p++) {
        struct ss_output_in output = s.output;
        u1 write = (u1)(in->write_at >> p);
        struct ss_route_in route = {
            .dst = ss_head_dst(in->from[p].flit), .partition = in->partition, .write = in->write};
        struct ss_input_in input = {.valid = in->from[p].valid,
                                    .flit = in->from[p].flit,
                                    .bad = in->from[p].bad,
                                    .whole = in->from[p].whole,
                                    .entry = self->route[p].out.entry,
                                    .own = (ss_port)p,
                                    .dead = s.dead,
                                    .tick = self->tick,
                                    .bias = {in->bias_request[p], in->bias_response[p]},
                                    .go = s.go,
                                    .grant = self->choice.out.grant[p]};

        for (int o = 0; o < SS_PORTS; o++) {
            u1 mine = s.output.from[o].valid && (u1)(s.output.from[o].to >> p);

            input.room[o] = in->from[o].room;
            output.mine |= (ss_ports)((ss_ports)mine << o);
        }
        route.write.local = write && in->write.local;
        route.write.global = write && in->write.global;
        output.ready = in->from[p].ready;
        ss_route(&self->route[p], &route);
        ss_input(&self->in_port[p], &input);
        ss_output(&self->out_port[p], &output);
    }
    ss_choice(&self->choice, &s.choice);
    for (int p = 0; p < SS_PORTS; p++) {
        self->out.to[p].valid = self->out_port[p].out.valid;
        self->out.to[p].flit = self->out_port[p].out.flit;
        self->out.to[p].head = self->out_port[p].out.head;
        self->out.to[p].tail = self->out_port[p].out.tail;
        self->out.to[p].bad = self->out_port[p].out.bad;
        self->out.to[p].start = self->choice.out.start[p];
        self->out.to[p].freed = self->in_port[p].out.freed;
        self->out.events[p] = self->in_port[p].out.events;
    }
    u1 ticks = self->clocks == in->age_period;

    self->tick += ticks;
    self->clocks = ticks ? (u16)0 : (u16)(self->clocks + 1);
}
