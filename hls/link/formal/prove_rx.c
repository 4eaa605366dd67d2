// SPDX-License-Identifier: Apache-2.0
/*
 * prove_rx.c - the receive buffer of lcb_rx never overflows and no flit in it is overwritten.
 *
 * Any words, any run and close; a new epoch only while nothing is left, as lcb_link has it. Proved by induction.
 */
#include "common/prove.h"

#include "link/micropacket/lcb_rx.c"

struct prove_rx_in {
    struct lcb_rx_in rx;
};

struct prove_rx_out {
    rx_index held; /* flits accepted and not handed up yet */
};

struct prove_rx {
    struct prove_rx_out out;
    struct lcb_rx dut;
};

PROVE_RESET void prove_rx_reset(struct prove_rx *self)
{
    self->out.held = 0;
    lcb_rx_reset(&self->dut);
}

PROVE_MODULE void prove_rx(struct prove_rx *self, const struct prove_rx_in *in)
{
    struct lcb_rx *dut = &self->dut;

    prove_assume(!in->rx.clear || (dut->read == dut->commit && !dut->complete && !dut->fetched));

    lcb_rx(dut, &in->rx);
    self->out.held = dut->commit - dut->read;

    prove_assert(dut->slot < LCB_SLOTS);
    prove_assert(!dut->complete || (dut->slot == 0 && self->out.held == 0));
    prove_assert(self->out.held == 0 || (u8)self->out.held + dut->slot <= LCB_SLOTS);
    /* The word that is written next does not meet them either. */
    prove_assert(!dut->came || dut->place < LCB_SLOTS - 1);
    prove_assert(!dut->came || self->out.held == 0 || (u8)self->out.held + dut->place < LCB_SLOTS);
    prove_assert(LCB_SLOTS < 1 << LCB_RX_LOG2);
}
