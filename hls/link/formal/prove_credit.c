// SPDX-License-Identifier: Apache-2.0
/*
 * prove_credit.c - the credit accounts of lcb_credit never promise more than the peer has.
 *
 * The router hands over a head only on a VC with room, none while the accounts are wiped; the counts
 * that come from the peer may be anything at all; the shared space stays what it was when the epoch
 * began. Then what all VCs hold beyond their guarantee is what is booked as borrowed, and that is
 * at most the shared space. Proved by induction.
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
    }
}

static inline void surroundings(const struct prove_credit *self, const struct lcb_credit_in *in)
{
    const struct lcb_credit *dut = &self->dut;
    u1 head = in->taken && dut->left == 0;

    /* One VC alone may fill guarantee and shared space: that number must fit into a count. */
    prove_assume(LCB_GUARANTEED + ((u16)in->shared << 3) < 1 << LCB_CREDIT_BITS);
    prove_assume(in->clear || in->shared == self->out.shared);
    prove_assume(!head || in->dead || (u1)(dut->out.room >> flit_vc(in->flit)));
    prove_assume(!(in->taken || in->credit_valid) || !(dut->wipes || in->clear));
}

static inline void invariants(const struct prove_credit *self)
{
    const struct lcb_credit *dut = &self->dut;
    const u16 space = (u16)((u16)self->out.shared << 3);
    u1 counts = !dut->wipes && !self->out.dead;
    u16 beyond = 0;

    for (int v = 0; v < LCB_VCS; v++) {
        lcb_credits filled = dut->charged[v] - dut->known[v];
        u1 fits = filled <= LCB_GUARANTEED - PACKET;

        beyond += beyond_guarantee(filled);
        prove_assert(!counts || !(u1)(dut->fits >> v) || fits);
        prove_assert(!counts || !(u1)(dut->out.room >> v) || fits ||
                     (u16)dut->borrowed + PACKET <= space);
        prove_assert(!dut->wipes || v >= dut->wiped || filled == 0);
    }
    prove_assert(dut->wipes || dut->wiped == 0);
    prove_assert(!counts || beyond == dut->borrowed);
    prove_assert(!counts || dut->borrowed <= space);
    prove_assert(!dut->wipes || (dut->borrowed == 0 && !dut->waits));
}

PROVE_MODULE void prove_credit(struct prove_credit *self, const struct prove_credit_in *in)
{
    surroundings(self, &in->credit);
    lcb_credit(&self->dut, &in->credit);
    if (in->credit.clear) {
        self->out.shared = in->credit.shared;
    }
    self->out.dead = (self->out.dead || in->credit.dead) && !in->credit.clear;
    invariants(self);
}
