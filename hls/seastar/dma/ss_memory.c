// SPDX-License-Identifier: Apache-2.0
/*
 * ss_memory.c - the way to host memory: an AXI4 manager with a queue for each client.
 *
 * Clients see a clock late what room there is, so a queue says that it has none while five places are left. Writes are answered in
 * their order, and reads in theirs: whose turn it is, is kept in `owner` and `reader`.
 */
#include "seastar/dma/ss_memory.h"

#include "common/arbiter.h"

#define FULL_AT ((1 << SS_WAITING_LOG2) - 5)

typedef uint(SS_WAITING_LOG2 + 1) wait_count;
typedef uint(SS_WAITING_LOG2) wait_index;
typedef uint(SS_OWNERS_LOG2 + 1) owner_count;
typedef uint(SS_OWNERS_LOG2) owner_index;
typedef uint(SS_READING_LOG2 + 1) reader_count;
typedef uint(SS_READING_LOG2) reader_index;

HLS_RESET void ss_memory_reset(struct ss_memory *self)
{
    self->out =
        (struct ss_memory_out){.room = 15, .read_room = 3, .m_axi = {.bready = 1, .rready = 1}};
    for (int c = 0; c < SS_WRITERS; c++) {
        self->head[c] = 0;
        self->tail[c] = 0;
    }
    for (int c = 0; c < SS_READERS; c++) {
        self->read_head[c] = 0;
        self->read_tail[c] = 0;
    }
    self->asked = 0;
    self->answered = 0;
    self->read_asked = 0;
    self->read_answered = 0;
    self->after = 0;
    self->turn = 0;
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
    struct ss_queued_write fourth = self->queue3[(wait_index)self->head[3]];
    struct ss_queued_write write = (u1)one          ? first
                                   : (u1)(one >> 1) ? second
                                   : (u1)(one >> 2) ? third
                                                    : fourth;
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
        self->owner[(owner_index)self->asked] = (u2)mask_index(one);
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

    uint(SS_WRITERS) whose = (uint(SS_WRITERS))((uint(SS_WRITERS))1 << owner);

    self->out.done = in->m_axi.bvalid ? whose : (uint(SS_WRITERS))0;
    self->out.fail = in->m_axi.bvalid && (u1)(in->m_axi.bresp >> 1);
    self->answered += in->m_axi.bvalid;
}

static inline void issue_read(struct ss_memory *self, const struct ss_memory_in *in)
{
    struct ss_axi_from_man *m = &self->out.m_axi;
    u48 addr0 = self->reads0[(wait_index)self->read_head[0]];
    u48 addr1 = self->reads1[(wait_index)self->read_head[1]];
    u1 zero = self->read_head[0] != self->read_tail[0];
    u1 one = self->read_head[1] != self->read_tail[1];
    u1 client = self->turn ? one : !zero;
    u1 room = (reader_count)(self->read_asked - self->read_answered) != 1 << SS_READING_LOG2;
    u1 reader = self->reader[(reader_index)self->read_answered];

    self->out.reply_valid = !in->m_axi.rvalid ? (uint(SS_READERS))0
                            : reader          ? (uint(SS_READERS))2
                                              : (uint(SS_READERS))1;
    self->read_answered += in->m_axi.rvalid;
    m->arvalid = m->arvalid && !in->m_axi.arready;
    if (!m->arvalid && (zero || one) && room) {
        m->arvalid = 1;
        m->araddr = client ? addr1 : addr0;
        m->arsize = SS_AXI_SIZE;
        m->arburst = SS_AXI_INCR;
        self->reader[(reader_index)self->read_asked] = client;
        self->read_asked++;
        self->turn = !client;
        self->read_head[0] += !client;
        self->read_head[1] += client;
    }
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
    hls_assume(!in->m_axi.rvalid || self->read_asked != self->read_answered);
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
    if (in->write[3].valid) {
        self->queue3[(wait_index)self->tail[3]] = queued(&in->write[3]);
        self->tail[3]++;
    }
    if (in->read[0].valid) {
        self->reads0[(wait_index)self->read_tail[0]] = in->read[0].addr;
        self->read_tail[0]++;
    }
    if (in->read[1].valid) {
        self->reads1[(wait_index)self->read_tail[1]] = in->read[1].addr;
        self->read_tail[1]++;
    }
    for (int c = 0; c < SS_WRITERS; c++) {
        wait_count waiting = self->tail[c] - self->head[c];
        u1 room = waiting < FULL_AT;

        /* Clients heed `room`. */
        hls_assume(waiting <= 1 << SS_WAITING_LOG2);
        self->out.room &= ~(uint(SS_WRITERS))((uint(SS_WRITERS))1 << c);
        self->out.room |= (uint(SS_WRITERS))((uint(SS_WRITERS))room << c);
    }
    for (int c = 0; c < SS_READERS; c++) {
        wait_count waiting = self->read_tail[c] - self->read_head[c];
        u1 room = waiting < FULL_AT;

        hls_assume(waiting <= 1 << SS_WAITING_LOG2);
        self->out.read_room &= ~(uint(SS_READERS))((uint(SS_READERS))1 << c);
        self->out.read_room |= (uint(SS_READERS))((uint(SS_READERS))room << c);
    }
}
