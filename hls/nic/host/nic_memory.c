// SPDX-License-Identifier: Apache-2.0
/*
 * nic_memory.c - joins of the way to host memory: parb chooses, order counts, axi_master moves.
 */
#include "nic/host/nic_memory.h"

HLS_RESET void nic_memory_reset(struct nic_memory *self)
{
    self->out = (struct nic_memory_out){
        .m_axi = AXI_FROM_MAN_RESET,
    };
    self->ring_counted = 0;
    order_reset(&self->order);
    parb_reset(&self->parb);
    iommu_reset(&self->iommu);
    axi_master_reset(&self->axi);
}

static inline order_kinds kind(u1 condition, enum order_kind kind)
{
    return (order_kinds)((order_kinds)condition << kind);
}

static inline u1 head_of(const struct beat *beat)
{
    return beat->valid && beat->head;
}

/* What is accepted, and what is answered, in this clock. */
static inline struct order_in to_order(const struct nic_memory *self,
                                       const struct nic_memory_in *in)
{
    const struct mem_done *done = &self->iommu.out.done;
    u1 head = head_of(&in->target), access = head && !in->for_amo;
    u1 read = !BEAT_FIELD(in->target.word, MEM_WRITE_AT, 1), queued = in->queued;
    u1 local = head_of(&in->local), reads_local = !BEAT_FIELD(in->local.word, MEM_WRITE_AT, 1);
    u1 ring = in->fetch[PARB_FETCH_RINGS].valid && !self->ring_counted;
    u1 write_done = done->valid && done->client == MEM_TARGET, was_queued = (u1)done->place;

    return (struct order_in){
        .accepted = kind(access && !read && !queued, ORDER_PUTS) |
                    kind(access && !read && queued, ORDER_QUEUED) |
                    kind(access && read, ORDER_READS) | kind(head && in->for_amo, ORDER_ATOMICS) |
                    kind(local && !reads_local, ORDER_LOCAL) |
                    kind(local && reads_local, ORDER_LOCAL_READS) | kind(ring, ORDER_RINGS) |
                    kind(in->back.valid, ORDER_BACKS) | kind(head_of(&in->event), ORDER_EVENTS),
        .answered = kind(write_done && !was_queued, ORDER_PUTS) |
                    kind((write_done && was_queued) || self->parb.out.lost, ORDER_QUEUED) |
                    kind((u1)(self->axi.out.filled >> READER_TARGET), ORDER_READS) |
                    kind((u1)(self->axi.out.filled >> READER_LOCAL), ORDER_LOCAL_READS) |
                    kind((u1)(self->axi.out.filled >> READER_RINGS), ORDER_RINGS) |
                    kind(done->valid && done->client == MEM_RINGS, ORDER_BACKS) |
                    kind(in->retired, ORDER_ATOMICS) |
                    kind(done->valid && done->client == MEM_LOCAL, ORDER_LOCAL) |
                    kind(done->valid && done->client == MEM_CQ, ORDER_EVENTS),
        .settle = in->settle,
        .net_marked = in->net_marked,
        .local_marked = in->local_marked,
    };
}

/* What rat_net sends goes one of three ways: to amo, into the queue of ordered modes, or to memory at once. */
static inline struct parb_in to_parb(const struct nic_memory *self, const struct nic_memory_in *in)
{
    struct parb_in to = {
        .target = in->target,
        .local = in->local,
        .event = in->event,
        .queued = in->target,
        .word = in->word,
        .back = in->back,
        .room_write = self->iommu.out.room_write,
        .room_read = self->iommu.out.room_read,
        .given = self->axi.out.given,
        .done = self->iommu.out.done,
        .counts = self->order.out.counts,
    };

    for (int f = 0; f < PARB_FETCHES; f++) {
        to.fetch[f] = in->fetch[f];
    }
    to.counts.answered[ORDER_ATOMICS] = in->seen;
    to.target.valid = to.target.valid & !in->for_amo & !in->queued;
    to.queued.valid = (to.queued.valid & in->queued) | in->token;
    to.queued.tail = to.queued.tail | in->token; /* a head alone */
    return to;
}

static inline void forward(struct nic_memory *self)
{
    self->out.m_axi = self->axi.out.m_axi;
    self->out.done = self->iommu.out.done;
    self->out.reply = self->axi.out.reply;
    self->out.reader = self->axi.out.reader;
    self->out.room_target = self->parb.out.room_target;
    self->out.room_local = self->parb.out.room_local;
    self->out.room_event = self->parb.out.room_event;
    self->out.room_word = self->parb.out.room_word;
    self->out.room_back = self->parb.out.room_back;
    self->out.room_queued = self->parb.out.room_queued;
    self->out.room_packets = self->parb.out.room_packets;
    self->out.fetch_taken = self->parb.out.fetch_taken;
    self->out.released = self->parb.out.released;
    self->out.lost = self->parb.out.lost;
    self->out.counts = self->order.out.counts;
    self->out.mark = self->order.out.mark;
    self->out.unsettled = self->order.out.unsettled;
    self->out.stale = self->iommu.out.stale;
    self->out.idle_parb = self->parb.out.idle;
    self->out.idle_iommu = self->iommu.out.idle;
    self->out.idle_write = self->axi.out.idle_write;
    self->out.idle_read = self->axi.out.idle_read;
    self->out.count = self->parb.out.count;
    self->out.pte_count = self->iommu.out.count;
    self->out.write_count = self->axi.out.write_count;
    self->out.read_count = self->axi.out.read_count;
}

HLS_MODULE void nic_memory(struct nic_memory *self, const struct nic_memory_in *in)
{
    struct order_in order_wires = to_order(self, in);
    struct parb_in parb_wires = to_parb(self, in);
    struct axi_master_in axi_wires = {
        .m_axi = in->m_axi,
        .write = self->iommu.out.to_write,
        .read = self->iommu.out.to_read,
        .walk = self->iommu.out.walk,
        .room_reply = in->room_reply,
    };
    struct iommu_in iommu_wires = {
        .write = self->parb.out.write,
        .read = self->parb.out.read,
        .may_write = self->axi.out.room_write,
        .may_read = self->axi.out.room_read,
        .idle_write = self->axi.out.idle_write,
        .answered = self->axi.out.done,
        .taken = self->axi.out.walk_taken,
        .beat = self->axi.out.walked,
        .reg = in->write,
        .wipe = in->wipe,
    };

    self->ring_counted =
        in->fetch[PARB_FETCH_RINGS].valid && !(u1)(self->parb.out.fetch_taken >> PARB_FETCH_RINGS);
    order(&self->order, &order_wires);
    parb(&self->parb, &parb_wires);
    iommu(&self->iommu, &iommu_wires);
    axi_master(&self->axi, &axi_wires);
    forward(self);
}
