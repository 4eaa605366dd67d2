// SPDX-License-Identifier: Apache-2.0
/*
 * ss_memory.c - the way to host memory: an AXI4 manager with a queue for each client.
 *
 * Clients see a clock late what room there is, so a queue says that it has none while five places are left. Writes are answered in
 * their order: whose turn it is, is kept in `owner`.
 */
#include "seastar/dma/ss_memory.h"

#include "common/arbiter.h"

#define FULL_AT ((1 << SS_WAITING_LOG2) - 5)

typedef uint(SS_WAITING_LOG2 + 1) wait_count;
typedef uint(SS_WAITING_LOG2) wait_index;
typedef uint(SS_OWNERS_LOG2 + 1) owner_count;
typedef uint(SS_OWNERS_LOG2) owner_index;

HLS_RESET void ss_memory_reset(struct ss_memory *self)
{
    self->out =
        (struct ss_memory_out){.room = 7, .read_room = 1, .m_axi = {.bready = 1, .rready = 1}};
    for (int c = 0; c < SS_WRITERS; c++) {
        self->head[c] = 0;
        self->tail[c] = 0;
    }
    self->read_head = 0;
    self->read_tail = 0;
    self->asked = 0;
    self->answered = 0;
    self->after = 0;
}

/* The oldest write goes to the port once both its channels are free. */
static inline void issue_write(struct ss_memory *self, const struct ss_memory_in *in)
{
    struct ss_axi_from_man *m = &self->out.m_axi;
    u8 waits = 0;

    for (int c = 0; c < SS_WRITERS; c++) {
        waits |= (u8)((u8)(self->head[c] != self->tail[c]) << c);
    }
    u8 one = mask_serve(waits, self->after);
    struct ss_queued_write first = self->queue0[(wait_index)self->head[0]];
    struct ss_queued_write second = self->queue1[(wait_index)self->head[1]];
    struct ss_queued_write third = self->queue2[(wait_index)self->head[2]];
    struct ss_queued_write write = (u1)one ? first : (u1)(one >> 1) ? second : third;
    u1 room = (owner_count)(self->asked - self->answered) != 1 << SS_OWNERS_LOG2;

    m->awvalid = m->awvalid && !in->m_axi.awready;
    m->wvalid = m->wvalid && !in->m_axi.wready;
    if (!m->awvalid && !m->wvalid && waits != 0 && room) {
        m->awvalid = 1;
        m->wvalid = 1;
        m->awaddr = write.addr;
        m->awsize = SS_AXI_SIZE;
        m->awburst = SS_AXI_INCR;
        m->wdata = write.data;
        m->wstrb = write.strb;
        m->wlast = 1;
        self->owner[(owner_index)self->asked] = (u2)(one >> 1);
        self->asked++;
        self->after = mask_above(one);
        for (int c = 0; c < SS_WRITERS; c++) {
            self->head[c] += (u1)(one >> c);
        }
    }
}

/* An answer belongs to the oldest write under way. */
static inline void take_answer(struct ss_memory *self, const struct ss_memory_in *in)
{
    u2 owner = self->owner[(owner_index)self->answered];

    uint(SS_WRITERS) whose = owner == 0   ? (uint(SS_WRITERS))1
                             : owner == 1 ? (uint(SS_WRITERS))2
                                          : (uint(SS_WRITERS))4;

    self->out.done = in->m_axi.bvalid ? whose : (uint(SS_WRITERS))0;
    self->out.fail = in->m_axi.bvalid && (u1)(in->m_axi.bresp >> 1);
    self->answered += in->m_axi.bvalid;
}

static inline void issue_read(struct ss_memory *self, const struct ss_memory_in *in)
{
    struct ss_axi_from_man *m = &self->out.m_axi;
    u48 addr = self->reads[(wait_index)self->read_head];

    m->arvalid = m->arvalid && !in->m_axi.arready;
    if (!m->arvalid && self->read_head != self->read_tail) {
        m->arvalid = 1;
        m->araddr = addr;
        m->arsize = SS_AXI_SIZE;
        m->arburst = SS_AXI_INCR;
        self->read_head++;
    }
    self->out.reply_valid = in->m_axi.rvalid;
    self->out.reply_bad = (u1)(in->m_axi.rresp >> 1);
    self->out.reply = in->m_axi.rdata;
}

static inline struct ss_queued_write queued(const struct ss_write *write)
{
    return (struct ss_queued_write){.addr = write->addr, .data = write->data, .strb = write->strb};
}

HLS_MODULE void ss_memory(struct ss_memory *self, const struct ss_memory_in *in)
{
    /* A memory answers what it was asked. */
    hls_assume(!in->m_axi.bvalid || self->asked != self->answered);
    take_answer(self, in);
    issue_write(self, in);
    issue_read(self, in);
    if (in->write[0].valid) {
        self->queue0[(wait_index)self->tail[0]] = queued(&in->write[0]);
        self->tail[0]++;
    }
    if (in->write[1].valid) {
        self->queue1[(wait_index)self->tail[1]] = queued(&in->write[1]);
        self->tail[1]++;
    }
    if (in->write[2].valid) {
        self->queue2[(wait_index)self->tail[2]] = queued(&in->write[2]);
        self->tail[2]++;
    }
    if (in->read_valid) {
        self->reads[(wait_index)self->read_tail] = in->read_addr;
        self->read_tail++;
    }
    for (int c = 0; c < SS_WRITERS; c++) {
        wait_count waiting = self->tail[c] - self->head[c];
        u1 room = waiting < FULL_AT;

        /* Clients heed `room`. */
        hls_assume(waiting <= 1 << SS_WAITING_LOG2);
        self->out.room &= ~(uint(SS_WRITERS))((uint(SS_WRITERS))1 << c);
        self->out.room |= (uint(SS_WRITERS))((uint(SS_WRITERS))room << c);
    }
    self->out.read_room = (wait_count)(self->read_tail - self->read_head) < FULL_AT;
    hls_assume((wait_count)(self->read_tail - self->read_head) <= 1 << SS_WAITING_LOG2);
}
