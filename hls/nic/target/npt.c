// SPDX-License-Identifier: Apache-2.0
/*
 * npt.c - answers to other nodes.
 *
 * Memory answers writes in order, and reads in order, so contexts are FIFOs: of reads, of writes, and of writes in ordered modes,
 * which leave parb in an order of their own. What needs no memory stands among the writes and keeps its place. An answer to a write is a status
 * in a FIFO of its own, so memory never waits for the network;
 * a reply to a read is held by axi_master until there is room, and goes through here without stopping.
 *
 * One beat a clock: a reply that comes goes out, else an ack or error of the oldest write or the answer of an atomic
 * operation, in turn. Acks that do not get through make replies wait: enough of them are let together that the gap until
 * the next reply is used. An answer of two beats needs a clock in which no reply comes and none that may have begun will in
 * the next one. Replies wait while an answer does, but one may begin after each.
 */
#include "nic/target/npt.h"
#include "nic/target/npt_words.h"

#define PUTS           (1 << NIC_PUTS_LOG2)
#define GETS           (1 << NIC_GETS_LOG2)
#define YIELD_ANSWERED 8  /* acks that may gather before replies wait */
#define YIELD_WAITED   30 /* clocks that one may wait */

HLS_RESET void npt_reset(struct npt *self)
{
    self->out = (struct npt_out){};
    self->put_staged = 0;
    self->put_last = 0;
    self->put_code = 0;
    self->event_code = 0;
    self->put_ready = 0;
    self->put_counted = 0;
    self->seq_code = 0;
    self->flag_place = 0;
    self->flag_value = 0;
    self->asked = 0;
    self->told = 0;
    self->told_note = 0;
    self->parked = 0;
    self->put_memory = 0;
    self->puts = 0;
    self->released = 0;
    for (int c = 0; c < 2; c++) {
        self->put_read[c] = 0;
        self->waiting[c] = 0;
        self->status_read[c] = 0;
        self->answered[c] = 0;
    }
    self->get_staged = 0;
    self->get_read = 0;
    self->get_write = 0;
    self->gets = 0;
    self->get_code = 0;
    self->passes = 0;
    self->yields = 0;
    self->waited = 0;
    self->shown = 0;
    self->op_asked = 0;
    self->op_told = 0;
    self->op_note = 0;
    self->asking = 0;
    self->asking_op = 0;
    self->old_follows = 0;
    self->old = 0;
    self->acked = 0;
}

/* ---- counts ------------------------------------------------------------------------------------- */

static inline void count_status(struct npt *self, nic_status_field status)
{
    self->out.count |= (npt_counts)((npt_counts)(u1)(status == STATUS_BUS) << NPT_BUS);
    self->out.count |= (npt_counts)((npt_counts)(u1)(status == STATUS_DATA) << NPT_DATA);
}

static inline void count_codes(struct npt *self, u1 corrected, u1 lost)
{
    self->out.count |= (npt_counts)((npt_counts)corrected << NPT_CORRECTED);
    self->out.count |= (npt_counts)((npt_counts)lost << NPT_LOST);
}

/* ---- reads --------------------------------------------------------------------------------------- */

/* A beat of a reply goes out as it came, its head made new. Says whether a context is done with. */
static inline u1 reply(struct npt *self, const struct npt_in *in)
{
    struct get_ecc_result fixed = get_ecc_decode(self->get_code);
    u2 memory = BEAT_FIELD(in->reply.word, MEM_STATUS_AT, 2);
    nic_status_field status = status_of_memory(memory);
    u7 bytes = (u7)((u7)BEAT_FIELD(in->reply.word, MEM_BYTES_AT, 6) + 1);

    hls_assume(!in->reply.head || self->get_staged); /* a context is here long before its reply */
    self->out.response = in->reply;
    if (in->reply.head) {
        self->out.response.word =
            response_head(unpack_whom(fixed.data), status, in->config.node, bytes, 0);
        self->passes = !fixed.fatal;
        count_codes(self, fixed.corrected, fixed.fatal);
        count_status(self, status);
    }
    self->out.response.valid = self->passes;
    return in->reply.head;
}

static inline void queue_gets(struct npt *self, const struct npt_context *context, u1 pop)
{
    u1 push = context->valid && context->read;
    u1 stored = self->gets != self->get_staged;
    u1 take = stored && (!self->get_staged || pop);

    hls_assume(!push || self->gets != GETS); /* rat_net looks at room */
    if (take) {
        self->get_code = self->get_codes[self->get_read];
        self->get_read++;
    }
    if (push) {
        self->get_codes[self->get_write] = get_ecc_encode(pack_whom(context));
        self->get_write++;
    }
    self->get_staged = take || (self->get_staged && !pop);
    self->gets = (npt_gets)(self->gets + push - pop);
    self->out.room_read = self->gets <= GETS - RAT_AHEAD;
}

/* ---- writes -------------------------------------------------------------------------------------- */

/* How the oldest write ended, without what a double-bit error in its event makes of that. */
static inline nic_status_field known_status(const struct npt *self, put_ecc_data put)
{
    u23 rest = (u23)(put >> WHOM_BITS);

    return self->put_ready ? (nic_status_field)rest : status_of_memory(self->put_memory);
}

/*
 * What rmt has to say of the oldest write is asked once; nothing is to be said of what failed, but a NOTE whose event is refused forgets all
 * the same, and of messages bte_receive hears all. Between two of these rmt is asked of an operation of amo that is done and counted.
 */
static inline void ask_rmt(struct npt *self, const struct npt_in *in, struct put_ecc_result put,
                           u1 counts)
{
    struct seq_ecc_result seq = seq_ecc_decode(self->seq_code);
    struct event_ecc_result event = event_ecc_decode(self->event_code);
    struct npt_flag flag = flag_of(self);
    u23 rest = (u23)(put.data >> WHOM_BITS);
    enum rmt_kind kind = (enum rmt_kind)(u2)seq.data;
    u1 ends = kind == RMT_OP_END || kind == RMT_OP_NOTE;
    u1 begins = self->put_staged && self->put_counted && !self->asked && !self->asking;
    const struct amo_answer *op = &in->atomic;
    u1 begins_op = !begins && !self->asking && counts && !self->op_asked;
    u1 refused = known_status(self, put.data) != STATUS_OK || (ends && (event.fatal | flag.fatal));
    u1 message = (u1)(seq.data >> 46) && !seq.fatal; /* it lands, however it ends */
    u1 fails = (refused && kind != RMT_OP_NOTE) || put.fatal || seq.fatal;

    self->out.op = (struct rmt_op){
        .valid = (begins && (!fails || message)) || begins_op,
        .kind = begins_op ? (enum rmt_kind)RMT_OP_COUNT : kind,
        .src = begins_op ? (nic_node)op->whom : (nic_node)put.data,
        .ssid = begins_op ? op->ssid : (nic_ssid)(seq.data >> 2),
        .use = begins_op ? op->use : (u2)(seq.data >> 11),
        .total = (u32)(seq.data >> 14),
        .wants = (u1)(seq.data >> 13) && !refused,
        .queue = (u10)(rest >> 13),
        .ptag = (nic_ptag)(rest >> 5),
        .event = event.data,
        .flag = flag.flag,
        .whom = (u33)put.data,
        .message = message && !begins_op,
        .slot = (u4)(seq.data >> 47),
        .failed = fails,
    };
    self->out.op.flag.wanted = flag.flag.wanted && ends && !refused && !begins_op;
    if (begins) {
        self->asked = 1;
        self->told = fails && !message;
        self->told_note = 0;
        self->parked = 0;
    }
    hls_assume(!in->result.valid || self->asking); /* rmt answers once */
    if (in->result.valid && !self->asking_op) {
        self->told = 1;
        self->told_note = in->result.note;
        self->parked = in->result.parked;
    }
    if (self->out.taken) { /* the next one comes */
        self->op_asked = 0;
        self->op_told = 0;
    } else if (begins_op || (in->result.valid && self->asking_op)) {
        self->op_asked = 1;
        self->op_told = in->result.valid;
        self->op_note = in->result.note;
    }
    self->asking_op = begins_op || (self->asking_op && !begins);
    self->asking = self->out.op.valid || (self->asking && !in->result.valid);
}

/* The answer of amo that stands is one that END counts, and rmt has to be asked first. */
static inline u1 counts_op(const struct npt *self, const struct npt_in *in)
{
    const struct amo_answer *op = &in->atomic;

    return op->valid && op->counted && op->status == STATUS_OK && !self->out.taken;
}

/* The oldest write is answered, and its event posted; an END that is parked is not. */
static inline void ack(struct npt *self, const struct npt_in *in, struct put_ecc_result put)
{
    struct event_ecc_result event = event_ecc_decode(self->event_code);
    struct seq_ecc_result seq = seq_ecc_decode(self->seq_code);
    struct npt_flag flag = flag_of(self);
    u23 rest = (u23)(put.data >> WHOM_BITS);
    u1 posts = (u1)(rest >> 4);
    u1 ends = self->put_counted && (u1)(seq.data >> 1); /* END, NOTE */
    nic_status_field known = known_status(self, put.data);
    u1 fatal = event.fatal | (ends & flag.fatal);
    u1 lost_event = (posts || ends) && fatal && known == STATUS_OK;
    u1 lost = put.fatal || (self->put_counted && seq.fatal);
    nic_status_field status = lost_event ? (nic_status_field)STATUS_UNCORRECTABLE : known;
    u1 note = self->put_counted && self->told_note;

    self->out.response = (struct beat){
        .valid = !lost && !(self->put_counted && self->parked),
        .head = 1,
        .tail = 1,
        .word =
            response_head(unpack_whom((get_ecc_data)put.data), status, in->config.node, 0, note),
    };
    self->out.event = (struct nic_event){
        .valid = posts && status == STATUS_OK && !lost,
        .queue = (u10)(rest >> 13),
        .ptag = (nic_ptag)(rest >> 5),
        .word = event_word(STATUS_OK, EVENT_RMT_SREQ, event.data),
    };
    count_codes(self,
                put.corrected | ((posts | ends) & event.corrected) | (ends & flag.corrected) |
                    (self->put_counted & seq.corrected),
                lost | lost_event);
    count_status(self, status);
}

static inline npt_put_at put_at(u1 queued, npt_put place)
{
    return (npt_put_at)(((npt_put_at)queued << NIC_PUTS_LOG2) | place);
}

/* The oldest of each FIFO, and whether it is answered. */
struct npt_fronts {
    u1 ready[2];  /* it waits for no write */
    u2 memory[2]; /* how memory answered the next one that does */
    u1 answered[2];
};

static inline struct npt_fronts fronts_of(const struct npt *self)
{
    struct npt_fronts f = {
        .ready = {self->plain_readies[self->put_read[0]], self->queued_readies[self->put_read[1]]},
        .memory = {self->plain_statuses[self->status_read[0]],
                   self->queued_statuses[self->status_read[1]]},
    };

    for (int c = 0; c < 2; c++) {
        u1 free = c == 0 || self->released != 0;

        f.answered[c] = self->waiting[c] != 0 && (f.ready[c] ? free : self->answered[c] != 0);
    }
    return f;
}

/* One that is answered goes to the front, of either FIFO in turn. Bit c of the value: it took an answer of memory in FIFO c. */
static inline u2 stage_put(struct npt *self, const struct npt_fronts *f, u1 pop)
{
    u1 from = f->answered[1] && !(f->answered[0] && self->put_last);
    u1 take = (f->answered[0] || f->answered[1]) && (!self->put_staged || pop);
    u1 ready = f->ready[from];
    npt_put_at at = put_at(from, self->put_read[from]);
    u1 counted = self->counted[at];

    if (take) {
        self->put_code = self->put_codes[at];
        self->event_code = self->event_codes[at];
        self->seq_code = self->seq_codes[at];
        self->flag_place = self->flag_places[self->put_read[0]];
        self->flag_value = self->flag_values[self->put_read[0]];
        self->put_counted = counted;
        self->asked = 0;
        self->told = 0;
        self->put_ready = ready;
        self->put_memory = f->memory[from];
        self->put_last = from;
    }
    for (int c = 0; c < 2; c++) {
        u1 of = take && from == c;

        self->put_read[c] += of;
        self->waiting[c] = (npt_puts)(self->waiting[c] - of);
    }
    self->put_staged = take || (self->put_staged && !pop);
    self->released = (npt_puts)(self->released - (take && ready && from));
    return take && !ready ? (u2)((u2)1 << from) : (u2)0;
}

static inline void queue_puts(struct npt *self, const struct npt_context *context, u1 pop)
{
    u1 push = context->valid && !context->read;
    u1 queued = context->queued;
    npt_put place = (npt_put)(self->put_read[queued] + self->waiting[queued]);
    npt_put_at at = put_at(queued, place);

    hls_assume(!push || self->puts != PUTS); /* rat_net looks at room */
    if (push) {
        self->put_codes[at] = put_ecc_encode(pack_put(context));
        self->event_codes[at] = event_ecc_encode(context->event);
        self->seq_codes[at] = seq_ecc_encode(pack_seq(context));
        self->counted[at] = context->kind != RMT_OP_NONE;
    }
    if (push && !queued) {
        self->plain_readies[place] = context->ready;
        self->flag_places[place] = flag_place_ecc_encode(pack_flag(&context->flag));
        self->flag_values[place] = flag_value_ecc_encode(context->flag.value);
    }
    if (push && queued) {
        self->queued_readies[place] = context->ready;
    }
    self->waiting[0] = (npt_puts)(self->waiting[0] + (push && !queued));
    self->waiting[1] = (npt_puts)(self->waiting[1] + (push && queued));
    self->puts = (npt_puts)(self->puts + push - pop);
    self->out.room_write = self->puts <= PUTS - RAT_AHEAD;
}

/* Memory has done a write, or parb has lost one; used: bit c: the oldest of these answers in FIFO c. */
static inline void queue_statuses(struct npt *self, const struct npt_in *in, u2 used)
{
    u1 done = in->done.valid && in->done.client == MEM_TARGET;
    u1 queued = (u1)in->done.place;
    u1 push[2] = {done && !queued, (done && queued) || in->lost};
    npt_put place[2];

    for (int c = 0; c < 2; c++) {
        place[c] = (npt_put)(self->status_read[c] + self->answered[c]);
        hls_assume(!push[c] || self->answered[c] != PUTS); /* each belongs to a context */
        self->answered[c] = (npt_puts)(self->answered[c] + push[c] - (u1)(used >> c));
        self->status_read[c] += (u1)(used >> c);
    }
    hls_assume(!in->lost || !done || !queued); /* parb: none is under way then */
    hls_assume(!in->released || self->released != PUTS);
    if (push[0]) {
        self->plain_statuses[place[0]] = in->done.status;
    }
    if (push[1]) {
        self->queued_statuses[place[1]] = in->lost ? (u2)MEM_WRONG_BITS : in->done.status;
    }
    self->released = (npt_puts)(self->released + in->released);
}

/* ---- atomic operations --------------------------------------------------------------------------- */

/* A second beat, the old value, follows the first one. */
static inline u1 brings_old(const struct amo_answer *answer)
{
    return answer->fetch && answer->status == STATUS_OK;
}

/* The next of the answers that wait, each until it is seen to be taken: of a parked END, else of ce, else of amo. */
struct npt_next {
    struct amo_answer answer;
    u1 end, collective; /* whose it is */
    u1 waits;           /* one does, or has just been taken */
};

static inline struct npt_next next_answer(const struct npt *self, const struct npt_in *in,
                                          u1 counts)
{
    u1 end = in->settled.valid && !self->out.taken_end;
    u1 told = !counts || self->op_told;
    struct npt_next next = {
        .answer = end ? in->settled : in->atomic,
        .end = end,
        .waits = (in->atomic.valid && told) || in->settled.valid,
    };

    if (!end) {
        next.answer.note = counts && self->op_note;
    }

    next.answer.valid = end || (in->atomic.valid && !self->out.taken && told);
#if NIC_CE
    next.collective = in->collective.valid && !self->out.taken_collective && !end;
    next.waits = next.waits || in->collective.valid;
    if (next.collective) {
        next.answer = in->collective;
    }
#endif
    return next;
}

/* An answer waits that may begin in a clock without reply: the head of one comes three clocks after room_reply was 1. */
static inline u1 may_answer(const struct npt *self, const struct amo_answer *answer)
{
    u1 next_reply = (u1)(self->shown >> 1);

    return answer->valid && !(next_reply && brings_old(answer));
}

static inline void begin_answer(struct npt *self, const struct npt_in *in,
                                const struct amo_answer *answer, u1 ends)
{
    u1 brings = brings_old(answer);
    u7 bytes = brings ? (answer->wide ? (u7)8 : (u7)4) : (u7)0;

    self->out.response = (struct beat){
        .valid = 1,
        .head = 1,
        .tail = !brings,
        .word = response_head(unpack_whom(answer->whom), answer->status, in->config.node, bytes,
                              answer->note && answer->status == STATUS_OK),
    };
    self->old_follows = brings;
    self->old = answer->old;
    if (ends) {
        count_status(self, answer->status); /* amo counts its own */
    }
}

static inline void end_answer(struct npt *self)
{
    self->out.response = (struct beat){.valid = 1, .tail = 1, .word = (beat_word)self->old};
    self->old_follows = 0;
}

/* ---- turns --------------------------------------------------------------------------------------- */

/*
 * Replies wait from when acks (ready) do not get through until there are none, but no longer than acks had to; and not for
 * them while answers wait, in whose turns they are.
 */
static inline void take_turns(struct npt *self, u1 ready, u1 acks, u1 waits)
{
    u1 late = self->waited == YIELD_WAITED;
    npt_gathered gathered =
        (npt_gathered)((npt_gathered)self->answered[0] + self->answered[1] + self->put_staged);
    u1 begins = ready && !acks && !self->yields && !waits && (gathered >= YIELD_ANSWERED || late);
    u1 goes_on = self->yields && ready && !late && !waits;
    u1 counts = goes_on || (ready && !acks && !begins && !self->yields);

    self->yields = begins || goes_on;
    self->waited = counts ? (u5)(self->waited + 1) : (u5)0;
}

/* Room for replies, as far as `may` says: while answers wait, for one after each. */
static inline void give_room(struct npt *self, u1 waits, u1 answers, u1 may)
{
    self->shown = (u2)((u2)(self->shown << 1) | self->out.room_reply);
    self->out.room_reply = may && (!waits || answers);
}

/* ---- together ------------------------------------------------------------------------------------ */

/* Between the pointers of each FIFO stands what is counted, but for the word in front. */
static inline void assert_fifos(const struct npt *self)
{
    npt_get gets = (npt_get)(self->gets - self->get_staged);

    hls_assert(self->waiting[0] <= PUTS && self->waiting[1] <= PUTS);
    hls_assert((npt_gathered)self->puts ==
               (npt_gathered)self->waiting[0] + self->waiting[1] + self->put_staged);
    hls_assert(self->puts <= PUTS);
    hls_assert(self->gets >= self->get_staged && self->gets <= GETS);
    hls_assert((npt_get)(self->get_write - self->get_read) == gets);
    hls_assert(self->answered[0] <= PUTS && self->answered[1] <= PUTS);
    hls_assert(self->released <= PUTS);
}

/* rmt is asked of one at a time, which waits for what it says. */
static inline void assert_asked(const struct npt *self)
{
    u1 of_put = self->put_staged && self->put_counted && self->asked && !self->told;
    u1 of_op = self->op_asked && !self->op_told;

    hls_assert(!self->asking || (self->asking_op ? of_op : of_put));
    hls_assert(!self->out.op.valid || self->asking);
}

HLS_MODULE void npt(struct npt *self, const struct npt_in *in)
{
    struct put_ecc_result put = put_ecc_decode(self->put_code);
    struct npt_fronts fronts = fronts_of(self);
    u1 counts = counts_op(self, in);
    /* Room for an event, also where none is wanted: that is known late, behind the code of the context. */
    u1 ready = self->put_staged && in->room_event && (!self->put_counted || self->told);
    u1 begins = in->room_response && !in->reply.valid && !self->old_follows;
    struct npt_next next = next_answer(self, in, counts);
    u1 may = may_answer(self, &next.answer);
    u1 waits = next.waits;
    u1 acks = begins && ready && !(may && self->acked);
    u1 answers = begins && may && !acks;
    u1 get_done = 0;

    hls_assume(!in->reply.valid || !self->old_follows); /* axi_master looked at room_reply */

    assert_fifos(self);
    assert_asked(self);
    hls_assume(!self->op_asked || counts); /* amo's answer stands until it is taken */
    self->out.count = 0;
    self->out.event.valid = 0;
    self->out.response.valid = 0;
    if (in->reply.valid) {
        get_done = reply(self, in);
    } else if (self->old_follows) {
        end_answer(self);
    } else if (acks) {
        ack(self, in, put);
    } else if (answers) {
        begin_answer(self, in, &next.answer, next.end);
    }
    self->out.taken = answers && !next.end && !next.collective;
    self->out.taken_end = answers && next.end;
#if NIC_CE
    self->out.taken_collective = answers && next.collective;
#endif
    self->acked = acks || (self->acked && !answers);
    take_turns(self, ready, acks, waits);
    give_room(self, waits, answers, in->room_response && !self->yields);

    ask_rmt(self, in, put, counts);

    u2 used = stage_put(self, &fronts, acks);

    queue_statuses(self, in, used);
    queue_gets(self, &in->context, get_done);
    queue_puts(self, &in->context, acks);
    self->out.idle = self->puts == 0 && self->gets == 0 && !self->out.response.valid;

    hls_cover(self->yields); /* replies wait for acks */
    hls_cover(may && in->reply.valid);
    hls_cover(may && acks);
    hls_cover(ready && answers);
    hls_cover(in->atomic.valid && !may &&
              !self->out.taken); /* a reply may come in the next clock */
    hls_cover(!self->out.room_write);
    hls_cover(!self->out.room_read);
    hls_cover(ready && !in->room_response);
    hls_cover(acks && self->put_counted && self->parked); /* no answer yet */
    hls_cover(answers && next.end);
#if NIC_CE
    hls_cover(answers && next.collective && in->atomic.valid);
#endif
}
