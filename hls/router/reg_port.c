// SPDX-License-Identifier: Apache-2.0
/*
 * reg_port.c - packets that read and write the router's registers.
 *
 * One request at a time; the output of the router waits meanwhile. A reply goes out when the one before has left
 * the input queue, so it needs no more room than the guaranteed part of one VC.
 */
#include "router/reg_port.h"

#define COMMAND_AT RTR_FLIT_BITS
#define DATA_AT    (2 * RTR_FLIT_BITS)
#define LAST       (REG_REQUEST - 1)

HLS_RESET void reg_port_reset(struct reg_port *self)
{
    self->out =
        (struct reg_port_out){.to_router = {.ready = 1, .room = (rtr_vcs)-1, .spare = (rtr_vcs)-1}};
    self->state = REG_TAKES;
    self->count = 0;
    self->held = 0;
    self->flits = 0;
}

/* Replies travel as responses, so they never wait for requests. */
static inline u1 is_response(rtr_flit head)
{
    u4 vc = head_vc(head);

    return vc >= RTR_VCS / 2 && vc < RTR_VCS;
}

static inline void take(struct reg_port *self, const struct port_out *from)
{
    u1 whole = from->tail && self->count == LAST && !from->bad;

    self->flits >>= RTR_FLIT_BITS;
    self->flits |= (reg_flits)from->flit << ((REG_REPLY - 1) * RTR_FLIT_BITS);
    if (self->count != REG_REQUEST) { /* stays when the packet is too long */
        self->count++;
    }
    if (from->tail) {
        u1 serves = whole && is_response((rtr_flit)self->flits);

        self->count = 0;
        self->state = serves ? REG_ASKS : REG_TAKES;
        self->out.refused = !serves;
        self->out.bus.valid = serves;
        self->out.bus.write = (u1)(self->flits >> (COMMAND_AT + 23));
        self->out.bus.addr = (u16)(self->flits >> COMMAND_AT);
        self->out.bus.wdata = (u64)(self->flits >> DATA_AT);
    }
}

static inline void ask(struct reg_port *self, const struct reg_reply *bus)
{
    if (bus->ready) {
        u64 data = self->out.bus.write ? self->out.bus.wdata : bus->rdata;
        uint(2 * RTR_FLIT_BITS) kept = (uint(2 * RTR_FLIT_BITS)) self->flits;

        self->out.bus.valid = 0;
        self->flits = ((reg_flits)data << DATA_AT) | kept;
        self->state = REG_WAITS;
    }
}

static inline void send(struct reg_port *self)
{
    rtr_flit flit = (rtr_flit)self->flits;
    u1 last = self->count == REG_REPLY - 1;

    self->out.to_router.valid = 1;
    self->out.to_router.flit = self->count == 0 ? head_sized(flit, REG_REPLY) : flit;
    self->flits >>= RTR_FLIT_BITS;
    self->count = last ? (u4)0 : (u4)(self->count + 1);
    self->state = last ? REG_TAKES : REG_SENDS;
}

HLS_MODULE void reg_port(struct reg_port *self, const struct reg_port_in *in)
{
    u1 taken = in->from_router.valid && self->out.to_router.ready;

    /* inq_store gives each flit back once. */
    hls_assume(self->held != 0 || !in->from_router.freed.valid);
    self->held += self->out.to_router.valid;
    self->held -= in->from_router.freed.valid;
    self->out.to_router.valid = 0;
    self->out.refused = 0;
    switch (self->state) {
    case REG_TAKES:
        if (taken) {
            take(self, &in->from_router);
        }
        break;
    case REG_ASKS:
        ask(self, &in->bus);
        break;
    case REG_WAITS:
        if (self->held == 0) {
            self->state = REG_SENDS;
        }
        break;
    case REG_SENDS:
    default:
        send(self);
        break;
    }
    self->out.to_router.ready = self->state == REG_TAKES;
    hls_cover(self->out.refused);
    hls_cover(self->state == REG_SENDS);
}
