// SPDX-License-Identifier: Apache-2.0
/*
 * prove_runs.c - a run of pio that waits in nic_fma is always decided: while tarb has room it is taken, or refused, after MOST clocks
 * at the latest, whatever state the descriptors are in, and whichever of them the driver disables and enables meanwhile.
 *
 * From any state of nic_fma at all, so no invariant is needed: in MOST + 1 clocks one after the other in which a run stood and
 * room was 1, it was answered. Assumed: pio keeps a run as it is until it is answered, but for `gone`; nic_regs leaves three clocks between
 * two writes; no reset. Proto with 2 descriptors: each further one adds an abort, four clocks, before the run.
 */
#define MACHINE_PROTO 1

#include "common/prove.h"

#include "config/machine.h"

#undef NIC_FMA_LOG2
#define NIC_FMA_LOG2 1

/* The words of descriptors are left open; state, and what is stored, becomes registers. */
#include "nic/initiator/fma_packet.h"
#undef FMA_TABLE
#define FMA_TABLE HLS_LUTRAM_(1)
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)

#undef hls_assume
#define hls_assume(c) ((void)(c))

#include "nic/initiator/fma_packet.c"
#include "nic/initiator/nic_fma.c"

#define MOST 24

struct prove_runs_in {
    struct nic_fma_in fma;
};

struct prove_runs_out {
    u1 started;
};

struct prove_runs {
    struct prove_runs_out out;
    u5 waited;          /* clocks that the run has stood, with room in all of them */
    u2 since;           /* clocks since a write, at most 3 */
    struct pio_run run; /* of the clock before */
    struct nic_fma dut;
};

PROVE_RESET void prove_runs_reset(struct prove_runs *self)
{
    self->out.started = 0;
    self->waited = 0;
    self->since = 3;
    self->run = (struct pio_run){};
    nic_fma_reset(&self->dut);
    for (int i = 0; i < NIC_FMAS; i++) {
        self->dut.gates[i] = 0;
        self->dut.opens[i] = 0;
        self->dut.opened[i] = 0;
        self->dut.freed[i] = 0;
        self->dut.faults[i] = 0;
        self->dut.failed[i] = 0;
        self->dut.seen[i] = 0;
    }
    for (int i = 0; i < 4 << PIO_LINES_LOG2; i++) {
        self->dut.chunks[i] = 0;
    }
}

PROVE_MODULE void prove_runs(struct prove_runs *self, const struct prove_runs_in *in)
{
    const struct pio_run *run = &in->fma.run, *was = &self->run;
    u1 stands = was->valid && !self->dut.out.answer.valid;

    prove_assume(!in->fma.wipe.valid);
    prove_assume(!in->fma.write.valid || self->since == 3);
    prove_assume(!stands || (run->valid && run->read == was->read && run->unit == was->unit &&
                             run->shut == was->shut && run->gone >= was->gone));
    prove_assume(!self->dut.out.answer.valid || !run->valid); /* pio hears of it first */
    nic_fma(&self->dut, &in->fma);
    self->since = in->fma.write.valid ? (u2)0 : (u2)(self->since + (self->since != 3));
    self->waited = run->valid && in->fma.room && !self->dut.out.answer.valid
                       ? (u5)(self->waited + (self->waited != 31))
                       : (u5)0;
    self->run = *run;
    self->out.started = 1;
    /* holds fma.orders */
    prove_assert(self->waited <= MOST);
    prove_cover(self->waited == 4 && self->dut.found);
    prove_cover(self->dut.out.answer.valid && self->dut.out.answer.refused && !in->fma.room);
}
