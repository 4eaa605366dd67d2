// SPDX-License-Identifier: Apache-2.0
/*
 * prove_tap.c - a maintenance tap between a link and its port of the router.
 *
 * Any flits come from the link, within the credit of their VC; the router chooses a packet on a VC whose room it saw up to four clocks ago,
 * announces it and sends it whole, in any number of clocks. Then
 *
 *     the bus is asked once for each request that came whole and good, and never else
 *     every phit that the tap took is given back once, and none of a copy that comes again
 *     a reply begins when the router has sent what it announced, and until its end the router neither announces nor is asked for a flit
 *     no flit that comes is seen by both
 *
 * Proved by induction.
 */
#define MACHINE_YARC 1

#include "common/prove.h"

#undef hls_assume
#define hls_assume(c) ((void)(c))
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

#include "chip/maint/maint_tap.c"

#define SAW 4 /* clocks from the room that the router saw to its announcement, at most */

struct prove_tap_in {
    struct maint_tap_in tap;
};

struct prove_tap_out {
    u8 took[RTR_VCS]; /* phits of packets that were believed, less those given back */
};

struct prove_tap {
    struct prove_tap_out out;
    lcb_phits came; /* phits of the tap's packet that comes in */
    rtr_vc vc;      /* its VC */
    rtr_vcs shut[SAW];
    u3 announced; /* packets that the router has announced and not ended */
    u1 inside;    /* it sends one */
    struct maint_tap dut;
};

PROVE_RESET void prove_tap_reset(struct prove_tap *self)
{
    self->out = (struct prove_tap_out){};
    self->came = 0;
    self->vc = 0;
    for (int i = 0; i < SAW; i++) {
        self->shut[i] = 0;
    }
    self->announced = 0;
    self->inside = 0;
    maint_tap_reset(&self->dut);
    for (int i = 0; i < TAP_HEADS; i++) {
        self->dut.way[i] = 0;
    }
}

/* What the router does, behind the tap's wires. */
static inline void router(const struct prove_tap *self, const struct maint_tap_in *in)
{
    const struct port_out *from = &in->from_router;
    rtr_vcs shut = (rtr_vcs)-1;

    for (int i = 0; i < SAW; i++) {
        shut &= self->shut[i];
    }
    prove_assume(!from->start.valid || !(u1)(shut >> from->start.vc));
    prove_assume(!from->start.valid || self->announced < 4);
    prove_assume(!from->valid || self->inside || self->announced != 0 || from->start.valid);
}

/* The bus answers what it is asked. */
static inline void bus(const struct prove_tap *self, const struct maint_tap_in *in)
{
    prove_assume(!in->bus.ready || self->dut.out.bus.valid);
}

/* What comes of this clock's flit. */
static inline void follow(struct prove_tap *self, const struct maint_tap_in *in, u1 claims,
                          u1 given, rtr_vc given_vc)
{
    const struct port_in *link = &in->from_link;
    u1 head = claims && self->came == 0;
    u1 ends = claims && link->tail;
    lcb_phits phits = (lcb_phits)(self->came + 1);

    if (head) {
        self->vc = (rtr_vc)head_vc(link->flit);
    }
    for (int v = 0; v < RTR_VCS; v++) {
        u1 believed = ends && link->ok != OK_CUT && self->vc == v;

        self->out.took[v] += believed ? (u8)phits : (u8)0;
        self->out.took[v] -= given && given_vc == v;
    }
    self->came = ends ? (lcb_phits)0 : claims ? phits : self->came;
}

PROVE_MODULE void prove_tap(struct prove_tap *self, const struct prove_tap_in *p)
{
    const struct maint_tap_in *in = &p->tap;
    struct maint_tap *dut = &self->dut;
    u1 claims = tap_claims(&dut->out, in);
    struct port_in sees = tap_to_router(&dut->out, in);
    struct port_out sends = tap_to_link(&dut->out, in->from_router);
    u1 given = sends.freed.valid && !in->from_router.freed.valid;
    u1 asks = dut->out.bus.valid, answers = in->bus.ready;
    rtr_vcs shut = dut->out.shut;
    u1 good = claims && in->from_link.tail && in->from_link.ok == OK_GOOD;
    u1 busy = dut->state != TAP_TAKES;
    lcb_phits came = self->came;

    router(self, in);
    bus(self, in);
    /* the tap claims from a head on: the link frames what comes, and cuts packets that are too long */
    prove_assume(!in->from_link.valid || in->from_link.tail || self->came < RTR_PACKET - 1);
    for (int v = 0; v < RTR_VCS; v++) {
        prove_assume(self->out.took[v] <= 8 * LCB_SHARED_MOST - RTR_PACKET || !claims);
    }
    prove_assert(!(claims && sees.valid));
    prove_assert(claims || sees.valid == in->from_link.valid);
    prove_assert(!(dut->out.start.valid && in->from_router.start.valid));
    prove_assert(!dut->out.sends || !sees.ready);
    prove_assert(!dut->out.sends || (self->announced == 0 && !self->inside));

    maint_tap(dut, in);
    follow(self, in, claims, given, (rtr_vc)sends.freed.vc);
    u1 ends = in->from_router.valid && in->from_router.tail && sees.ready;
    u1 moves = in->from_router.valid && sees.ready;

    self->announced = (u3)(self->announced + in->from_router.start.valid - ends);
    self->inside = moves ? !in->from_router.tail : self->inside;
    for (int i = SAW - 1; i > 0; i--) {
        self->shut[i] = self->shut[i - 1];
    }
    self->shut[0] = shut;

    /* once for each request that came whole and good */
    prove_assert(
        !dut->out.bus.valid || (asks && !answers) ||
        (good && !busy && came + 1 >= TAP_REQUEST + 1 && came + 1 <= TAP_REQUEST + TAP_HEADS));
    prove_assert(!asks || answers || dut->out.bus.valid);
    prove_assert(dut->out.bus.valid == (dut->state == TAP_ASKS));
    prove_assert(dut->out.sends == (dut->state == TAP_SENDS));
    for (int v = 0; v < RTR_VCS; v++) {
        prove_assert(dut->owed[v] == self->out.took[v]);
        prove_assert((u1)(dut->out.owes >> v) == (dut->owed[v] != 0));
    }
    prove_assert(dut->out.owes == 0 || dut->owed[dut->out.owed_vc] != 0);
    prove_assert(!(dut->out.comes && dut->out.ours) || dut->came == self->came);
    prove_assert(!(dut->out.comes && dut->out.ours) || dut->vc == self->vc);
    prove_assert((dut->out.comes && dut->out.ours) == (self->came != 0));
    prove_assert(dut->ahead == self->announced);
    prove_assert(!self->inside || self->announced != 0);
    prove_assert(self->came < RTR_PACKET);
    prove_assert(self->came == 0 || !dut->formed || dut->state == TAP_TAKES);
    prove_assert(self->came < 3 || !dut->formed || (dut->heads != 0 && dut->heads <= TAP_HEADS));
    for (int i = 0; i < SAW; i++) {
        u1 settled =
            dut->state == TAP_SENDS || (dut->state == TAP_TURN && i < SETTLE - dut->patience);

        prove_assert(!settled || self->shut[i] == (rtr_vcs)-1);
    }
    prove_assert(dut->state != TAP_TURN || dut->out.shut == (rtr_vcs)-1);
    prove_assert(dut->state != TAP_SENDS || dut->out.shut == (rtr_vcs)-1);
    prove_assert(dut->state <= TAP_SENDS);
    prove_assert(!dut->out.start.valid || dut->state == TAP_SENDS);
    prove_assert(dut->state != TAP_SENDS || (self->announced == 0 && !self->inside));
    prove_cover(dut->state == TAP_ROOM && dut->owed[1] == 8);
}
