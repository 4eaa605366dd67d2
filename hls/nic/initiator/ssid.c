// SPDX-License-Identifier: Apache-2.0
/*
 * ssid.c - ids of transactions.
 *
 * Three that do not wait for each other, each with memories that it alone writes:
 *
 *   stream   a head looks up its channel's id and goes on in the same clock; a clock later the id's counts (`op`)
 *   answers  one a clock, counted at once
 *   reports  ids from the list of closed ones, then from the list of those whose last answer came: one clock to read what
 *            CLOSE left, then events as cq takes them, then the id is free or stale
 *
 * A transaction is over at its CLOSE or at its last answer, so two may be over in one clock: that is why there are two lists.
 * What is in the first is reported first, so a local event is never behind its transaction's end.
 */
#include "nic/initiator/ssid.h"

HLS_RESET void ssid_reset(struct ssid *self)
{
    self->out = (struct ssid_out){};
    ssid_free_list_reset(&self->free);
    ssid_closed_list_reset(&self->closed);
    ssid_over_list_reset(&self->over);
    ssid_stale_list_reset(&self->stale);
    self->passes = 0;
    self->closing = 0;
    self->close_bad = 0;
    self->close = (struct ssid_current){};
    self->place = 0;
    self->ptag = 0;
    self->op = (struct ssid_op){};
    self->orphan = 0;
    self->orphan_place = 0;
    self->reports = 0;
    self->report = (struct ssid_closed){};
    self->report_data = 0;
    self->report_where = 0;
    self->local_posted = 0;
    self->end_posted = 0;
    self->epoch = 0;
    self->open = 0;
    self->looks = 0;
    self->look = 0;
}

#define COUNT(bit, condition) ((uint(SSID_COUNTS))((uint(SSID_COUNTS))(u1)(condition) << (bit)))

/* ---- the stream -------------------------------------------------------------------------------- */

/* The operation of a CLOSE, at its last beat. */
static inline struct ssid_op close_op(const struct ssid *self, const struct beat *beat)
{
    u4 wants = BEAT_FIELD(beat->word, CLOSE_WANTS_AT, 4);
    u1 aborted = BEAT_FIELD(beat->word, CLOSE_ABORTED_AT, 1);
    /* Nothing can be had at the target yet: neither END nor NOTE exist. */
    u1 sequence = aborted || (wants & (WANT_TARGET | WANT_FLAG)) != 0;
    nic_status_field status = sequence ? (nic_status_field)STATUS_SEQUENCE : (nic_status_field)0;
    u1 bad = beat->bad | self->close_bad;

    return (struct ssid_op){
        .kind = self->close.valid ? SSID_CLOSE : SSID_NOTHING,
        .id = self->close.id,
        .place = self->place,
        .status = bad ? (nic_status_field)STATUS_UNCORRECTABLE : status,
        .wants = bad ? (u4)0 : wants,
        .queue = BEAT_FIELD(beat->word, CLOSE_QUEUE_AT, 10),
        .ptag = self->ptag,
        .data = BEAT_FIELD(beat->word, CLOSE_SOURCE_AT, 56),
    };
}

/* One request more would be over its descriptor's limit. */
static inline u1 is_over(const struct ssid *self, ssid_place place)
{
    u11 limit = self->limits[place];
    ssid_requests outstanding = (ssid_requests)(self->passed[place] - self->returned[place]);

    return limit != 0 && outstanding >= limit;
}

/* Tags that are free again, and the limits that the driver writes. */
static inline void count_back(struct ssid *self, const struct ssid_in *in)
{
    ssid_place wiped = (ssid_place)in->wipe.index;
    ssid_place place = in->wipe.valid ? wiped : in->back.place;
    ssid_requests returned = self->returned[place];
    u16 table = (u16)(in->write.addr >> (NIC_FMA_LOG2 + 2));
    u1 ours = in->write.valid && table == NR_FMA >> (NIC_FMA_LOG2 + 2) && (u2)in->write.addr == 1;

    if (in->wipe.valid | in->back.valid) {
        self->returned[place] = in->wipe.valid ? (ssid_requests)0 : (ssid_requests)(returned + 1);
    }
    if (in->wipe.valid | ours) {
        self->limits[in->wipe.valid ? wiped : (ssid_place)(in->write.addr >> 2)] =
            (u11)in->write.data; /* 0 in the wipe */
    }
}

/*
 * A head: its channel's id goes into it; `op` is what to do with the id in the next clock. Of one with a double-bit error the channel
 * is known, and whether it is a CLOSE: a request is refused, as an OPEN too, whose channel has no id.
 */
static inline void take_head(struct ssid *self, const struct ssid_in *in)
{
    beat_word word = in->request.word;
    u4 cmd = req_cmd(word);
    u8 channel = req_channel(word);
    ssid_place place = in->wipe.valid ? (ssid_place)in->wipe.index : (ssid_place)(channel >> 1);
    struct ssid_current current = self->current[place];
    u1 head = in->request.valid && in->request.head;
    u1 bad = in->request.bad;
    u1 closes = head && (u1)channel;
    u1 opens = head && !closes && !bad && cmd == CMD_OPEN;
    u1 request = head && !closes && !opens;
    u1 unreachable = bad | BEAT_FIELD(word, VPE_REFUSED_AT, 1);
    u1 over = is_over(self, place);
    u1 refused = unreachable | over;
    u1 wrong =
        bad | BEAT_FIELD(word, VPE_NTT_AT, 1); /* two bits, here or in its entry of the NTT */
    u1 gets = opens && self->free.out.valid;
    u1 passes = request && current.valid && !refused;

    if (head) {
        self->passes = passes;
        self->closing = closes;
        self->close_bad = bad;
        self->close = current;
        self->place = place;
        self->ptag = req_ptag(word);
        self->op.id = opens ? self->free.out.front : current.id;
        self->op.place = place;
        self->op.status = wrong         ? (nic_status_field)STATUS_UNCORRECTABLE
                          : unreachable ? (nic_status_field)STATUS_UNREACHABLE
                                        : (nic_status_field)STATUS_OVERFLOW;
    }
    if (gets) {
        self->op.kind = SSID_OPEN;
    } else if (request && current.valid) {
        self->op.kind = refused ? SSID_REFUSED : SSID_REQUEST;
    }
    if (opens || closes || in->wipe.valid) {
        self->current[place] = (struct ssid_current){gets && !in->wipe.valid, self->free.out.front};
    }
    if (passes || in->wipe.valid) {
        self->passed[place] =
            in->wipe.valid ? (ssid_requests)0 : (ssid_requests)(self->passed[place] + 1);
    }
    self->out.count |=
        COUNT(SSID_OPENED, gets) | COUNT(SSID_UNREACHABLE, request && unreachable && !wrong) |
        COUNT(SSID_OVERFLOW, request && current.valid && over && !unreachable) |
        COUNT(SSID_HEAD_LOST, head && bad) |
        COUNT(SSID_NO_ID, (opens && !gets) || ((request || closes) && !current.valid));
}

/* A clock of the stream: what goes on to orb, and the operation that it leaves. */
static inline void stream(struct ssid *self, const struct ssid_in *in)
{
    const struct beat *beat = &in->request;
    u1 closed = beat->valid && !beat->head && beat->tail && self->closing;

    self->op.kind = SSID_NOTHING;
    take_head(self, in);
    if (closed) {
        self->op = close_op(self, beat);
        self->closing = 0;
    }
    self->orphan = closed && !self->close.valid;
    self->orphan_place = self->place;
    self->out.forward = *beat;
    self->out.forward.valid = beat->valid && self->passes;
    if (beat->head) {
        self->out.forward.word =
            BEAT_WITH(beat->word, REQ_RMT_AT, 10, (u10)((u10)(nic_ssid)self->op.id << 1));
    }
    self->out.count |=
        COUNT(SSID_EVENT_LOST, closed && (beat->bad | self->close_bad) && self->close.valid);
}

/* ---- counts ------------------------------------------------------------------------------------ */

/* What the memories have of the id of `op`, of that of the answer (or of one that is spent), before this clock. */
struct looked_up {
    struct ssid_sent op_sent, sent;
    struct ssid_answered op_answered, answered;
    struct ssid_birth birth;
};

/* Only one of the two sides ever has one. */
static inline nic_status_field either(nic_status_field answered, nic_status_field sent)
{
    return answered | sent;
}

/*
 * An answer to one of id's requests, or a clock without: then the status of id, which is spent, is wiped. The value says that
 * id's transaction is over, with *status.
 */
static inline u1 take_answer(struct ssid *self, const struct ssid_in *in, ssid_id id, u1 spent,
                             const struct looked_up *was, nic_status_field *status)
{
    u1 valid = in->answer.valid;
    nic_status_field before = either(was->answered.status, was->sent.status);
    ssid_requests count = (ssid_requests)(was->answered.count + valid);

    /* orb answers each request once. */
    hls_assume(!valid || was->sent.count != was->answered.count);
    *status = before != 0 ? before : in->answer.status;
    if (valid || spent) {
        self->answered[id] = (struct ssid_answered){
            .count = in->wipe.valid ? (ssid_requests)0 : count,
            .status = valid && was->sent.status == 0 ? *status : (nic_status_field)0,
        };
    }
    return valid && was->sent.closed && was->sent.count == count;
}

/* What CLOSE said of its events. */
static inline void keep(struct ssid *self, const struct ssid_op *op)
{
    self->cold_data[op->id] = ssid_data_ecc_encode(op->data);
    self->cold_where[op->id] =
        ssid_where_ecc_encode((ssid_where_ecc_data)((ssid_where_ecc_data)op->wants |
                                                    ((ssid_where_ecc_data)op->queue << 4) |
                                                    ((ssid_where_ecc_data)op->ptag << 14)));
}

/* What the stream did in the clock before; the value is what to report of a CLOSE. An answer may come to the same id. */
static inline struct ssid_closed_list_in count_op(struct ssid *self, const struct ssid_op *op,
                                                  const struct ssid_in *in,
                                                  const struct looked_up *was)
{
    u1 opens = op->kind == SSID_OPEN, closes = op->kind == SSID_CLOSE;
    u1 meets = in->answer.valid && (ssid_id)in->answer.ssid == op->id;
    nic_status_field before = either(was->op_answered.status, was->op_sent.status);
    nic_status_field met = meets ? in->answer.status : (nic_status_field)0;
    u1 stated = closes || op->kind == SSID_REFUSED;
    nic_status_field fails = stated ? op->status : (nic_status_field)0;
    struct ssid_sent sent = was->op_sent;
    ssid_requests answered = (ssid_requests)(was->op_answered.count + meets);

    sent.count += op->kind == SSID_REQUEST;
    sent.closed = closes;
    if (opens) {
        sent.status = 0;
    } else if (before == 0 && met == 0) {
        sent.status = fails;
    }
    if (in->wipe.valid) {
        self->sent[(ssid_id)in->wipe.index] = (struct ssid_sent){};
        self->birth[(ssid_id)in->wipe.index] = (struct ssid_birth){};
    } else if (op->kind != SSID_NOTHING) {
        self->sent[op->id] = sent;
        if (opens) {
            self->birth[op->id] = (struct ssid_birth){!was->birth.turn, self->epoch};
            self->channel[op->id] = op->place;
        }
        if (closes) {
            keep(self, op);
        }
    }
    self->open += (ssid_free_list_words)((ssid_free_list_words)opens - closes);

    struct ssid_closed word = {
        .id = op->id,
        .local = (u1)op->wants,
        .over = sent.count == answered,
        .status = before != 0 ? before : (met != 0 ? met : fails),
    };

    return (struct ssid_closed_list_in){.push = closes && (word.local || word.over), .word = word};
}

/* ---- reporting ----------------------------------------------------------------------------------- */

/* What happens to the transaction that is being reported. */
struct reporting {
    u1 posts; /* an event goes to cq */
    u1 ends;  /* all is reported */
    u1 frees; /* and it is over */
    u1 failed;
};

static inline struct reporting report(struct ssid *self, const struct ssid_in *in)
{
    struct ssid_data_ecc_result data = ssid_data_ecc_decode(self->report_data);
    struct ssid_where_ecc_result where = ssid_where_ecc_decode(self->report_where);
    const struct ssid_closed *t = &self->report;
    u1 lost = data.fatal || where.fatal;
    u4 wants = (u4)where.data;
    u1 fails = t->status != 0;
    u1 end_wanted = t->over && ((wants & WANT_GLOBAL) != 0 || (fails && wants != 0));
    u1 local = t->local && !lost && !self->local_posted;
    u1 end = end_wanted && !lost && !self->end_posted;
    u1 posts = self->reports && (local || end) && in->room_event;
    u1 all = self->reports && (posts ? !(local && end) : !(local || end));
    /* Its status is wiped through the port of the answers, and its note is one of its own. */
    u1 ends = all && !(t->over && (in->answer.valid || self->orphan));
    u3 source = t->status == STATUS_SEQUENCE ? (u3)EVENT_SSID_DREQ : (u3)EVENT_SSID_SRSP;

    self->out.event = (struct nic_event){
        .valid = posts,
        .queue = (u10)(where.data >> 4),
        .ptag = (nic_ptag)(where.data >> 14),
        .word = local ? event_word(0, EVENT_SSID_SREQ, data.data)
                      : event_word(t->status, source, data.data),
    };
    self->end_posted = (self->end_posted || (posts && !local)) && !ends;
    self->local_posted = (self->local_posted || (posts && local)) && !ends;
    self->out.count |= COUNT(SSID_EVENT_LOST, ends && lost) |
                       COUNT(SSID_CORRECTED, ends && (data.corrected || where.corrected)) |
                       COUNT(SSID_ENDED, ends && t->over) |
                       COUNT(SSID_FAILED, ends && t->over && fails);
    return (struct reporting){posts, ends, ends && t->over, lost || (fails && wants == 0)};
}

/* The next of the lists, when nothing is being reported. */
static inline void report_next(struct ssid *self)
{
    const struct ssid_over *over = &self->over.out.front;
    struct ssid_closed of_over = {.id = over->id, .local = 0, .over = 1, .status = over->status};

    self->reports = self->closed.out.valid || self->over.out.valid;
    self->report = self->closed.out.valid ? self->closed.out.front : of_over;
    self->report_data = self->cold_data[self->report.id];
    self->report_where = self->cold_where[self->report.id];
}

/* An id that is spent, or was stale long enough, is free again, and its channel hears of it; the value is that id. */
static inline struct ssid_free_list_in release(struct ssid *self, const struct reporting *done,
                                               const struct ssid_in *in)
{
    const struct ssid_stale *stale = &self->stale.out.front;
    u1 timed_out = self->report.status == STATUS_TIMEOUT;
    u1 spent = done->frees && !timed_out;
    u1 rested = self->stale.out.valid && (u3)(self->epoch - stale->epoch) >= 3;
    u1 revives = rested && !done->frees && !self->orphan && !in->wipe.valid;
    ssid_id id = done->frees ? self->report.id : stale->id;
    u1 wipes = in->wipe.valid && in->wipe.index < NIC_SSIDS;
    u1 frees = spent || revives;
    u1 turn = self->gone[id];

    self->out.done = (struct channel_note){
        .valid = frees || self->orphan,
        .channel = frees ? (nic_channel)self->channel[id] : (nic_channel)self->orphan_place,
        .failed = spent ? done->failed : (revives ? stale->failed : (u1)1),
    };
    if (in->wipe.valid) {
        self->gone[(ssid_id)in->wipe.index] = 0;
    } else if (frees) {
        self->gone[id] = !turn;
    }
    return (struct ssid_free_list_in){
        .push = wipes || frees,
        .word = in->wipe.valid ? (ssid_id)in->wipe.index : id,
    };
}

/* Each epoch all ids are looked at once, for transactions that are old. */
static inline void look(struct ssid *self, const struct ssid_in *in)
{
    struct ssid_birth birth = self->birth[self->look];
    u1 lives = birth.turn != self->gone[self->look];

    self->out.count |=
        COUNT(SSID_OLD, self->looks && lives && (u3)(self->epoch - birth.epoch) == 7);
    self->look += self->looks;
    self->looks = in->config.epoch || (self->looks && self->look != 0);
    self->epoch += in->config.epoch;
}

/* ---- a clock ----------------------------------------------------------------------------------- */

HLS_MODULE void ssid(struct ssid *self, const struct ssid_in *in)
{
    struct ssid_op op = self->op;
    ssid_id wiped = (ssid_id)in->wipe.index;
    ssid_id answers = in->answer.valid ? (ssid_id)in->answer.ssid : self->report.id;
    ssid_id other = in->wipe.valid ? wiped : answers;
    struct looked_up was = {self->sent[op.id], self->sent[other], self->answered[op.id],
                            self->answered[other], self->birth[op.id]};
    struct ssid_over over = {.id = other};

    self->out.idle =
        self->free.out.count + self->open == NIC_SSIDS && !in->request.valid && !in->wipe.valid;
    self->out.count = 0;
    look(self, in);

    u1 next = !self->reports;
    struct reporting done = report(self, in);
    struct ssid_free_list_in free_in = release(self, &done, in);
    struct ssid_stale_list_in stale_in = {
        .push = done.frees && self->report.status == STATUS_TIMEOUT,
        .word = {self->report.id, done.failed, self->epoch},
        .pop = free_in.push && !done.frees && !in->wipe.valid,
    };
    u1 spent = done.frees || in->wipe.valid;
    u1 last = take_answer(self, in, other, spent, &was, &over.status);
    struct ssid_over_list_in over_in = {.push = last, .word = over};

    over_in.pop = next && !self->closed.out.valid && self->over.out.valid;
    if (next) {
        report_next(self);
    } else {
        self->reports = !done.ends;
    }

    struct ssid_closed_list_in closed_in = count_op(self, &op, in, &was);

    closed_in.pop = next && self->closed.out.valid;
    stream(self, in);
    count_back(self, in);
    free_in.pop = self->op.kind == SSID_OPEN;
    hls_cover(in->answer.valid && op.kind == SSID_CLOSE &&
              (ssid_id)in->answer.ssid == op.id); /* they meet */
    hls_cover(self->orphan);                      /* a CLOSE without an id */
    hls_cover(stale_in.pop);
    hls_cover((u1)(self->out.count >> SSID_OVERFLOW));
    hls_cover((u1)(self->out.count >> SSID_OLD));
    hls_cover(self->closed.out.valid && self->over.out.valid);
    ssid_free_list(&self->free, &free_in);
    ssid_closed_list(&self->closed, &closed_in);
    ssid_over_list(&self->over, &over_in);
    ssid_stale_list(&self->stale, &stale_in);
}
