// SPDX-License-Identifier: Apache-2.0
/*
 * ss_dma.c - the DMA engines: wires.
 *
 *     messages of the engine ─► ss_send ──────────────────────────────────► router
 *                                 ▲ reads
 *     m_axi ◄─ ss_memory ◄────────┤ writes
 *                 ▲ ▲ ring, events└─ ss_receive ◄────────────────────────── router
 *                 │                   │ marks        │ records
 *                 │                   ▼              ▼
 *                 │               ss_ends ─► ends  ss_spill ◄─► cells of the engine
 *                 └──────────────────────────────────┘
 */
#include "seastar/dma/ss_dma.h"

HLS_RESET void ss_dma_reset(struct ss_dma *self)
{
    self->out = (struct ss_dma_out){
        .man = {.bready = 1, .rready = 1},
        .to_router = {.ready = 1, .room = 15},
        .send_room = 3,
        .room = 15,
        .send_idle = 1,
        .receive_idle = 1,
        .ends_idle = 1,
    };
    ss_send_reset(&self->send);
    ss_receive_reset(&self->receive);
    ss_ends_reset(&self->ends);
    ss_spill_reset(&self->spill);
    ss_memory_reset(&self->memory);
}

static inline struct ss_send_in send_inputs(const struct ss_dma *self, const struct ss_dma_in *in)
{
    return (struct ss_send_in){
        .push = in->push,
        .node = in->settings.node,
        .freed = in->from_router.freed,
        .read_room = (u1)self->memory.out.read_room,
        .reply_valid = (u1)self->memory.out.reply_valid,
        .reply_bad = self->memory.out.reply_bad,
        .reply = self->memory.out.reply,
        .left_taken = in->left_taken,
    };
}

static inline struct ss_receive_in receive_inputs(const struct ss_dma *self,
                                                  const struct ss_dma_in *in)
{
    struct ss_receive_in receive = {
        .valid = in->from_router.valid,
        .head = in->from_router.head,
        .tail = in->from_router.tail,
        .bad = in->from_router.bad,
        .flit = in->from_router.flit,
        .node = in->settings.node,
        .deposit = in->deposit,
        .write_room = (u1)self->memory.out.room && self->ends.out.room,
        .quiet = self->ends.out.quiet,
        .freed = self->ends.out.freed,
        .failed = self->ends.out.failed,
        .told = in->told,
        .command_told = in->command_told,
        .busy = in->busy,
        .place_room = in->place_room,
        .decision = in->decision,
        .spilled = self->spill.out.done,
        .spills = in->settings.spills,
        .old = self->spill.out.old,
        .rx_timeout = in->settings.rx_timeout,
        .ring_moved = in->settings.ring_moved,
        .valve = in->settings.valve,
    };

    for (int s = 0; s < SS_PROCESSES; s++) {
        receive.process[s] = in->process[s];
    }
    return receive;
}

static inline struct ss_ends_in ends_inputs(const struct ss_dma *self, const struct ss_dma_in *in)
{
    return (struct ss_ends_in){
        .wrote = self->receive.out.write.valid,
        .place = self->receive.out.write_place,
        .mark = self->receive.out.mark,
        .note = self->receive.out.note,
        .done = (u1)self->memory.out.done,
        .fail = self->memory.out.fail,
        .ended = in->ended,
        .end_told = in->end_told,
    };
}

static inline struct ss_spill_in spill_inputs(const struct ss_dma *self, const struct ss_dma_in *in)
{
    return (struct ss_spill_in){
        .ask = self->receive.out.spill,
        .base = in->settings.streams,
        .away = self->receive.out.away,
        .epoch = self->receive.out.epoch,
        .moves = in->moves,
        .cell_gone = in->cell_gone,
        .write_room = (u1)(self->memory.out.room >> 3),
        .read_room = (u1)(self->memory.out.read_room >> 1),
        .done = (u1)(self->memory.out.done >> 3),
        .fail = self->memory.out.fail,
        .reply_valid = (u1)(self->memory.out.reply_valid >> 1),
        .reply_bad = self->memory.out.reply_bad,
        .reply = self->memory.out.reply,
    };
}

static inline void forward_outputs(struct ss_dma *self)
{
    struct ss_dma_out *out = &self->out;

    out->to_router.valid = self->send.out.valid;
    out->to_router.flit = self->send.out.flit;
    out->to_router.whole = self->send.out.whole;
    out->to_router.room = self->receive.out.room;
    out->man = self->memory.out.m_axi;
    out->deposit_taken = self->receive.out.deposit_taken;
    out->send_room = self->send.out.room;
    for (int c = 0; c < 2; c++) {
        out->left[c] = self->send.out.left[c];
    }
    out->ask = self->receive.out.ask;
    out->end = self->ends.out.end;
    out->move = self->spill.out.move;
    out->cell_back = self->spill.out.cell_back;
    out->tell = self->receive.out.tell;
    out->end_tell = self->ends.out.end_tell;
    out->command_tell = self->receive.out.command_tell;
    out->room = self->memory.out.room;
    out->done = self->memory.out.done;
    out->events = self->receive.out.events;
    out->send_idle = self->send.out.idle;
    out->receive_idle = self->receive.out.idle;
    out->ends_idle = self->ends.out.idle;
}

HLS_MODULE void ss_dma(struct ss_dma *self, const struct ss_dma_in *in)
{
    struct ss_send_in send = send_inputs(self, in);
    struct ss_receive_in receive = receive_inputs(self, in);
    struct ss_ends_in ends = ends_inputs(self, in);
    struct ss_spill_in spill = spill_inputs(self, in);
    struct ss_memory_in memory = {
        .write = {self->receive.out.write, in->entry, in->event, self->spill.out.write},
        .read = {{.valid = self->send.out.read_valid, .addr = self->send.out.read_addr},
                 {.valid = self->spill.out.read_valid, .addr = self->spill.out.read_addr}},
        .m_axi = in->m_axi,
    };

    ss_send(&self->send, &send);
    ss_receive(&self->receive, &receive);
    ss_ends(&self->ends, &ends);
    ss_spill(&self->spill, &spill);
    ss_memory(&self->memory, &memory);
    forward_outputs(self);
}
