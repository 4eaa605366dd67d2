// SPDX-License-Identifier: Apache-2.0
/*
 * prove_credit.c - the credit accounts of lcb_credit never promise more than the peer has.
 *
 * The router announces packets on VCs with room and hands over the heads of those, or, while none is announced, a head on a
 * VC with room; none while the accounts are wiped. Links die and come back at any time; what was announced before then comes later. The counts
 * that come from the peer may be anything at all; the shared space stays what it was when the epoch began, and does not
 * shrink under what is announced. Then what all VCs hold beyond their guarantee is what is booked as borrowed, that is
 * at most the shared space, and each packet announced finds room, now or in the next epoch. Proved by induction.
 */
#include "link/formal/prove.h"

/* The accounts become registers, of which an invariant may read all at once. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

#include "link/lcb_credit.c"

struct prove_credit_in {
    struct lcb_credit_in credit;
};

struct prove_credit_out {
    u9 shared; /* of this epoch */
    u1 dead;   /* flits were taken without room: only a new epoch mends it */
};

struct prove_credit {
    struct prove_credit_out out;
    u4 announced[LCB_VCS]; /* packets whose head has not come */
    struct lcb_credit dut;
};

PROVE_RESET void prove_credit_reset(struct prove_credit *self)
{
    self->out.shared = 0;
    self->out.dead = 0;
    lcb_credit_reset(&self->dut);
    for (int v = 0; v < LCB_VCS; v++) {
        self->dut.freed[v] = 0;
        self->dut.charged[v] = 0;
        self->dut.known[v] = 0;
        self->announced[v] = 0;
    }
}

static inline void surroundings(const struct prove_credit *self, const struct lcb_credit_in *in)
{
    const struct lcb_credit *dut = &self->dut;
    u1 head = in->taken && dut->left == 0, ahead = dut->started != 0;
    lcb_vc vc = flit_vc(in->flit);
    u1 room = (u1)(dut->out.room >> vc);

    /* One VC alone may fill guarantee and shared space: that number must fit into a count. */
    prove_assume(LCB_GUARANTEED + ((u16)in->shared << 3) < 1 << LCB_CREDIT_BITS);
    prove_assume(in->shared == self->out.shared ||
                 (in->clear && (!ahead || in->shared > self->out.shared)));
    prove_assume(!head ||
                 (ahead ? self->announced[vc] != 0 : (in->dead || room) && !in->start_valid));
    prove_assume(!in->start_valid || (u1)(dut->out.room >> in->start_vc));
    prove_assume(!(in->taken || in->credit_valid) || !(dut->wipes || in->clear));
}

/* Shared space that packets announced on VC v can take; whole: with its guarantee free. */
static inline u16 claim(const struct prove_credit *self, int v, u1 whole)
{
    u4 packets = self->announced[v];

    return (u16)((u16)(packets - (whole && packets != 0)) * PACKET);
}

static inline void invariants(const struct prove_credit *self)
{
    const struct lcb_credit *dut = &self->dut;
    const u16 space = (u16)((u16)self->out.shared << 3);
    u1 live = !self->out.dead;
    u1 counts = !dut->wipes && live;
    u16 beyond = 0, claims = live ? (u16)dut->borrowed : (u16)0, announced = 0;

    for (int v = 0; v < LCB_VCS; v++) {
        lcb_credits filled = dut->charged[v] - dut->known[v];

        beyond += beyond_guarantee(filled);
        claims += claim(self, v, !live || (u1)(dut->fits >> v));
        announced += self->announced[v];
        prove_assert(!counts || !(u1)(dut->fits >> v) || filled <= LCB_GUARANTEED - PACKET);
        prove_assert(!dut->wipes || v >= dut->wiped || filled == 0);
        prove_assert(self->announced[v] == 0 || (u1)(dut->begun >> v));
    }
    for (int v = 0; v < LCB_VCS; v++) {
        u1 own = self->announced[v] == 0 && (!live || (u1)(dut->fits >> v));

        prove_assert(!(u1)(dut->out.room >> v) || own || claims + PACKET <= space);
    }
    prove_assert(dut->wipes || dut->wiped == 0);
    prove_assert(!counts || beyond == dut->borrowed);
    prove_assert(claims <= space);
    prove_assert(announced == dut->started);
    prove_assert(!dut->wipes || !live || (dut->borrowed == 0 && dut->fits == (lcb_vcs)-1));
    prove_assert(!dut->wipes || !dut->waits);
}

/* Whoever hands over a head where it may finds room for all of the packet. */
static inline void finds_room(const struct prove_credit *self, const struct lcb_credit_in *in)
{
    const struct lcb_credit *dut = &self->dut;
    u1 fits = (u1)(dut->fits >> flit_vc(in->flit));

    prove_assert(!in->taken || dut->left != 0 || in->dead || self->out.dead || fits ||
                 dut->borrowed + PACKET <= (u16)((u16)in->shared << 3));
}

/* What the router has announced. */
static inline void follow(struct prove_credit *self, const struct lcb_credit_in *in, u1 head)
{
    for (int v = 0; v < LCB_VCS; v++) {
        self->announced[v] += in->start_valid && in->start_vc == v;
        self->announced[v] -= head && flit_vc(in->flit) == v;
    }
}

PROVE_MODULE void prove_credit(struct prove_credit *self, const struct prove_credit_in *in)
{
    u1 comes = in->credit.taken && self->dut.left == 0 && self->dut.started != 0;

    surroundings(self, &in->credit);
    finds_room(self, &in->credit);
    lcb_credit(&self->dut, &in->credit);
    follow(self, &in->credit, comes);
    if (in->credit.clear) {
        self->out.shared = in->credit.shared;
    }
    self->out.dead = (self->out.dead || in->credit.dead) && !in->credit.clear;
    invariants(self);
}
