// SPDX-License-Identifier: Apache-2.0
/*
 * ss_nic.c - the NIC: its parts and the wires between them.
 *
 *     s_axi ─► ss_mail ─┬─ DEPOSIT ─► ss_dma ◄──────────────────────► router, port 0
 *                       │               │ ▲ ▲ ▲
 *                       │   headers, ends │ │ entries
 *                       │               ▼ │ │ │
 *                       └─ others ─► ss_engine │ messages, events
 *                                         │    │
 *     m_axi ◄── ss_dma                    └► ss_ring
 *     s_axil ─► axil_regs ─► ss_regs ─► registers of links
 */
#include "seastar/ss_nic.h"

HLS_RESET void ss_nic_reset(struct ss_nic *self)
{
    self->out = (struct ss_nic_out){
        .s_axi = {.awready = 1, .arready = 1},
        .m_axi = {.bready = 1, .rready = 1},
        .to_router = {.ready = 1, .room = 15},
        .age_period = SS_REG_AGE_PERIOD_CLOCKS_RESET,
        .age_rr = SS_REG_AGE_RR_CHOICES_RESET,
    };
    ss_mail_reset(&self->mail);
    ss_dma_reset(&self->dma);
    ss_engine_reset(&self->engine);
    ss_ring_reset(&self->ring);
    ss_regs_reset(&self->regs);
    axil_regs_reset(&self->axil);
}

static inline struct ss_dma_in dma_inputs(const struct ss_nic *self, const struct ss_nic_in *in)
{
    struct ss_dma_in dma = {
        .from_router = in->from_router,
        .m_axi = in->m_axi,
        .settings = {.node = self->regs.out.node,
                     .spills = self->regs.out.streams_enable,
                     .streams = self->regs.out.streams,
                     .rx_timeout = self->regs.out.rx_timeout,
                     .valve = self->regs.out.valve,
                     .ring_moved = self->regs.out.ring_moved},
        .deposit = self->mail.out.local,
        .push = self->engine.out.send[self->engine.out.send[1].valid],
        .left_taken = self->engine.out.left_taken,
        .busy = self->engine.out.busy,
        .place_room = (u1)self->engine.out.place_room,
        .decision = self->engine.out.decision[self->engine.out.decision[1].valid],
        .ended = self->engine.out.ended,
        .moves = self->engine.out.moves,
        .cell_gone = self->engine.out.cell_gone,
        .event = self->engine.out.write,
        .told = (u1)self->ring.out.taken,
        .end_told = (u1)(self->ring.out.taken >> 1),
        .command_told = (u1)(self->ring.out.taken >> 2),
        .entry = self->ring.out.write,
    };

    for (int s = 0; s < SS_PROCESSES; s++) {
        dma.process[s] = self->engine.out.process[s];
    }
    return dma;
}

/* Local commands from op 8 on are the engine's. */
static inline u1 has_local(const struct ss_nic *self)
{
    return self->mail.out.local.valid && ss_command_op(&self->mail.out.local) >= SS_OP_ME &&
           !self->regs.out.drain;
}

static inline struct ss_engine_in engine_inputs(const struct ss_nic *self)
{
    struct ss_engine_in engine = {
        .local = self->mail.out.local,
        .ask = self->dma.out.ask,
        .move = self->dma.out.move,
        .cell_back = self->dma.out.cell_back,
        .end = self->dma.out.end,
        .send_room = self->dma.out.send_room,
        .node = self->regs.out.node,
        .index = self->mail.out.index,
        .driver = self->regs.out.scratch,
        .scrub_period = self->regs.out.scrub_period,
        .get_timeout = self->regs.out.get_timeout,
        .write_room = (u1)(self->dma.out.room >> 2),
        .told = (u1)(self->ring.out.taken >> 3),
        .command_told = (u1)(self->ring.out.taken >> 4),
    };

    engine.local.valid = has_local(self);
    for (int c = 0; c < 2; c++) {
        engine.command[c] = self->mail.out.send[c];
        engine.command[c].valid = self->mail.out.send[c].valid && !self->regs.out.drain;
        engine.left[c] = self->dma.out.left[c];
    }
    return engine;
}

static inline struct ss_ring_in ring_inputs(const struct ss_nic *self)
{
    return (struct ss_ring_in){
        .push = {self->dma.out.tell, self->dma.out.end_tell, self->dma.out.command_tell,
                 self->engine.out.tell, self->engine.out.command_tell},
        .enable = self->regs.out.ring_enable,
        .base = self->regs.out.ring_base,
        .log2 = self->regs.out.ring_log2,
        .read = self->regs.out.ring_read,
        .anew = self->regs.out.ring_set,
        .room = (u1)(self->dma.out.room >> 1),
        .done = (u1)(self->dma.out.done >> 1),
    };
}

static inline struct ss_regs_in regs_inputs(const struct ss_nic *self, const struct ss_nic_in *in)
{
    struct ss_regs_in regs = {
        .bus = self->axil.out.bus,
        .events = self->dma.out.events,
        .engine_events = {.refused = self->engine.out.refused,
                          .late = self->engine.out.late,
                          .illegal = self->engine.out.illegal,
                          .poisoned = self->engine.out.poisoned},
        .command_illegal = self->engine.out.command_illegal,
        .event_lost = self->engine.out.lost,
        .idle = self->dma.out.send_idle && self->dma.out.receive_idle && self->dma.out.ends_idle &&
                self->engine.out.idle,
        .ready = self->engine.out.ready,
        .scratch_done = self->engine.out.scratch_done,
        .corrected = self->engine.out.corrected,
        .fatal = self->engine.out.fatal,
        .scrubbed = self->engine.out.scrubbed,
        .scratch_read = self->engine.out.scratch_read,
        .written = self->ring.out.written,
        .issued = self->ring.out.issued,
        .unread = self->ring.out.unread,
    };

    for (int l = 0; l < SS_LINKS; l++) {
        regs.link[l] = in->link[l];
    }
    return regs;
}

static inline void forward_outputs(struct ss_nic *self)
{
    self->out.s_axi = self->mail.out.s_axi;
    self->out.m_axi = self->dma.out.man;
    self->out.s_axil = self->axil.out.s_axil;
    self->out.irq = self->regs.out.irq;
    self->out.to_router = self->dma.out.to_router;
    self->out.node = self->regs.out.node;
    self->out.write_at = self->regs.out.write_at;
    self->out.write = self->regs.out.write;
    self->out.age_period = self->regs.out.age_period;
    self->out.age_rr = self->regs.out.age_rr;
    for (int l = 0; l < SS_LINKS; l++) {
        self->out.link[l] = self->regs.out.link[l];
    }
}

HLS_MODULE void ss_nic(struct ss_nic *self, const struct ss_nic_in *in)
{
    struct ss_mail_in mail = {.s_axi = in->s_axi,
                              .local_taken = self->dma.out.deposit_taken ||
                                             self->engine.out.local_taken ||
                                             self->engine.out.released,
                              .send_taken = self->engine.out.command_taken};
    struct ss_dma_in dma = dma_inputs(self, in);
    struct ss_engine_in engine = engine_inputs(self);
    struct ss_ring_in ring = ring_inputs(self);
    struct ss_regs_in regs = regs_inputs(self, in);
    struct axil_regs_in axil = {.s_axil = in->s_axil, .bus = self->regs.out.reply};

    ss_mail(&self->mail, &mail);
    ss_dma(&self->dma, &dma);
    ss_engine(&self->engine, &engine);
    ss_ring(&self->ring, &ring);
    ss_regs(&self->regs, &regs);
    axil_regs(&self->axil, &axil);
    forward_outputs(self);
}
