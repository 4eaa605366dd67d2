// SPDX-License-Identifier: Apache-2.0
/*
 * reg_port.c - packets that read and write the router's registers.
 *
 * One request at a time, and only requests wait for it: room on their VCs ends when one is announced and comes back when it has been
 * answered or refused. What comes on a VC of responses is taken in any clock and refused, so that no response waits here for another.
 * A reply goes out when the one before has left the input queue, so it needs no more room than the guaranteed part of one VC.
 */
#include "router/reg_port.h"

#define COMMAND_AT RTR_FLIT_BITS
#define DATA_AT    (2 * RTR_FLIT_BITS)
#define ACCESS_BITS                                                                                \
    (((u64)1 << REG_PORT_ACCESS_WRITES_AT) | ((u64)1 << REG_PORT_ACCESS_READS_AT) |                \
     (((u64)1 << REG_PORT_ACCESS_KEY_BITS) - 1))
#define REQUESTS ((rtr_vcs)((1 << RTR_VCS / 2) - 1))

HLS_RESET void reg_port_reset(struct reg_port *self)
{
    self->out = (struct reg_port_out){
        .to_router = {.ready = 1, .room = (rtr_vcs)-1, .spare = (rtr_vcs)~REQUESTS}};
    self->came = 0;
    self->responds = 0;
    self->differs = 0;
    self->expected = 0;
    self->state = REG_TAKES;
    self->sent = 0;
    self->held = 0;
    self->flits = 0;
    self->access = 0;
    self->unasked = 0;
    self->malformed = 0;
    self->denied = 0;
}

static inline u1 is_response(rtr_flit head)
{
    u4 vc = head_vc(head);

    return vc >= RTR_VCS / 2 && vc < RTR_VCS;
}

/* Whether this flit belongs to the key and is not as ACCESS has it. */
static inline u1 is_wrong_key(const struct reg_port *self, rtr_flit flit)
{
    u1 wrong = 0;

    for (int i = 0; i < REG_KEY; i++) {
        wrong |=
            self->came == i + 1 && flit != (rtr_flit)((u48)self->access >> (i * RTR_FLIT_BITS));
    }
    return wrong;
}

/* The end of a packet on a VC of requests, all of which is in flits: to the bus, or refused. */
static inline void decide(struct reg_port *self, u1 whole)
{
    u1 write = (u1)(self->flits >> (COMMAND_AT + REG_WRITE_AT));
    u1 formed = whole && is_response((rtr_flit)self->flits);
    u1 may = (u1)(self->access >> (write ? REG_PORT_ACCESS_WRITES_AT : REG_PORT_ACCESS_READS_AT));
    u1 serves = formed && may && !self->differs;

    self->malformed += !formed;
    self->denied += formed && !serves;
    self->expected = serves;
    if (serves)
        self->state = REG_ASKS;
    self->out.refused = !serves;
    self->out.bus.valid = serves;
    self->out.bus.write = write;
    self->out.bus.addr = (u16)(self->flits >> COMMAND_AT);
    self->out.bus.wdata = (u64)(self->flits >> DATA_AT);
}

/* A flit of the router's output. */
static inline void take(struct reg_port *self, const struct port_out *from)
{
    u1 responds = from->head ? is_response(from->flit) : self->responds;
    u1 whole = self->came == REG_REQUEST - 1 && !from->bad;

    /* The router sends requests where there is room, and room ends with the first. */
    hls_assume(responds || self->state == REG_TAKES);
    if (!responds) {
        self->flits >>= RTR_FLIT_BITS;
        self->flits |= (reg_flits)from->flit << ((REG_REPLY - 1) * RTR_FLIT_BITS);
    }
    self->differs = from->head ? (u1)0 : self->differs || is_wrong_key(self, from->flit);
    self->responds = responds;
    if (self->came != REG_REQUEST) { /* stays when the packet is too long */
        self->came++;
    }
    if (from->tail) {
        self->came = 0;
        if (responds) {
            self->unasked++;
            self->out.refused = 1;
        } else {
            decide(self, whole);
        }
    }
}

/* A request that take() has found good: to the bus, then the reply, once the one before has left the input queue. */
static void serve(struct reg_port *self, const struct reg_port_in *in)
{
    HLS_PROCESS(self->state, REG_TAKES, REG_ASKS, REG_WAITS, REG_SENDS);
    for (;;) {
        HLS_WAIT(REG_TAKES);
        return;
        HLS_WAIT(REG_ASKS);
        if (!in->bus.ready)
            return;
        self->out.bus.valid = 0;
        self->flits = (reg_flits)(self->out.bus.write ? self->out.bus.wdata : in->bus.rdata)
                          << DATA_AT |
                      (uint(2 * RTR_FLIT_BITS)) self->flits;
        HLS_WAIT_UNTIL(REG_WAITS, self->held == 0);
        for (self->sent = 0; self->sent != REG_REPLY; self->sent++) {
            HLS_WAIT(REG_SENDS);
            rtr_flit flit = (rtr_flit)self->flits;
            self->out.to_router.valid = 1;
#if RTR_LENGTH_BITS != 0
            self->out.to_router.flit = self->sent == 0 ? head_sized(flit, REG_REPLY) : flit;
#else
            self->out.to_router.flit = flit;
            self->out.to_router.tail = self->sent == REG_REPLY - 1;
#endif
            self->flits >>= RTR_FLIT_BITS;
        }
        self->expected = 0;
    }
}

/* Of management: no packet comes here. */
static inline void registers(struct reg_port *self, const struct reg_request *local)
{
    u1 begins = local->valid && !self->out.local.ready;
    u1 access = local->addr == REG_PORT_ACCESS, refused = local->addr == REG_PORT_REFUSED;
    u64 counts = (u64)self->unasked << REG_PORT_REFUSED_UNASKED_AT |
                 (u64)self->malformed << REG_PORT_REFUSED_MALFORMED_AT |
                 (u64)self->denied << REG_PORT_REFUSED_DENIED_AT;

    self->out.local.ready = begins;
    self->out.local.error = begins && !access && !(refused && !local->write);
    self->out.local.rdata = access ? self->access : refused ? counts : (u64)0;
    if (begins && local->write && access) {
        self->access = local->wdata & ACCESS_BITS;
    }
}

HLS_MODULE void reg_port(struct reg_port *self, const struct reg_port_in *in)
{
    /* inq_store gives each flit back once. */
    hls_assume(self->held != 0 || !in->from_router.freed.valid);
    self->held += self->out.to_router.valid;
    self->held -= in->from_router.freed.valid;
    self->out.to_router.valid = 0;
    self->out.refused = 0;
    if (in->from_router.start.valid && !vc_responds(in->from_router.start.vc)) {
        self->expected = 1;
    }
    serve(self, in);
    registers(self, &in->local);
    if (in->from_router.valid) {
        take(self, &in->from_router);
    }
    self->out.to_router.room = self->expected ? (rtr_vcs)~REQUESTS : (rtr_vcs)-1;
    hls_cover(self->out.refused);
    hls_cover(self->state == REG_SENDS);
}
