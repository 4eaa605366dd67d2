// SPDX-License-Identifier: Apache-2.0
/*
 * nic_target.c - joins of the half that reaches host memory.
 */
#include "nic/target/nic_target.h"

HLS_RESET void nic_target_reset(struct nic_target *self)
{
    self->out = (struct nic_target_out){
        .m_axi = {.awsize = AXI_SIZE16,
                  .awburst = AXI_INCR,
                  .bready = 1,
                  .arsize = AXI_SIZE16,
                  .arburst = AXI_INCR,
                  .rready = 1},
    };
    rat_reset(&self->rat_local);
    rat_reset(&self->rat_net);
    npt_reset(&self->npt);
    amo_reset(&self->amo);
    order_reset(&self->order);
    cq_reset(&self->cq);
    parb_reset(&self->parb);
    axi_master_reset(&self->axi);
}

static inline nic_counts all_counts(const struct nic_target *self)
{
    u1 refused = (u1)(self->rat_local.out.count >> RAT_UNCORRECTABLE != 0);
    u1 uncorrectable =
        (u1)((self->parb.out.count >> PARB_FATAL) | (self->axi.out.write_count >> AXI_WRITE_FATAL) |
             (self->axi.out.read_count >> AXI_READ_FATAL));
    u1 corrected =
        (u1)((self->cq.out.count >> CQ_CORRECTED) | (self->rat_net.out.count >> RAT_CORRECTED) |
             (self->rat_local.out.count >> RAT_CORRECTED) | (self->npt.out.count >> NPT_CORRECTED) |
             (self->amo.out.count >> AMO_CORRECTED) | (self->parb.out.count >> PARB_CORRECTED) |
             (self->axi.out.write_count >> AXI_WRITE_CORRECTED) |
             (self->axi.out.read_count >> AXI_READ_CORRECTED));

    return counters(corrected, 0, 1, NUMBER(MEMORY_CORRECTED)) |
           counters(self->cq.out.count, CQ_EVENTS, 6, NUMBER(CQ_EVENTS)) |
           counters(self->rat_net.out.count, RAT_LOST, RAT_COUNTS - RAT_LOST, NUMBER(RAT_LOST)) |
           counters(self->rat_local.out.count, RAT_LOST, 1, NUMBER(LOCAL_LOST)) |
           counters(refused, 0, 1, NUMBER(LOCAL_REFUSED)) |
           counters(self->npt.out.count, NPT_LOST, NPT_COUNTS - NPT_LOST, NUMBER(NPT_LOST)) |
           counters(self->amo.out.count, AMO_LOST, AMO_COUNTS - AMO_LOST, NUMBER(AMO_LOST)) |
           counters(uncorrectable, 0, 1, NUMBER(MEMORY_UNCORRECTABLE)) |
           counters(self->axi.out.write_count, AXI_WRITE_ERROR, 2, NUMBER(WRITE_ERROR)) |
           counters(self->axi.out.read_count, AXI_READ_ERROR, 4, NUMBER(READ_ERROR)) |
           counters(self->npt.out.response.valid & self->npt.out.response.head, 0, 1,
                    NUMBER(NPT_RESPONSES));
}

/* What other nodes asked for, as it comes; a head with an uncorrectable error has no length. */
static inline struct nic_received all_received(const struct nic_target *self,
                                               const struct beat *request)
{
    const struct beat *response = &self->npt.out.response;
    u1 asked = request->valid & request->head & !request->bad;
    u1 answered = response->valid & response->head;

    return (struct nic_received){
        .request_bytes = asked ? (nic_amount)req_payload(request->word) : (nic_amount)0,
        .response_flits =
            answered ? (nic_amount)BEAT_FIELD(response->word, REQ_LENGTH_AT, 4) : (nic_amount)0,
    };
}

static inline void forward(struct nic_target *self)
{
    self->out.m_axi = self->axi.out.m_axi;
    self->out.request_room = self->rat_net.out.room;
    self->out.response = self->npt.out.response;
    self->out.local_room = self->rat_local.out.room;
    self->out.refused = self->rat_local.out.context;
    self->out.done = self->axi.out.done;
    self->out.event_room = self->cq.out.room_ssid;
    self->out.reply = self->cq.out.reply;
    self->out.raised = self->cq.out.raised;
    self->out.unsettled = self->order.out.unsettled;
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
static inline struct order_in to_order(const struct nic_target *self, u1 settle)
{
    const struct rat_out *net = &self->rat_net.out;
    const struct mem_done *done = &self->axi.out.done;
    u1 head = head_of(&net->memory), access = head && !net->atomic;
    u1 read = !BEAT_FIELD(net->memory.word, MEM_WRITE_AT, 1), queued = net->queued;
    u1 write_done = done->valid && done->client == MEM_TARGET, was_queued = (u1)done->place;

    return (struct order_in){
        .accepted = kind(access && !read && !queued, ORDER_PUTS) |
                    kind(access && !read && queued, ORDER_QUEUED) |
                    kind(access && read, ORDER_READS) | kind(head && net->atomic, ORDER_ATOMICS) |
                    kind(head_of(&self->rat_local.out.memory), ORDER_LOCAL) |
                    kind(head_of(&self->cq.out.memory), ORDER_EVENTS),
        .answered = kind(write_done && !was_queued, ORDER_PUTS) |
                    kind((write_done && was_queued) || self->parb.out.lost, ORDER_QUEUED) |
                    kind(self->axi.out.filled, ORDER_READS) |
                    kind(self->amo.out.retired, ORDER_ATOMICS) |
                    kind(done->valid && done->client == MEM_LOCAL, ORDER_LOCAL) |
                    kind(done->valid && done->client == MEM_CQ, ORDER_EVENTS),
        .settle = settle,
        .net_marked = net->marked,
        .local_marked = self->rat_local.out.marked,
    };
}

HLS_MODULE void nic_target(struct nic_target *self, const struct nic_target_in *in)
{
    const struct mem_done done = self->axi.out.done;
    struct rat_in to_local = {
        .request = in->local,
        .is_local = 1,
        .client = MEM_LOCAL,
        .room_memory = self->parb.out.room[PARB_LOCAL],
        .room_read = 1, /* a head with two wrong bits may look like a read */
        .room_write = 1,
        .room_atomic = 1,
        .room_queued = 1,
        .mark = self->order.out.mark,
        .write = in->write,
        .wipe = in->wipe,
        .config = in->config,
    };
    struct rat_in to_net = {
        .request = in->request,
        .is_local = 0,
        .client = MEM_TARGET,
        .room_memory = self->parb.out.room[PARB_TARGET],
        .room_read = self->npt.out.room_read,
        .room_write = self->npt.out.room_write,
        .room_atomic = self->amo.out.room & self->amo.out.few,
        .room_queued = self->parb.out.room_queued & self->parb.out.room_packets,
        .mark = self->order.out.mark,
        .write = in->write,
        .wipe = in->wipe,
        .config = in->config,
    };
    struct npt_in to_npt = {
        .context = self->rat_net.out.context,
        .done = done,
        .released = self->parb.out.released,
        .lost = self->parb.out.lost,
        .reply = self->axi.out.reply,
        .atomic = self->amo.out.answer,
        .room_response = in->room_response,
        .room_event = self->cq.out.room_npt,
        .config = in->config,
    };
    struct amo_in to_amo = {
        .request = self->rat_net.out.memory,
        .room_word = self->parb.out.room[PARB_AMO],
        .fetch_taken = self->parb.out.fetch_taken,
        .answer_taken = self->npt.out.taken,
        .reply = self->axi.out.reply,
        .done = done,
        .counts = self->order.out.counts,
        .config = in->config,
    };
    struct cq_in to_cq = {
        .ssid = in->event,
        .npt = self->npt.out.event,
        .page = in->access,
        .done = done,
        .room_memory = self->parb.out.room[PARB_CQ],
        .write = in->write,
        .wipe = in->wipe,
        .config = in->config,
    };
    struct parb_in to_parb = {
        .access = {self->rat_net.out.memory, self->rat_local.out.memory, self->cq.out.memory},
        .queued = self->rat_net.out.memory,
        .word = self->amo.out.word,
        .fetch = self->amo.out.fetch,
        .room_write = self->axi.out.room_write,
        .room_read = self->axi.out.room_read,
        .done = done,
        .counts = self->order.out.counts,
    };
    struct order_in to_order_in = to_order(self, in->settle);
    struct axi_master_in to_axi = {
        .m_axi = in->m_axi,
        .write = self->parb.out.write,
        .read = self->parb.out.read,
        .room_reply = self->npt.out.room_reply & self->amo.out.room_reply,
    };
    u1 operation = self->rat_net.out.atomic, queued = self->rat_net.out.queued;
    u1 token = self->rat_net.out.token;

    to_amo.request.valid = to_amo.request.valid & operation;
    to_parb.access[PARB_TARGET].valid = to_parb.access[PARB_TARGET].valid & !operation & !queued;
    to_parb.queued.valid = (to_parb.queued.valid & queued) | token;
    to_parb.queued.tail = to_parb.queued.tail | token; /* a head alone */
    to_amo.reply.valid = to_amo.reply.valid & self->axi.out.atomic;
    to_npt.reply.valid = to_npt.reply.valid & !self->axi.out.atomic;

    self->out.count = all_counts(self);
    self->out.info = self->rat_net.out.info;
    self->out.received = all_received(self, &in->request);
    self->out.idle = self->rat_net.out.idle & self->npt.out.idle & self->amo.out.idle &
                     self->rat_local.out.idle & self->cq.out.idle & self->parb.out.idle &
                     self->axi.out.idle_write & self->axi.out.idle_read;
    rat(&self->rat_local, &to_local);
    rat(&self->rat_net, &to_net);
    npt(&self->npt, &to_npt);
    amo(&self->amo, &to_amo);
    order(&self->order, &to_order_in);
    cq(&self->cq, &to_cq);
    parb(&self->parb, &to_parb);
    axi_master(&self->axi, &to_axi);
    forward(self);
}
