// SPDX-License-Identifier: Apache-2.0
/*
 * prove_tx.c - the window of lcb_tx: base <= resend <= next, never more than it may hold, and no
 * flit that waits for its acknowledgement is overwritten.
 *
 * Any acknowledgements and any pace. lcb_link's part: flush only while the link is down, after a
 * flush a new epoch before data, a new epoch only while nothing is sent. Proved by induction.
 */
#include "common/prove.h"

#include "link/micropacket/lcb_tx.c"

struct prove_tx_in {
    struct lcb_tx_in tx;
};

struct prove_tx_out {
    u1 flushed; /* a flush has begun and no new epoch since */
};

struct prove_tx {
    struct prove_tx_out out;
    struct lcb_tx dut;
};

PROVE_RESET void prove_tx_reset(struct prove_tx *self)
{
    self->out.flushed = 0;
    lcb_tx_reset(&self->dut);
}

PROVE_MODULE void prove_tx(struct prove_tx *self, const struct prove_tx_in *in)
{
    struct lcb_tx *dut = &self->dut;

    prove_assume(!in->tx.run || !(in->tx.flush || in->tx.clear || self->out.flushed));
    prove_assume(!in->tx.clear || !(in->tx.flush || dut->go || dut->dump));

    lcb_tx(dut, &in->tx);
    self->out.flushed = (in->tx.flush || self->out.flushed) && !in->tx.clear;

    lcb_seq held = dut->next - dut->base;
    u1 fresh = !dut->replay && (dut->open || dut->count != 0);

    prove_assert(held <= WINDOW);
    prove_assert((lcb_seq)(dut->resend - dut->base) == dut->sent);
    prove_assert(dut->sent <= held);
    prove_assert(dut->slot < LCB_SLOTS);
    prove_assert(dut->at_tail == (dut->slot == LCB_TAIL));
    prove_assert(dut->repeats == (dut->replay && dut->slot < dut->count));
    prove_assert(!dut->open || !dut->replay);
    prove_assert(!dut->dump || self->out.flushed);
    /* The micropacket being filled has a place of its own: it is none of those that wait. */
    prove_assert(!fresh || self->out.flushed || held < WINDOW);
    prove_assert(dut->replay || dut->seq == dut->next);
    prove_assert(dut->replay || dut->count <= dut->slot);
    prove_assert(!dut->out.flit_ready || (dut->go && dut->open && dut->slot < LCB_TAIL));
}
