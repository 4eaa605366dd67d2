// SPDX-License-Identifier: Apache-2.0
/*
 * maint_tap.c - a maintenance tap: takes requests that come over its link, asks the bus, sends the reply.
 *
 * A request acts when it is whole, good and as it must be; another packet that is the tap's is dropped. What was taken is given back like
 * flits of the input queue, none of a copy that comes again. For its reply the tap shuts the reply's VC until the peer has room, then all
 * until the router has sent what it announced; so the LCB sees one sender that announces each packet and sends them in this order.
 */
#include "chip/maint/maint_tap.h"

#include "router/flit/masks.h"

#define SETTLE 7 /* clocks in which a choice that the router made before is announced */

HLS_RESET void maint_tap_reset(struct maint_tap *self)
{
    self->out = (struct maint_tap_out){};
    self->state = TAP_TAKES;
    self->came = 0;
    self->formed = 0;
    self->vc = 0;
    for (int v = 0; v < RTR_VCS; v++) {
        self->owed[v] = 0;
    }
    self->tag = 0;
    self->heads = 0;
    self->back = 0;
    self->spill = 0;
    self->sent = 0;
    self->crc = 0;
    self->ahead = 0;
    self->patience = 0;
}

/* ---- data: shifted in and out by phits ----------------------------------------------------------- */

static inline tap_data data_of(const struct maint_tap *self)
{
    return (tap_data)(((tap_data)self->spill << 64) | self->out.bus.wdata);
}

static inline void keep_data(struct maint_tap *self, tap_data data)
{
    self->out.bus.wdata = (u64)data;
    self->spill = (u2)(data >> 64);
}

/* ---- the request --------------------------------------------------------------------------------- */

/* A phit of a request in front of its end, while it is as it must be. */
static inline void take_phit(struct maint_tap *self, rtr_flit flit)
{
    u1 fits = 1;

    if (self->came == 0) {
        fits = head_empties(flit);
    } else if (self->came == 1) {
        self->out.bus.write = (u1)(flit >> 17);
        self->tag = (u8)(flit >> 9);
        self->out.bus.unit = (u8)(flit >> 1);
        fits = (u4)(flit >> 18) == 0 && !(u1)flit;
    } else if (self->came == 2) {
        self->out.bus.addr = (u16)(flit >> 6);
        self->heads = (u3)(flit >> 3);
        fits = (u3)flit == 0 && (u3)(flit >> 3) != 0 && (u3)(flit >> 3) <= TAP_HEADS;
    } else {
        if (self->came < (lcb_phits)(self->heads + 3)) {
            self->way[(u2)(self->came - 3)] = flit;
            self->back = self->came == 3 ? (rtr_vc)head_vc(flit) : self->back;
            fits = head_mode(flit) == MODE_SOURCE && head_fits(flit);
        }
        keep_data(self, (data_of(self) >> RTR_FLIT_BITS) |
                            (tap_data)((tap_data)flit << 2 * RTR_FLIT_BITS));
    }
    self->formed &= fits;
}

/* The end: what came is given back unless it comes again, and a request that is good acts. */
static inline void end_packet(struct maint_tap *self, u2 ok)
{
    u1 serves =
        self->formed && ok == OK_GOOD && self->came == (lcb_phits)(self->heads + (TAP_REQUEST - 1));

    if (ok != OK_CUT) {
        self->owed[self->vc] += (u8)(self->came + 1);
    }
    self->out.dropped = !serves && ok != OK_CUT;
    if (serves) {
        self->out.bus.valid = 1;
        self->state = TAP_ASKS;
    }
}

static inline void take(struct maint_tap *self, const struct maint_tap_in *in)
{
    const struct port_in *link = &in->from_link;
    u1 claims = tap_claims(&self->out, in);

    if (claims && !self->out.comes) {
        self->came = 0;
        self->vc = (rtr_vc)head_vc(link->flit);
        self->formed = self->state == TAP_TAKES;
    }
    if (claims && !link->tail && self->formed) {
        take_phit(self, link->flit);
    }
    if (claims && link->tail) {
        end_packet(self, link->ok);
    }
    if (claims) {
        self->came++;
    }
    if (link->valid) {
        self->out.comes = !link->tail;
        self->out.ours = claims;
    }
}

/* ---- credits ------------------------------------------------------------------------------------- */

/* One is given back in each clock in which the input queue gives none. */
static inline void give_back(struct maint_tap *self, const struct maint_tap_in *in)
{
    rtr_vcs owes = 0;

    if (!in->from_router.freed.valid && self->out.owes != 0) {
        self->owed[self->out.owed_vc]--;
    }
    for (int v = 0; v < RTR_VCS; v++) {
        owes |= (rtr_vcs)((rtr_vcs)(self->owed[v] != 0) << v);
    }
    self->out.owes = owes;
    self->out.owed_vc = (rtr_vc)mask_index(mask_lowest((u8)owes));
}

/* ---- the reply ----------------------------------------------------------------------------------- */

/* Phit `sent` of the reply is offered. */
static inline void offer(struct maint_tap *self)
{
    u4 behind = (u4)(self->sent - self->heads); /* the heads, where sent is not less */
    u1 heads = self->sent < self->heads;
    rtr_flit flit = (rtr_flit)self->out.bus.wdata;

    if (heads) {
        flit = self->way[(u2)self->sent];
    } else if (behind == 0) {
        flit = (rtr_flit)(((rtr_flit)self->out.bus.write << 17) | ((rtr_flit)self->tag << 9) |
                          ((rtr_flit)self->out.bus.unit << 1));
    } else if (behind == 1) {
        flit = (rtr_flit)((rtr_flit)self->out.bus.addr << 6);
    } else if (behind == TAP_REPLY - 1) {
        flit = (rtr_flit)core_end(self->crc);
    }
    if (!heads && behind >= 2) {
        keep_data(self, data_of(self) >> RTR_FLIT_BITS);
    }
    if (!heads) {
        self->crc = core_step(behind == 0 ? (pkt_crc)0 : self->crc, flit);
    }
    self->out.flit = flit;
    self->out.head = self->sent == 0;
    self->out.tail = !heads && behind == TAP_REPLY - 1;
}

/* Packets that the router has announced and not ended. */
static inline void count_announced(struct maint_tap *self, const struct maint_tap_in *in)
{
    u1 ends =
        in->from_router.valid && in->from_router.tail && in->from_link.ready && !self->out.sends;

    /* the router announces what it sends */
    hls_assume(self->ahead != 0 || in->from_router.start.valid || !ends);
    self->ahead = (u3)(self->ahead + in->from_router.start.valid - ends);
}

static inline void end_service(struct maint_tap *self)
{
    self->out.shut = 0;
    self->state = TAP_TAKES;
}

/* The reply's VC is shut until there is room for it on the link. */
static inline void find_room(struct maint_tap *self, const struct maint_tap_in *in, rtr_vcs bit)
{
    self->out.shut = bit;
    if (in->from_link.dead) {
        self->out.dropped = 1;
        end_service(self);
    } else if (self->patience == 0 && (in->from_link.room & bit) != 0) {
        self->out.shut = (rtr_vcs)-1;
        self->patience = SETTLE;
        self->state = TAP_TURN;
    }
}

/* All VCs are shut until the router has sent what it announced; the reply is then announced. */
static inline void wait_turn(struct maint_tap *self, const struct maint_tap_in *in, rtr_vcs bit)
{
    if (self->patience == 0 && self->ahead == 0) {
        if ((in->from_link.room & bit) != 0) {
            self->out.start.valid = 1;
            self->out.sends = 1;
            self->sent = 0;
            self->state = TAP_SENDS;
            offer(self);
        } else {
            self->state = TAP_ROOM;
        }
    }
}

static inline void send(struct maint_tap *self, const struct maint_tap_in *in)
{
    if (in->from_link.ready) {
        self->sent++;
        if (self->out.tail) {
            self->out.sends = 0;
            self->out.served = 1;
            end_service(self);
        } else {
            offer(self);
        }
    }
}

static inline void serve(struct maint_tap *self, const struct maint_tap_in *in)
{
    rtr_vcs bit = vc_bit(self->back);

    self->patience -= self->patience != 0;
    self->out.start = (struct vc_note){.vc = self->back};
    switch (self->state) {
    case TAP_TAKES:
        break;
    case TAP_ASKS:
        if (in->bus.ready) {
            self->out.bus.valid = 0;
            if (!self->out.bus.write) {
                keep_data(self, in->bus.rdata);
            }
            self->patience = SETTLE;
            self->state = TAP_ROOM;
        }
        break;
    case TAP_ROOM:
        find_room(self, in, bit);
        break;
    case TAP_TURN:
        wait_turn(self, in, bit);
        break;
    case TAP_SENDS:
        send(self, in);
        break;
    }
}

HLS_MODULE void maint_tap(struct maint_tap *self, const struct maint_tap_in *in)
{
    self->out.served = 0;
    self->out.dropped = 0;
    count_announced(self, in);
    serve(self, in);
    take(self, in);
    give_back(self, in);
}
