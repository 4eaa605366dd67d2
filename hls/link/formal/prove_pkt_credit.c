// SPDX-License-Identifier: Apache-2.0
/*
 * prove_pkt_credit.c - the credit accounts in packet mode, at both ends of a link.
 *
 * The router announces packets as output_mux does: on VCs with room of two calls ago, or, in the call behind another announcement, with
 * room to spare; or it offers one unannounced. pkt_tx makes each whole once, between its head and the next one, with a length of at most the
 * longest. Links die and come back at any time. Then no VC is charged beyond what it is lent, whatever counts come from the peer.
 *
 * The peer's accounts stand at the other end: its input queue believes what is under way, gives it back in any order, and the counts
 * that arrive are not older than the last one and not newer than the queue: ACKs may be lost and repeated. Then what a VC is charged is what is under way, what
 * stands in the queue, and what left it unreported; no such count is refused. Proved by induction.
 */
#define MACHINE_PROTO24 1

#include "common/prove.h"

#include "config/machine.h"

/* Smaller, so that a solver can: the longest packet has 8 phits, a VC is lent 56 at most, and counts are modulo 64. */
#undef RTR_PACKET
#define RTR_PACKET 8
#undef LCB_STEP_BITS
#define LCB_STEP_BITS 3
#undef LCB_SHARED_MOST
#define LCB_SHARED_MOST 7

#undef hls_assume
#define hls_assume(c) ((void)(c))
#include "link/packet/pkt_credit.c"

struct prove_pkt_credit_in {
    struct pkt_credit_in near;
    u1 offer; /* the router offers an unannounced packet from the next clock on */
    lcb_vc offer_vc;
    u1 honest;   /* of the count that comes: it is one of the peer's */
    u1 believes; /* the peer's queue gets a packet of this VC, */
    lcb_vc believed_vc;
    lcb_phits believed;
    u1 frees; /* and gives back a phit of this one */
    lcb_vc freed_vc;
};

struct prove_pkt_credit_out {
    u9 lent;
    u1 lost; /* phits were taken without an account, or a count was a lie: the ends agree again in the next epoch */
    lcb_filled under_way[LCB_VCS];
    lcb_filled held[LCB_VCS]; /* in the peer's queue */
};

struct prove_pkt_credit {
    struct prove_pkt_credit_out out;
    u3 announced[LCB_VCS]; /* packets whose head has not come */
    u1 due;                /* a packet was begun and is not whole */
    lcb_vcs seen;          /* room as it was one clock ago */
    lcb_vcs spared;        /* and room to spare */
    u1 announces;          /* a packet was announced, or begun unannounced, in the clock before */
    u1 offers;
    lcb_vc offered_vc;
    struct pkt_credit dut;
    struct pkt_credit peer;
};

PROVE_RESET void prove_pkt_credit_reset(struct prove_pkt_credit *self)
{
    self->out = (struct prove_pkt_credit_out){};
    for (int v = 0; v < LCB_VCS; v++) {
        self->announced[v] = 0;
    }
    self->due = 0;
    self->seen = 0;
    self->spared = 0;
    self->announces = 0;
    self->offers = 0;
    self->offered_vc = 0;
    pkt_credit_reset(&self->dut);
    pkt_credit_reset(&self->peer);
}

static inline u1 bit(lcb_vcs set, lcb_vc vc)
{
    return (u1)(set >> vc);
}

/* What the router does: its output has three places for flits. */
static inline void router(const struct prove_pkt_credit *self, const struct prove_pkt_credit_in *p)
{
    const struct pkt_credit *dut = &self->dut;
    const struct pkt_credit_in *in = &p->near;
    u1 head = in->taken && !dut->open, ahead = dut->ahead != 0;
    lcb_vcs seen = self->announces ? self->spared : self->seen;
    u1 own = self->offers && in->vc == self->offered_vc;
    u1 named = in->start_valid && in->start_vc == in->vc;

    prove_assume(!in->start_valid || bit(dut->out.room | seen, in->start_vc));
    prove_assume(!head || (ahead ? self->announced[in->vc] != 0 : own || named));
    prove_assume(!in->start_valid || dut->ahead != AHEAD || head);
    prove_assume(!(self->offers || p->offer) || !(in->start_valid || ahead));
    prove_assume(!p->offer || !(self->offers || head));
    prove_assume(!p->offer || bit(dut->out.room, p->offer_vc));
}

/* What pkt_tx does: each packet becomes whole once, before the head of the next is judged. */
static inline void sender(const struct prove_pkt_credit *self, const struct pkt_credit_in *in)
{
    u1 head = in->taken && !self->dut.open;

    prove_assume(in->made <= RTR_PACKET);
    prove_assume(in->made == 0 || self->due);
    prove_assume(!head || !self->due || in->made != 0);
}

/* What the other end does, and what comes of it. */
static inline void other_end(const struct prove_pkt_credit *self,
                             const struct prove_pkt_credit_in *p)
{
    const struct pkt_credit_in *in = &p->near;
    lcb_steps known = self->dut.known[in->credit_vc];
    lcb_steps newest = (lcb_steps)(self->peer.freed[in->credit_vc] >> LCB_STEP_LOG2) - known;
    u1 true_count = (lcb_steps)(in->credit_steps - known) <= newest;

    prove_assume(!in->credit_valid || !p->honest || true_count);
    prove_assume(!p->believes || (p->believed != 0 && p->believed <= RTR_PACKET &&
                                  p->believed <= self->out.under_way[p->believed_vc]));
    prove_assume(!p->frees || self->out.held[p->freed_vc] != 0);
    prove_assume(!in->clear || !(p->believes || p->frees || in->credit_valid || in->made != 0));
    prove_assume(!in->clear || self->peer.held == 0); /* its queue is empty by then */
    prove_assume(in->lent >= self->out.lent && in->lent <= LCB_SHARED_MOST);
    prove_assume(!in->dead || !in->credit_valid);
}

static inline u12 used(const struct pkt_credit *dut, int v)
{
    return (u12)((u12)dut->filled[v] + (u12)((u12)dut->begun[v] * RTR_PACKET));
}

/* What is promised. */
static inline void charged_right(const struct prove_pkt_credit *self)
{
    const struct pkt_credit *dut = &self->dut;
    const u12 space = (u12)((u12)self->out.lent << 3);
    u4 begun = 0, announced = 0;

    for (int v = 0; v < LCB_VCS; v++) {
        u12 more = used(dut, v) + RTR_PACKET;
        u1 offered = self->offers && self->offered_vc == v;

        begun += dut->begun[v];
        announced += self->announced[v];
        prove_assert(used(dut, v) <= space);
        prove_assert(dut->begun[v] == (u3)(self->announced[v] + (self->due && dut->vc == v)));
        prove_assert(!bit(dut->out.room, (lcb_vc)v) || more <= space);
        prove_assert(!bit(dut->out.spare, (lcb_vc)v) || more + RTR_PACKET <= space);
        prove_assert(!bit(self->seen, (lcb_vc)v) || self->announces || more <= space);
        prove_assert(!bit(self->spared, (lcb_vc)v) || more <= space);
        prove_assert(!offered || more <= space);
    }
    prove_assert(!self->offers || begun < AHEAD);
    prove_assert((u4)dut->ahead == announced);
    prove_assert(begun <= AHEAD + 1);
    prove_assert(dut->out.room == 0 || begun < AHEAD);
    prove_assert(dut->out.spare == 0 || begun < AHEAD);
    prove_assert(self->seen == 0 || begun < AHEAD + (u4)self->announces);
    prove_assert(self->spared == 0 || begun < AHEAD + (u4)self->announces);
    prove_assert(!self->offers || dut->ahead == 0);
}

/* What a VC is charged with is somewhere. */
static inline void all_there(const struct prove_pkt_credit *self)
{
    u16 held = 0;

    for (int v = 0; v < LCB_VCS; v++) {
        lcb_freed known = (lcb_freed)((lcb_freed)self->dut.known[v] << LCB_STEP_LOG2);
        lcb_freed untold = self->peer.freed[v] - known;
        u12 there = (u12)((u12)self->out.under_way[v] + self->out.held[v] + untold);

        prove_assert(self->out.lost || (u12)self->dut.filled[v] == there);
        prove_assert(self->out.lost || there <= (u12)((u12)self->out.lent << 3));
        held += self->out.held[v];
    }
    prove_assert(self->out.lost || held == self->peer.held);
}

static inline void follow(struct prove_pkt_credit *self, const struct prove_pkt_credit_in *p,
                          u1 head, u1 announced, lcb_vc vc)
{
    const struct pkt_credit_in *in = &p->near;

    for (int v = 0; v < LCB_VCS; v++) {
        u1 makes = in->made != 0 && vc == v && !in->dead && !in->clear;
        u1 frees = p->frees && p->freed_vc == v;
        lcb_phits believed = p->believes && p->believed_vc == v ? p->believed : (lcb_phits)0;

        self->announced[v] = (u3)(self->announced[v] + (in->start_valid && in->start_vc == v) -
                                  (head && announced && in->vc == v));
        self->out.under_way[v] += (lcb_filled)(makes ? in->made : (lcb_phits)0);
        self->out.under_way[v] -= believed;
        self->out.held[v] = (lcb_filled)(self->out.held[v] + believed - frees);
        if (in->clear) {
            self->out.under_way[v] = 0;
            self->out.held[v] = 0;
        }
    }
    self->due = head || (self->due && in->made == 0);
}

PROVE_MODULE void prove_pkt_credit(struct prove_pkt_credit *self,
                                   const struct prove_pkt_credit_in *p)
{
    const struct pkt_credit_in *in = &p->near;
    u1 head = in->taken && !self->dut.open;
    u1 announced = self->dut.ahead != 0 || in->start_valid;
    lcb_vc vc = self->dut.vc;
    const struct pkt_credit_in peer = {
        .clear = in->clear,
        .counted = p->believes ? p->believed : (lcb_phits)0,
        .freed_valid = p->frees,
        .freed_vc = p->freed_vc,
    };

    router(self, p);
    sender(self, in);
    other_end(self, p);
    self->seen = self->dut.out.room;
    self->spared = self->dut.out.spare;
    self->out.lost = !in->clear && (self->out.lost || in->dead || (in->credit_valid && !p->honest));
    pkt_credit(&self->dut, in);
    self->out.lent = in->lent;
    pkt_credit(&self->peer, &peer);
    follow(self, p, head, announced, vc);
    self->announces = in->start_valid || (head && !announced);
    self->offers = p->offer || (self->offers && !head);
    self->offered_vc = p->offer ? p->offer_vc : self->offered_vc;
    charged_right(self);
    all_there(self);
    prove_cover(self->out.held[0] == 8 * LCB_SHARED_MOST);
}
