// SPDX-License-Identifier: Apache-2.0
/*
 * nic.c - joins of the NIC: initiator, target, registers.
 *
 * Every block sees the registers of the others as they were before this clock, so the order of the calls does not matter.
 */
#include "nic/nic.h"

HLS_RESET void nic_reset(struct nic *self)
{
    self->out = (struct nic_out){
        .m_axi = AXI_FROM_MAN_RESET,
        .s_axil = AXIL_FROM_SUB_RESET,
    };
    nic_initiator_reset(&self->initiator);
    nic_target_reset(&self->target);
    bte_reset(&self->bte);
#if NIC_CE
    ce_reset(&self->ce);
#endif
    bte_receive_reset(&self->receive);
    nic_regs_reset(&self->regs);
    hpet_reset(&self->hpet);
}

static inline nic_counts netlink_counts(const struct nic_in *in)
{
    return counters(in->netlink, NETLINK_CORRECTED, 1, NUMBER(MEMORY_CORRECTED)) |
           counters(in->netlink, NETLINK_MARKED, 5, NUMBER(NETLINK_MARKED)) |
           counters(in->netlink, NETLINK_FATAL, 1, NUMBER(NETLINK_UNCORRECTABLE));
}

static inline void forward(struct nic *self)
{
    self->out.s_axi = self->initiator.out.s_axi;
    self->out.m_axi = self->target.out.m_axi;
    self->out.s_axil = self->regs.out.s_axil;
    self->out.irq = self->regs.out.irq;
    self->out.to_request = self->initiator.out.request;
    self->out.to_response = self->target.out.response;
    self->out.request_room = self->target.out.request_room;
    self->out.response_room = self->initiator.out.response_room;
}

/* A reply of RINGS is one of posted buffers: they are shorter than descriptors of transfers. */
static inline u1 is_of_receive(const struct nic *self)
{
    const struct beat *reply = &self->target.out.reply;
    u1 brief = BEAT_FIELD(reply->word, MEM_BYTES_AT, 6) == RX_READ_BYTES - 1;

    return reply->head ? brief : self->receive.out.replies;
}

/* What block transfers hear of memory, the request stream and their transactions. */
static inline struct bte_in bte_wires(const struct nic *self)
{
    const struct nic_target_out *target = &self->target.out;
    const struct channel_note *over = &self->initiator.out.over;
    const struct channel_fault *fault = &self->initiator.out.fault;
    struct bte_in to = {
        .reply_ring = target->reply,
        .reply_local = target->reply,
        .fetch_taken = target->ring_taken & !self->receive.out.fetch.valid,
        .room_word = target->room_back,
        .local_taken = target->local_taken,
        .room = self->initiator.out.room_bte,
        .tags = self->initiator.out.tags_bte,
        .refusal = {target->refused.valid & target->of_read, (bte_place)target->refused.tag,
                    target->refused.status},
        .over = {over->valid && is_transfer(over->channel), (bte_place)over->channel, over->failed,
                 over->status},
        .launch = self->initiator.out.launch,
        .noted_taken = self->initiator.out.launched_taken,
        .fault = {fault->valid && is_transfer(fault->channel), (bte_place)fault->channel},
        .done = target->done,
        .write = self->regs.out.write,
        .wipe = self->regs.out.wipe,
        .read = self->regs.out.read,
        .config = self->regs.out.config,
    };

    to.reply_ring.valid =
        to.reply_ring.valid & (target->reader == READER_RINGS) & !is_of_receive(self);
    to.reply_local.valid = to.reply_local.valid & (target->reader == READER_LOCAL);
    return to;
}

#if NIC_CE
/* What collective engines hear of all of these. */
static inline struct ce_in ce_wires(const struct nic *self)
{
    const struct nic_target_out *target = &self->target.out;
    const struct channel_note *over = &self->initiator.out.over;

    return (struct ce_in){
        .join = self->initiator.out.join,
        .request = target->reduction,
        .answer_taken = target->collective_taken,
        .room = self->initiator.out.room_ce,
        .tags = self->initiator.out.tags_bte,
        .over = {over->valid && is_collective(over->channel), (ce_channel)over->channel,
                 over->status},
        .local_taken = target->word_taken,
        .done = target->done,
        .refused = {target->refused.valid & target->refused_word, (u12)target->refused.tag,
                    target->refused.status},
        .room_event = target->room_ce_event,
        .write = self->regs.out.write,
        .wipe = self->regs.out.wipe,
        .read = self->regs.out.read,
        .epoch = self->regs.out.config.epoch,
    };
}

/* Memory answers their words as writes of rat_local. */
static inline u1 is_of_engines(const struct mem_done *done)
{
    return done->client == MEM_LOCAL && (u1)(done->place >> PLACE_CE_AT);
}
#endif
/* The data of a SEND_END, as its context leaves rat_net. */
static inline struct message_tail tail_of(const struct nic_target_out *target)
{
    const struct npt_context *context = &target->context;
    u1 ends = context->message && context->cmd == CMD_SEND_END && context->kind == RMT_OP_END;

    return (struct message_tail){
        .valid = context->valid && ends && context->status == STATUS_OK,
        .slot = context->slot,
        .immediate = context->flag.value,
        .length = (u32)context->event,
    };
}

/*
 * What posted buffers hear. Their reads go before those of rings, and stand only since none of these did; an answer likewise before one of rmt.
 * Words and events fill gaps.
 */
static inline struct bte_receive_in receive_wires(const struct nic *self)
{
    const struct nic_target_out *target = &self->target.out;
    const struct bte_receive_out *out = &self->receive.out;
    struct bte_receive_in to = {
        .find = target->find,
        .tail = tail_of(target),
        .op = target->op,
        .leaks = (u1)(target->count >> NUMBER(NPT_LOST)),
        .done = target->done,
        .reply = target->reply,
        .fetch_waits = self->bte.out.fetch.valid,
        .fetch_taken = target->ring_taken & out->fetch.valid,
        .room_word = target->room_back & !self->bte.out.tells,
        .event_taken = target->room_arrived & !target->posts & out->event.valid,
        .answer_waits = target->answer_waits,
        .answer_taken = target->end_taken & out->answer.valid,
        .write = self->regs.out.write,
        .read = self->regs.out.read,
        .config = self->regs.out.config,
    };

    to.op.valid = to.op.valid & to.op.message;
    to.reply.valid = to.reply.valid & (target->reader == READER_RINGS) & is_of_receive(self);
    return to;
}

HLS_MODULE void nic(struct nic *self, const struct nic_in *in)
{
    hls_reset_by(in->rst, nic_reset, self);

    struct nic_regs_in to_regs = {
        .s_axil = in->s_axil,
        .count = self->initiator.out.count | self->target.out.count | netlink_counts(in) |
                 counters(self->bte.out.count | self->receive.out.count, BTE_RING_FAILED,
                          BTE_RING_COUNTS, NUMBER(BTE_FAILED)),
        .pio = self->initiator.out.addr,
        .orb = self->initiator.out.info,
        .rat = self->target.out.info,
        .netlink = in->netlink_info,
        .sent = self->initiator.out.sent,
        .received = self->target.out.received,
        .time = self->initiator.out.time,
        .raised = self->target.out.raised,
        .timers = self->hpet.out.raised,
        .clock = in->time.stepped || in->time.holdover,
        .timer = self->hpet.out.value,
        .owned = self->receive.out.owned.known ? self->receive.out.owned : self->bte.out.owned,
        .idle = self->initiator.out.idle & self->target.out.idle & self->bte.out.idle &
                self->receive.out.idle,
        .settled = !(self->target.out.unsettled | self->target.out.flushing |
                     self->target.out.stale | self->regs.out.settle),
    };
    struct nic_initiator_in to_initiator = {
        .s_axi = in->s_axi,
        .response = in->response,
        .bte = self->bte.out.beat,
        .launch = self->bte.out.launch,
        .launched = self->bte.out.noted,
        .room_request = in->room_request,
        .room_local = self->target.out.local_room,
        .room_event = self->target.out.event_room,
        .queue = self->target.out.page,
        .refused = self->target.out.refused,
        .done = self->target.out.done,
        .write = self->regs.out.write,
        .wipe = self->regs.out.wipe,
        .config = self->regs.out.config,
    };
    struct nic_target_in to_target = {
        .m_axi = in->m_axi,
        .request = in->request,
        .room_response = in->room_response,
        .local = self->initiator.out.local,
        .local_read = self->bte.out.local,
        .ring = self->receive.out.fetch.valid ? self->receive.out.fetch : self->bte.out.fetch,
        .back = self->receive.out.word.valid ? self->receive.out.word : self->bte.out.word,
        .room_local_read = self->bte.out.room_reply,
        .room_ring = 1,
        .event = self->initiator.out.event,
        .found = self->receive.out.found,
        .message = self->receive.out.result,
        .message_end = self->receive.out.answer,
        .arrived = self->receive.out.event,
        .access = self->initiator.out.access,
        .settle = self->regs.out.settle,
        .write = self->regs.out.write,
        .wipe = self->regs.out.wipe,
        .config = self->regs.out.config,
    };

    to_initiator.refused.valid =
        to_initiator.refused.valid & !self->target.out.of_read & !self->target.out.refused_flag;
    to_initiator.done.valid = to_initiator.done.valid & !is_of_rmt(&self->target.out.done);
#if NIC_CE
    struct ce_in to_ce = ce_wires(self);

    to_ce.request.valid = to_ce.request.valid & self->target.out.is_reduction;
    to_ce.done.valid = to_ce.done.valid & is_of_engines(&self->target.out.done);
    to_initiator.done.valid = to_initiator.done.valid & !is_of_engines(&self->target.out.done);
    to_initiator.refused.valid = to_initiator.refused.valid & !self->target.out.refused_word;
    to_initiator.ce = self->ce.out.beat;
    to_initiator.room_join = self->ce.out.room_join;
    to_target.word = self->ce.out.local;
    to_target.collective = self->ce.out.answer;
    to_target.ce_event = self->ce.out.event;
    to_target.room_collective = self->ce.out.room_request;
    to_regs.idle = to_regs.idle & self->ce.out.idle;
    to_regs.count = to_regs.count |
                    counters(self->ce.out.count, CE_CORRECTED, 1, NUMBER(MEMORY_CORRECTED)) |
                    counters(self->ce.out.count, CE_FATAL, 5, NUMBER(CE_FATAL));
    if (self->ce.out.owned.known) {
        to_regs.owned = self->ce.out.owned;
    }
#endif

#if DEV_MAINT
    self->out.quiet = self->initiator.out.answered & self->target.out.quiet;
#endif
    struct bte_in to_bte = bte_wires(self);
    struct bte_receive_in to_receive = receive_wires(self);
    struct hpet_in to_hpet = {.access = self->regs.out.timer, .time = in->time};

    nic_initiator(&self->initiator, &to_initiator);
    nic_target(&self->target, &to_target);
    bte(&self->bte, &to_bte);
#if NIC_CE
    ce(&self->ce, &to_ce);
#endif
    bte_receive(&self->receive, &to_receive);
    nic_regs(&self->regs, &to_regs);
    hpet(&self->hpet, &to_hpet);
    forward(self);
}
