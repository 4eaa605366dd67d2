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
 * VCs hold beyond their guarantee, with the packets that are pending as the longest, is at most what is committed, to the flit once all
 * is booked; it fits into the shared space, and each packet announced finds room, now or in the next epoch. Proved by induction.
 */
#include "common/prove.h"

/* The accounts become registers, of which an invariant may read all at once. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

#include "link/micropacket/lcb_credit.c"

struct prove_credit_in {
    struct lcb_credit_in credit;
    u1 offer; /* the router will offer a packet of offer_vc from the next clock on */
    lcb_vc offer_vc;
};

struct prove_credit_out {
    u9 shared_space; /* of this epoch */
    u1 dead;         /* flits were taken without room: only a new epoch mends it */
    u1 fresh;        /* no packet was charged in this epoch */
};

struct prove_credit {
    struct prove_credit_out out;
    u4 announced[LCB_VCS]; /* packets whose head has not come */
    lcb_vcs seen;          /* room as it was one clock ago */
    lcb_vcs spared;        /* and room to spare */
    u1 changes;            /* the shared space did, in the clock before */
    u1 returns;            /* what is to be refunded was freed by the peer */
    u1 announces;          /* a packet was announced, or taken unannounced, in the clock before */
    u1 offers;             /* a packet is offered */
    lcb_vc offered_vc;
    struct lcb_credit dut;
};

PROVE_RESET void prove_credit_reset(struct prove_credit *self)
{
    self->out.shared_space = 0;
    self->out.dead = 0;
    self->out.fresh = 1;
    self->seen = 0;
    self->spared = 0;
    self->changes = 0;
    self->returns = 0;
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

/* A packet is announced whose head was not taken. */
static inline u1 is_ahead(const struct lcb_credit *dut)
{
    return dut->pending != dut->head.valid;
}

/* What the router does. */
static inline void router(const struct prove_credit *self, const struct prove_credit_in *prove)
{
    const struct lcb_credit *dut = &self->dut;
    const struct lcb_credit_in *in = &prove->credit;
    u1 head = in->taken && dut->left == 0, ahead = is_ahead(dut);
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
    u1 ahead = is_ahead(dut);

    /* One VC alone may fill guarantee and shared space: that number must fit into a count. */
    prove_assume(LCB_GUARANTEED + ((u16)in->shared_space << 3) < 1 << LCB_CREDIT_BITS);
    prove_assume(in->shared_space == self->out.shared_space ||
                 (self->out.fresh && !self->out.dead &&
                  (!ahead || in->shared_space > self->out.shared_space)));
    prove_assume(!in->taken || (in->dead ? !in->clear : !(dut->wipes || in->clear)));
    prove_assume(!in->taken || in->dead ||
                 (in->shared_space == self->out.shared_space && !self->changes));
    prove_assume(!in->credit_valid || !(dut->wipes || in->clear));
    prove_assume(in->dead || in->clear || !self->out.dead);
}

static inline u16 beyond_guarantee(lcb_credits filled)
{
    return filled > LCB_GUARANTEED ? (u16)(filled - LCB_GUARANTEED) : (u16)0;
}

static inline lcb_credits account(const struct lcb_credit *dut, int v)
{
    return dut->charged[v] - step_flits(dut->known[v]);
}

/* Packets of VC v that its account does not know. */
static inline u8 unknown(const struct prove_credit *self, int v)
{
    return (u8)((u8)self->announced[v] + (self->dut.head.valid && self->dut.head.vc == v));
}

/* Shared space that they can take; whole: with the VC's guarantee free. */
static inline u16 claim(const struct prove_credit *self, int v, u1 whole)
{
    u16 packets = unknown(self, v);

    return (u16)((u16)(packets - (whole && packets != 0)) * PACKET);
}

/* What is being booked. */
static inline void entry_is_true(const struct lcb_credit *dut)
{
    const struct credit_entry *entry = &dut->entry;
    lcb_credits before = account(dut, entry->vc);

    prove_assert(!entry->valid ||
                 entry->filled ==
                     (lcb_credits)(before - (entry->head ? entry->amount : (lcb_credits)0)));
    prove_assert(!entry->valid || !entry->head || (entry->amount != 0 && entry->amount <= PACKET));
    prove_assert(!entry->valid || entry->head ||
                 entry->amount == step_flits((lcb_steps)(entry->steps - dut->known[entry->vc])));
    prove_assert(!entry->valid || !entry->head || (u1)(dut->begun >> entry->vc));
}

/* Of the packet that is being booked, what its VC's guarantee covers. */
static inline u16 refund_due(const struct lcb_credit *dut)
{
    const struct credit_entry *entry = &dut->entry;
    u16 borrowed =
        beyond_guarantee(entry->filled + entry->amount) - beyond_guarantee(entry->filled);

    return entry->valid && entry->head ? (u16)(entry->amount - borrowed) : (u16)0;
}

static inline void invariants(const struct prove_credit *self)
{
    const struct lcb_credit *dut = &self->dut;
    const u16 space = (u16)((u16)self->out.shared_space << 3);
    u1 live = !self->out.dead;
    u1 counts = !dut->wipes && live;
    u16 beyond = 0, claims = 0, packets = 0;
    u16 refunds = (u16)(dut->refund + refund_due(dut));

    for (int v = 0; v < LCB_VCS; v++) {
        lcb_credits filled = account(dut, v);
        u1 whole = !counts || filled <= LCB_GUARANTEED - PACKET;
        u1 booked = !dut->entry.valid || !dut->entry.head || dut->entry.vc != v;

        beyond += counts ? beyond_guarantee(filled) : (u16)0;
        claims += claim(self, v, whole);
        packets += unknown(self, v);
        prove_assert(!counts || !booked || !(u1)(dut->fits >> v) || whole);
        prove_assert(!dut->wipes || v >= dut->wiped || filled == 0);
        prove_assert(unknown(self, v) == 0 || (u1)(dut->begun >> v));
    }
    claims += beyond + (self->returns ? (u16)dut->refund : (u16)0);
    for (int v = 0; v < LCB_VCS; v++) {
        u1 whole = !counts || account(dut, v) <= LCB_GUARANTEED - PACKET;
        u1 own = unknown(self, v) == 0 && whole;

        prove_assert(!(u1)(dut->out.room >> v) || own || claims + PACKET <= space);
        prove_assert(!(u1)(dut->out.spare >> v) || claims + 2 * PACKET <= space);
    }
    prove_assert(dut->wipes || dut->wiped == 0);
    prove_assert(dut->committed == beyond + PACKET * dut->pending + (live ? refunds : (u16)0));
    prove_assert(live || dut->refund == 0);
    prove_assert(self->returns || dut->refund <= PACKET);
    prove_assert(live || !dut->entry.valid);
    prove_assert(claims <= space);
    prove_assert(packets == dut->pending);
    prove_assert(!dut->head.valid || !dut->head.charged || live);
    prove_assert(!dut->wipes || !live ||
                 (dut->refund == 0 && !dut->entry.valid && dut->fits == (lcb_vcs)-1));
    prove_assert(!dut->wipes || !dut->waits);
    prove_assert(!self->out.fresh || !live || (beyond == 0 && dut->fits == (lcb_vcs)-1));
    prove_assert(!self->out.fresh || !live ||
                 !(dut->head.valid || (dut->entry.valid && dut->entry.head)));
    prove_assert(!self->offers || !is_ahead(dut));
    prove_assert(!self->offers || !live || (u1)(dut->fits >> self->offered_vc) ||
                 dut->committed + PACKET <= space);
    entry_is_true(dut);
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
    u1 comes = head && (is_ahead(&self->dut) || in->credit.start_valid);

    router(self, in);
    surroundings(self, &in->credit);
    self->seen = self->dut.out.room;
    self->spared = self->dut.out.spare;
    self->returns = self->dut.entry.valid && !self->dut.entry.head;
    lcb_credit(&self->dut, &in->credit);
    follow(self, in, head && !comes, comes);
    self->offers = in->offer || (self->offers && !head);
    self->changes = in->credit.shared_space != self->out.shared_space;
    self->out.shared_space = in->credit.shared_space;
    self->out.fresh = in->credit.clear || (self->out.fresh && !(head && !in->credit.dead));
    self->out.dead = (self->out.dead || in->credit.dead) && !in->credit.clear;
    invariants(self);
}
