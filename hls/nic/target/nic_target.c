// SPDX-License-Identifier: Apache-2.0
/*
 * nic_target.c - joins of the half that reaches host memory.
 */
#include "nic/target/nic_target.h"

HLS_RESET void nic_target_reset(struct nic_target *self)
{
    self->out = (struct nic_target_out){
        .m_axi = AXI_FROM_MAN_RESET,
    };
    rat_reset(&self->rat_local);
    rat_reset(&self->rat_net);
    npt_reset(&self->npt);
    rmt_reset(&self->rmt);
    amo_reset(&self->amo);
    cq_reset(&self->cq);
    nic_memory_reset(&self->memory);
}

static inline nic_counts all_counts(const struct nic_target *self)
{
    const struct nic_memory_out *memory = &self->memory.out;
    u1 refused = (u1)(self->rat_local.out.count >> RAT_UNCORRECTABLE != 0);
    u1 uncorrectable =
        (u1)((memory->count >> PARB_FATAL) | (memory->pte_count >> PTE_FATAL) |
             (memory->write_count >> AXI_WRITE_FATAL) | (memory->read_count >> AXI_READ_FATAL));
    u1 corrected =
        (u1)((self->cq.out.count >> CQ_CORRECTED) | (self->rat_net.out.count >> RAT_CORRECTED) |
             (self->rat_local.out.count >> RAT_CORRECTED) | (self->npt.out.count >> NPT_CORRECTED) |
             (self->amo.out.count >> AMO_CORRECTED) | (memory->count >> PARB_CORRECTED) |
             (memory->pte_count >> PTE_CORRECTED) | (memory->write_count >> AXI_WRITE_CORRECTED) |
             (memory->read_count >> AXI_READ_CORRECTED));

    return counters(corrected, 0, 1, NUMBER(MEMORY_CORRECTED)) |
           counters(self->cq.out.count, CQ_EVENTS, 6, NUMBER(CQ_EVENTS)) |
           counters(self->rat_net.out.count, RAT_LOST, RAT_COUNTS - RAT_LOST, NUMBER(RAT_LOST)) |
           counters(self->rat_local.out.count, RAT_LOST, 1, NUMBER(LOCAL_LOST)) |
           counters(refused, 0, 1, NUMBER(LOCAL_REFUSED)) |
           counters(self->npt.out.count, NPT_LOST, NPT_COUNTS - NPT_LOST, NUMBER(NPT_LOST)) |
           counters(self->amo.out.count, AMO_LOST, AMO_UNWRITTEN - AMO_LOST, NUMBER(AMO_LOST)) |
           counters(self->amo.out.count, AMO_UNWRITTEN, 1, NUMBER(AMO_UNWRITTEN)) |
           counters(uncorrectable, 0, 1, NUMBER(MEMORY_UNCORRECTABLE)) |
           counters(memory->write_count, AXI_WRITE_ERROR, 2, NUMBER(WRITE_ERROR)) |
           counters(memory->read_count, AXI_READ_ERROR, 4, NUMBER(READ_ERROR)) |
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
        .response_flits = answered ? (nic_amount)rsp_flits_of(
                                         BEAT_FIELD(response->word, REQ_LENGTH_AT, RSP_LENGTH_BITS))
                                   : (nic_amount)0,
    };
}

/* rat_net accepts a get, a write or an event in an ordered mode. */
static inline u1 is_ordered(const struct rat_out *rat)
{
    const struct beat *access = &rat->memory;
    u1 head = access->valid & access->head & !rat->atomic;

    return (head & (rat->queued | BEAT_FIELD(access->word, MEM_ORDER_AT, 1))) | rat->token;
}

/* What bte_receive sees. */
static inline void forward_messages(struct nic_target *self)
{
    self->out.find = self->rat_net.out.find;
    self->out.context = self->rat_net.out.context;
    self->out.op = self->npt.out.op;
    self->out.answer_waits = self->rmt.out.answer.valid;
    self->out.end_taken = self->npt.out.taken_end;
    self->out.room_arrived = self->cq.out.room[CQ_RMT];
    self->out.posts = self->rmt.out.event.valid;
}

static inline void forward(struct nic_target *self)
{
    self->out.m_axi = self->memory.out.m_axi;
    self->out.request_room = self->rat_net.out.room;
    self->out.response = self->npt.out.response;
    self->out.local_room = self->rat_local.out.room;
    self->out.refused = self->rat_local.out.context;
    self->out.refused_flag = self->rat_local.out.refused_flag;
    self->out.of_read = self->rat_local.out.refused_read;
    self->out.done = self->memory.out.done;
    self->out.event_room = self->cq.out.room[CQ_SSID];
    self->out.page = self->cq.out.reply;
    self->out.local_taken = self->rat_local.out.read_taken;
#if NIC_CE
    self->out.word_taken = self->rat_local.out.word_taken;
    self->out.collective_taken = self->npt.out.taken_collective;
    self->out.refused_word = self->rat_local.out.refused_word;
    self->out.room_ce_event = self->cq.out.room[CQ_CE];
    self->out.reduction = self->rat_net.out.memory;
    self->out.is_reduction = self->rat_net.out.collective;
#endif
    self->out.ring_taken = (u1)(self->memory.out.fetch_taken >> PARB_FETCH_RINGS);
    self->out.room_back = self->memory.out.room_back;
    self->out.reply = self->memory.out.reply;
    self->out.reader = self->memory.out.reader;
    self->out.raised = self->cq.out.raised;
    self->out.unsettled = self->memory.out.unsettled;
    self->out.flushing = self->amo.out.flushing;
    self->out.stale = self->memory.out.stale;
}

HLS_MODULE void nic_target(struct nic_target *self, const struct nic_target_in *in)
{
    const struct nic_memory_out *memory = &self->memory.out;
    struct rat_in to_local = {
        .request = in->local,
        .is_local = 1,
        .client = MEM_LOCAL,
        .read = in->local_read,
        .flag = self->rmt.out.flag,
#if NIC_CE
        .word = in->word,
        .room_collective = 1,
#endif
        .room_memory = memory->room_local,
        .room_read = 1, /* a head with a double-bit error may look like a read */
        .room_write = 1,
        .room_atomic = 1,
        .room_queued = 1,
        .mark = memory->mark,
        .write = in->write,
        .wipe = in->wipe,
        .config = in->config,
    };
    struct rat_in to_net = {
        .request = in->request,
        .is_local = 0,
        .client = MEM_TARGET,
        .room_memory = memory->room_target,
        .room_read = self->npt.out.room_read,
        .room_write = self->npt.out.room_write,
        .room_atomic = self->amo.out.room & self->amo.out.few,
#if NIC_CE
        .room_collective = in->room_collective,
#endif
        .room_queued = memory->room_queued & memory->room_packets,
        .mark = memory->mark,
        .found = in->found,
        .write = in->write,
        .wipe = in->wipe,
        .config = in->config,
    };
    struct npt_in to_npt = {
        .context = self->rat_net.out.context,
        .done = memory->done,
        .released = memory->released,
        .lost = memory->lost,
        .reply = memory->reply,
        .atomic = self->amo.out.answer,
        .result = in->message.valid ? in->message : self->rmt.out.result,
        .settled = in->message_end.valid ? in->message_end : self->rmt.out.answer,
#if NIC_CE
        .collective = in->collective,
#endif
        .room_response = in->room_response,
        .room_event = self->cq.out.room[CQ_NPT],
        .config = in->config,
    };
    struct rmt_in to_rmt = {
        .op = self->npt.out.op,
        .room_event = self->cq.out.room[CQ_RMT],
        .taken = self->npt.out.taken_end & !in->message_end.valid,
        .flag_taken = self->rat_local.out.flag_taken,
        .refused = {.valid = self->rat_local.out.context.valid & self->rat_local.out.refused_flag,
                    .place = (u3)self->rat_local.out.context.tag,
                    .status = self->rat_local.out.context.status},
        .done = memory->done,
        .wipe = in->wipe,
        .config = in->config,
    };
    struct amo_in to_amo = {
        .request = self->rat_net.out.memory,
        .room_word = memory->room_word,
        .fetch_taken = (u1)(memory->fetch_taken >> PARB_FETCH_AMO),
        .answer_taken = self->npt.out.taken,
        .reply = memory->reply,
        .done = memory->done,
        .counts = memory->counts,
        .ordered = is_ordered(&self->rat_net.out),
        .config = in->config,
    };
    struct cq_in to_cq = {
        .event =
            {
                [CQ_SSID] = in->event,
                [CQ_NPT] = self->npt.out.event,
                [CQ_RMT] = self->rmt.out.event,
#if NIC_CE
                [CQ_CE] = in->ce_event,
#endif
            },
        .page = in->access,
        .done = memory->done,
        .room_memory = memory->room_event,
        .write = in->write,
        .wipe = in->wipe,
        .config = in->config,
    };
    mem_reader_set room_reply =
        (mem_reader_set)(((mem_reader_set)self->npt.out.room_reply << READER_TARGET) |
                         ((mem_reader_set)in->room_local_read << READER_LOCAL) |
                         ((mem_reader_set)self->amo.out.room_reply << READER_AMO) |
                         ((mem_reader_set)in->room_ring << READER_RINGS));
    struct nic_memory_in to_memory = {
        .m_axi = in->m_axi,
        .target = self->rat_net.out.memory,
        .for_amo = self->rat_net.out.atomic,
        .queued = self->rat_net.out.queued,
        .token = self->rat_net.out.token,
        .local = self->rat_local.out.memory,
        .event = self->cq.out.memory,
        .word = self->amo.out.word,
        .fetch = {[PARB_FETCH_AMO] = self->amo.out.fetch, [PARB_FETCH_RINGS] = in->ring},
        .back = in->back,
        .retired = self->amo.out.retired,
        .seen = self->amo.out.seen,
        .room_reply = room_reply,
        .settle = in->settle,
        .write = in->write,
        .wipe = in->wipe,
        .net_marked = self->rat_net.out.marked,
        .local_marked = self->rat_local.out.marked,
    };

#if NIC_CE
    to_memory.target.valid = to_memory.target.valid & !self->rat_net.out.collective;
#endif
    /* An answer of bte_receive goes before one of rmt, and stands only since none of rmt did; its events fill gaps between those of rmt. */
    to_rmt.op.valid = to_rmt.op.valid & !to_rmt.op.message;
    if (!self->rmt.out.event.valid) {
        to_cq.event[CQ_RMT] = in->arrived;
        to_cq.event[CQ_RMT].valid = in->arrived.valid & self->cq.out.room[CQ_RMT];
    }
    to_amo.request.valid = to_amo.request.valid & self->rat_net.out.atomic;
    to_amo.reply.valid = to_amo.reply.valid & (memory->reader == READER_AMO);
    to_npt.reply.valid = to_npt.reply.valid & (memory->reader == READER_TARGET);

    self->out.count = all_counts(self);
    self->out.info = self->rat_net.out.info;
    self->out.received = all_received(self, &in->request);
    self->out.idle = self->rat_net.out.idle & self->npt.out.idle & self->rmt.out.idle &
                     self->amo.out.idle & self->rat_local.out.idle & self->cq.out.idle &
                     memory->idle_parb & memory->idle_iommu & memory->idle_write &
                     memory->idle_read;
#if DEV_MAINT
    self->out.quiet = self->rat_net.out.idle & self->npt.out.idle & self->rmt.out.idle &
                      self->amo.out.idle & self->cq.out.idle & memory->idle_write;
#endif
    rat(&self->rat_local, &to_local);
    rat(&self->rat_net, &to_net);
    npt(&self->npt, &to_npt);
    rmt(&self->rmt, &to_rmt);
    amo(&self->amo, &to_amo);
    cq(&self->cq, &to_cq);
    nic_memory(&self->memory, &to_memory);
    forward(self);
    forward_messages(self);
}
