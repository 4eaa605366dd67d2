// SPDX-License-Identifier: Apache-2.0
/*
 * prove_credit.c - the credit accounts of lcb_credit never promise more than the peer has.
 *
 * The router announces packets on VCs with room and hands over the heads of those, or, while none is announced, offers one on a
 * VC with room until it is taken. Its registers make it slow: it may have seen the room of the clock before, and then
 * announces in two clocks running only where there was room to spare. Links die and come back at any time; what was announced before then comes later. No data
 * flows while the accounts are wiped. The counts that come from the peer may be anything at all; the shared space is fixed
 * when the first packet of an epoch is charged, and does not shrink under what is announced: that nobody guarantees. (If a
 * peer grants less in a new epoch, the packets that a router had announced before, two or three, may take space that it did
 * not grant; it has it, as its register takes no more than it has at any time, unless it is another device.) Then what all
 * VCs hold beyond their guarantee is what is booked as borrowed, that is
 * at most the shared space, and each packet announced finds room, now or in the next epoch. Proved by induction.
 */
#include "link/formal/prove.h"

/* The accounts become registers, of which an invariant may read all at once. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

#include "link/lcb_credit.c"

struct prove_credit_in {
    struct lcb_credit_in credit;
    u1 offer; /* the router will offer a packet of offer_vc from the next clock on */
    lcb_vc offer_vc;
};

struct prove_credit_out {
    u9 shared; /* of this epoch */
    u1 dead;   /* flits were taken without room: only a new epoch mends it */
    u1 fresh;  /* no packet was charged in this epoch */
};

struct prove_credit {
    struct prove_credit_out out;
    u4 announced[LCB_VCS]; /* packets whose head has not come */
    lcb_vcs seen;          /* room as it was one clock ago */
    lcb_vcs spared;        /* and room to spare */
    u1 changes;            /* the shared space did, in the clock before */
    u1 announces;          /* a packet was announced, or taken unannounced, in the clock before */
    u1 offers;             /* a packet is offered */
    lcb_vc offered_vc;
    struct lcb_credit dut;
};

PROVE_RESET void prove_credit_reset(struct prove_credit *self)
{
    self->out.shared = 0;
    self->out.dead = 0;
    self->out.fresh = 1;
    self->seen = 0;
    self->spared = 0;
    self->changes = 0;
    self->announces = 0;
    self->offers = 0;
    self->offered_vc = 0;
    lcb_credit_reset(&self->dut);
    for (int v = 0; v < LCB_VCS; v++) {
        self->dut.freed[v] = 0;
        self->dut.charged[v] = 0;
        self->dut.known[v] = 0;
        self->announced[v] = 0;
    }
}

/* What the router does. */
static inline void router(const struct prove_credit *self, const struct prove_credit_in *prove)
{
    const struct lcb_credit *dut = &self->dut;
    const struct lcb_credit_in *in = &prove->credit;
    u1 head = in->taken && dut->left == 0, ahead = dut->started != 0;
    lcb_vc vc = flit_vc(in->flit);
    u1 own = self->offers ? vc == self->offered_vc : (u1)(dut->out.room >> vc);
    lcb_vcs twice = self->changes ? (lcb_vcs)0 : self->spared;
    lcb_vcs seen = self->announces ? twice : self->seen;

    u1 named = !in->start_valid || in->start_vc == vc;

    prove_assume(!head || (ahead ? self->announced[vc] != 0 : own && named));
    prove_assume(!in->start_valid || (u1)((dut->out.room | seen) >> in->start_vc));
    prove_assume(!(self->offers || prove->offer) || !(in->start_valid || ahead));
    prove_assume(!prove->offer || !(self->offers || head));
    prove_assume(!prove->offer || (u1)(dut->out.room >> prove->offer_vc));
}

/* What lcb_link and the peer do. */
static inline void surroundings(const struct prove_credit *self, const struct lcb_credit_in *in)
{
    const struct lcb_credit *dut = &self->dut;
    u1 ahead = dut->started != 0;

    /* One VC alone may fill guarantee and shared space: that number must fit into a count. */
    prove_assume(LCB_GUARANTEED + ((u16)in->shared << 3) < 1 << LCB_CREDIT_BITS);
    prove_assume(in->shared == self->out.shared ||
                 (self->out.fresh && !self->out.dead && (!ahead || in->shared > self->out.shared)));
    prove_assume(!in->taken || (in->dead ? !in->clear : !(dut->wipes || in->clear)));
    prove_assume(!in->taken || in->dead || (in->shared == self->out.shared && !self->changes));
    prove_assume(!in->credit_valid || !(dut->wipes || in->clear));
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
        prove_assert(!(u1)(dut->out.spare >> v) || claims + 2 * PACKET <= space);
    }
    prove_assert(dut->wipes || dut->wiped == 0);
    prove_assert(!counts || beyond == dut->borrowed);
    prove_assert(claims <= space);
    prove_assert(announced == dut->started);
    prove_assert(!dut->wipes || !live || (dut->borrowed == 0 && dut->fits == (lcb_vcs)-1));
    prove_assert(!dut->wipes || !dut->waits);
    prove_assert(!self->out.fresh || !live || (dut->borrowed == 0 && dut->fits == (lcb_vcs)-1));
    prove_assert(!self->offers || dut->started == 0);
    prove_assert(!self->offers || !live || (u1)(dut->fits >> self->offered_vc) ||
                 dut->borrowed + PACKET <= space);
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
static inline void follow(struct prove_credit *self, const struct prove_credit_in *prove,
                          u1 unannounced, u1 head)
{
    const struct lcb_credit_in *in = &prove->credit;

    for (int v = 0; v < LCB_VCS; v++) {
        self->announced[v] += in->start_valid && in->start_vc == v;
        self->announced[v] -= head && flit_vc(in->flit) == v;
    }
    self->announces = in->start_valid || unannounced;
    self->offered_vc = prove->offer ? prove->offer_vc : self->offered_vc;
}

PROVE_MODULE void prove_credit(struct prove_credit *self, const struct prove_credit_in *in)
{
    u1 head = in->credit.taken && self->dut.left == 0;
    u1 comes = head && (self->dut.started != 0 || in->credit.start_valid);

    router(self, in);
    surroundings(self, &in->credit);
    finds_room(self, &in->credit);
    self->seen = self->dut.out.room;
    self->spared = self->dut.out.spare;
    lcb_credit(&self->dut, &in->credit);
    follow(self, in, head && !comes, comes);
    self->offers = in->offer || (self->offers && !head);
    self->changes = in->credit.shared != self->out.shared;
    self->out.shared = in->credit.shared;
    self->out.fresh = in->credit.clear || (self->out.fresh && !(head && !in->credit.dead));
    self->out.dead = (self->out.dead || in->credit.dead) && !in->credit.clear;
    invariants(self);
}
