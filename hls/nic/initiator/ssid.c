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
#include "nic/initiator/ssid_report.h"

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
    self->rmt = 0;
    self->use = 0;
    self->ends = 0;
    self->packets = 0;
    self->misses = 0;
    self->miss = 0;
    self->close_to = (struct ssid_to){};
    self->op = (struct ssid_op){};
    self->orphan = 0;
    self->orphan_place = 0;
    self->reports = 0;
    self->report = (struct ssid_closed){};
    self->report_data = 0;
    self->report_where = 0;
    self->local_posted = 0;
    self->end_posted = 0;
    self->note_sent = 0;
    self->report_to = (struct ssid_to){};
    self->epoch = 0;
    self->open = 0;
    self->looks = 0;
    self->look = 0;
    self->of_bte = 0;
}

/* What memories have before this clock: of the id of `op`, of that of the answer (or of one that is spent), of the channel of a head. */
struct looked_up {
    struct ssid_sent op_sent, sent;
    struct ssid_answered op_answered, answered;
    struct ssid_birth birth;
    nic_place place; /* of the head, or of the wipe */
    struct ssid_current current;
    struct ssid_answered heard; /* what answers said of that id */
};

/* ---- the stream -------------------------------------------------------------------------------- */

/* The operation of a CLOSE, at its last beat. */
static inline struct ssid_op close_op(const struct ssid *self, const struct beat *beat)
{
    u4 wants = BEAT_FIELD(beat->word, CLOSE_WANTS_AT, 4);
    u1 aborted = BEAT_FIELD(beat->word, CLOSE_ABORTED_AT, 1);
    nic_status_field status = aborted        ? (nic_status_field)STATUS_SEQUENCE
                              : self->misses ? self->miss
                                             : BEAT_FIELD(beat->word, CLOSE_STATUS_AT, 4);
    u1 bad = beat->bad | self->close_bad;

    return (struct ssid_op){
        .kind = self->close.valid ? SSID_CLOSE : SSID_NOTHING,
        .id = self->close.id,
        .place = self->place,
        .ends = self->ends,
        .status = bad ? (nic_status_field)STATUS_UNCORRECTABLE : status,
        .wants = bad ? (u4)0 : wants,
        .queue = BEAT_FIELD(beat->word, CLOSE_QUEUE_AT, 10),
        .ptag = self->ptag,
        .data = BEAT_FIELD(beat->word, CLOSE_SOURCE_AT, 56),
    };
}

/* One request more would be over its descriptor's limit. */
static inline u1 is_over(const struct ssid *self, ssid_fma place)
{
    u11 limit = self->limits[place];
    ssid_requests outstanding = (ssid_requests)(self->passed[place] - self->returned[place]);

    return limit != 0 && outstanding >= limit;
}

/* Tags that are free again, and the limits that the driver writes. */
static inline void count_back(struct ssid *self, const struct ssid_in *in)
{
    ssid_fma wiped = (ssid_fma)in->wipe.index;
    ssid_fma place = in->wipe.valid ? wiped : in->back.place;
    u1 of_fma = in->back.valid & !in->back.bte;
    ssid_requests returned = self->returned[place];
    u16 table = (u16)(in->write.addr >> (NIC_FMA_LOG2 + 2));
    u1 ours = in->write.valid && table == NR_FMA >> (NIC_FMA_LOG2 + 2) && (u2)in->write.addr == 1;

    if (in->wipe.valid | of_fma) {
        self->returned[place] = in->wipe.valid ? (ssid_requests)0 : (ssid_requests)(returned + 1);
    }
    if (in->wipe.valid | ours) {
        self->limits[in->wipe.valid ? wiped : (ssid_fma)(in->write.addr >> 2)] =
            (u11)in->write.data; /* 0 in the wipe */
    }
    self->of_bte = (uint(NIC_TAG_LOG2 + 1))(self->of_bte - (in->back.valid & in->back.bte));
    self->out.room_bte = self->of_bte < NIC_TAGS - BTE_SPARE - BTE_AHEAD;
}

/* What a head says of the sequence of its id, as it was, and what becomes of it. */
struct counting {
    struct ssid_seq seq;
    u1 counts;    /* the request is one that END counts */
    u1 elsewhere; /* it should be, but goes to another node than those before */
    u1 ends;      /* CLOSE goes on as END, unless something speaks against it already ... */
    u1 misses;    /* ... or wants it and cannot */
};

static inline struct counting count_packets(const struct ssid_seq *was, beat_word word, u1 opens,
                                            u1 passes, u1 refused, u1 closes)
{
    u4 cmd = req_cmd(word);
    u1 same = !was->any || was->node == req_node(word);
    u1 wanted = passes && was->counted && cmd != CMD_GET;
    u1 counts = wanted && same;
    u1 wants = closes && (u2)req_x(word) != 0;
    u1 may = was->counted && same && !BEAT_FIELD(word, VPE_REFUSED_AT, 1);

    return (struct counting){
        .seq = {.use = (u2)(was->use + opens),
                .counted = opens ? (u1)req_x(word) : was->counted,
                .failed = !opens && (was->failed || refused || (wanted && !same)),
                .any = !opens && (was->any || counts),
                .node = counts ? req_node(word) : was->node,
                .packets = opens ? (u32)0 : (u32)(was->packets + counts)},
        .counts = counts,
        .elsewhere = wanted && !same,
        .ends = wants && may,
        .misses = wants && !may,
    };
}

/*
 * A head: its channel's id goes into it, of which the answers have said `heard`; `op` is what to do with the id in the next clock. Of one with a double-bit error the channel
 * is known, and whether it is a CLOSE: a request is refused, as an OPEN too, whose channel has no id.
 */
static inline void take_head(struct ssid *self, const struct ssid_in *in,
                             const struct looked_up *looked)
{
    beat_word word = in->request.word;
    u4 cmd = req_cmd(word);
    u9 channel = req_channel(word);
    nic_place place = looked->place;
    u1 bte = is_bte(place) && !in->wipe.valid;
    struct ssid_current current = looked->current;
    u1 head = in->request.valid && in->request.head;
    u1 bad = in->request.bad;
    u1 closes = head && (u1)channel;
    u1 opens = head && !closes && !bad && cmd == CMD_OPEN;
    u1 notes = head && !closes && !bad && cmd == CMD_NOTE; /* of what is being reported */
    u1 request = head && !closes && !opens && !notes;
    u1 unreachable = bad | BEAT_FIELD(word, VPE_REFUSED_AT, 1);
    u1 over = is_over(self, (ssid_fma)place) && !bte;
    u1 refused = unreachable | over;
    u1 wrong =
        bad | BEAT_FIELD(word, VPE_NTT_AT, 1); /* two bits, here or in its entry of the NTT */
    u1 gets = opens && self->free.out.valid;
    u1 passes = request && current.valid && !refused;
    ssid_id id = notes ? self->report.id : opens ? self->free.out.front : current.id;
    ssid_id at = in->wipe.valid ? (ssid_id)in->wipe.index : id;
    struct ssid_seq was = self->seqs[at];
    u1 counted = request && current.valid;
    struct counting c = count_packets(&was, word, gets, passes, counted && refused,
                                      closes && current.valid && !bad);
    /* The count would not settle it, or has to be forgotten: NOTE alone is sent. */
    u1 ends = c.ends && !was.failed && !looked->heard.note && looked->heard.status == 0;
    u1 goes = passes || ends || notes;

    if (head) {
        self->passes = goes;
        self->ends = ends;
        self->packets = was.packets;
        self->misses = c.misses;
        self->miss =
            unreachable ? (nic_status_field)STATUS_UNREACHABLE : (nic_status_field)STATUS_SEQUENCE;
        self->close_to.node = was.any ? was.node : req_node(word);
        self->close_to.mdh = req_mdh(word);
        self->close_to.mode = req_mode(word);
        self->close_to.offset = req_offset(word);
        self->close_to.place = place;
        self->close_to.message = (u1)(req_x(word) >> 2);
        self->rmt = c.counts || ends || notes;
        self->use = was.use;
        self->closing = closes;
        self->close_bad = bad;
        self->close = current;
        self->place = place;
        self->ptag = req_ptag(word);
        self->op.id = id;
        self->op.counted = c.counts;
        self->op.place = place;
        self->op.status = wrong         ? (nic_status_field)STATUS_UNCORRECTABLE
                          : unreachable ? (nic_status_field)STATUS_UNREACHABLE
                                        : (nic_status_field)STATUS_OVERFLOW;
    }
    if (gets) {
        self->op.kind = SSID_OPEN;
    } else if (counted) {
        self->op.kind = refused ? SSID_REFUSED : SSID_REQUEST;
        self->op.status = refused       ? self->op.status
                          : c.elsewhere ? (nic_status_field)STATUS_SEQUENCE
                                        : (nic_status_field)0;
    } else if (notes) {
        self->op.kind = SSID_NOTE;
    }
    if (in->wipe.valid) {
        self->seqs[at] = (struct ssid_seq){.use = (u2)(was.use + 1)};
    } else if (gets || counted) {
        self->seqs[at] = c.seq;
    }
    if (opens || closes || in->wipe.valid) {
        self->current[place] = (struct ssid_current){gets && !in->wipe.valid, self->free.out.front};
    }
    if ((goes && !bte) || in->wipe.valid) {
        ssid_fma fma = (ssid_fma)place;

        self->passed[fma] =
            in->wipe.valid ? (ssid_requests)0 : (ssid_requests)(self->passed[fma] + 1);
    }
    self->of_bte = (uint(NIC_TAG_LOG2 + 1))(self->of_bte + (goes && bte));
    self->out.count |=
        COUNT(SSID_OPENED, gets) | COUNT(SSID_UNREACHABLE, request && unreachable && !wrong) |
        COUNT(SSID_OVERFLOW, counted && over && !unreachable) | COUNT(SSID_HEAD_LOST, head && bad) |
        COUNT(SSID_NO_ID, (opens && !gets) || ((request || closes) && !current.valid));
}

/* A head as it goes on: {ssid, rmt} where the channel was; with rmt the use of the id; CLOSE as END, and what ends a message as SEND_END. */
static inline beat_word head_word(const struct ssid *self, beat_word word)
{
    u1 message = (self->ends || req_cmd(word) == CMD_NOTE) && (u1)(req_x(word) >> 2);

    word =
        BEAT_WITH(word, REQ_RMT_AT, 10, (u10)((u10)((u10)(nic_ssid)self->op.id << 1) | self->rmt));
    if (self->rmt) {
        word = BEAT_WITH(word, REQ_X_AT + 2, 2, self->use);
    }
    return message      ? BEAT_WITH(word, REQ_CMD_AT, 4, CMD_SEND_END)
           : self->ends ? BEAT_WITH(word, REQ_CMD_AT, 4, CMD_END)
                        : word;
}

/* The data of END: 20 bytes of CLOSE's, with the count. */
static inline beat_word end_word(const struct ssid *self, const struct beat *beat)
{
    return beat->tail ? (beat_word)(u32)beat->word
                      : BEAT_WITH(beat->word, CLOSE_COUNT_AT, 32, self->packets);
}

/* A clock of the stream: what goes on to orb, and the operation that it leaves. */
static inline void stream(struct ssid *self, const struct ssid_in *in,
                          const struct looked_up *looked)
{
    const struct beat *beat = &in->request;
    u1 closed = beat->valid && !beat->head && beat->tail && self->closing;

    self->op.kind = SSID_NOTHING;
    take_head(self, in, looked);

    u1 ends = self->ends;

    if (closed) {
        self->op = close_op(self, beat);
        self->closing = 0;
        self->ends = 0;
    }
    self->orphan = closed && !self->close.valid;
    self->orphan_place = self->place;
    self->out.forward = *beat;
    self->out.forward.valid = beat->valid && self->passes;
    if (beat->head) {
        self->out.forward.word = head_word(self, beat->word);
    } else if (ends) {
        self->out.forward.word = end_word(self, beat);
    }
    if (beat->valid && !beat->head && !beat->tail) {
        self->close_to.event = (u56)(beat->word >> CLOSE_EVENT_AT);
        self->close_to.flag = (u64)(u32)(beat->word >> CLOSE_FLAG_LO_AT);
    }
    if (closed) {
        self->close_to.flag = (u64)(((u64)BEAT_FIELD(beat->word, CLOSE_FLAG_HI_AT, 32) << 32) |
                                    (u32)self->close_to.flag);
    }
    self->out.count |=
        COUNT(SSID_EVENT_LOST, closed && (beat->bad | self->close_bad) && self->close.valid);
}

/* ---- counts ------------------------------------------------------------------------------------ */

/* The first one: only one of the two sides ever has it. A timeout goes before, as the id has to rest. */
static inline nic_status_field either(const struct ssid_answered *answered,
                                      const struct ssid_sent *sent)
{
    return answered->late ? (nic_status_field)STATUS_TIMEOUT
                          : (nic_status_field)(answered->status | sent->status);
}

/*
 * All but END is answered, which may be parked for long, and the target's count will not settle it: something was not counted, or something
 * was and nothing is wanted any more.
 */
static inline u1 note_is_due(const struct ssid_sent *sent, ssid_requests answered, u1 noted, u1 end,
                             u1 fails)
{
    u1 parked = sent->ends && !end;
    u1 hears = noted || (sent->counted && (fails || !sent->wants));

    return hears && (ssid_requests)(sent->count - answered) == parked;
}

/*
 * An answer to one of id's requests, or a clock without: then the status of id, which is spent, is wiped. The value says that
 * id's transaction is over, with *status; *note: NOTE is next.
 */
static inline u1 take_answer(struct ssid *self, const struct ssid_in *in, ssid_id id, u1 spent,
                             const struct looked_up *was, nic_status_field *status, u1 *note)
{
    u1 valid = in->answer.valid;
    nic_status_field before = either(&was->answered, &was->sent);
    u1 times_out = valid && in->answer.status == STATUS_TIMEOUT;
    ssid_requests count = (ssid_requests)(was->answered.count + valid);

    /* orb answers each request once. */
    hls_assume(!valid || was->sent.count != was->answered.count);
    *status = before != 0 && !times_out ? before : in->answer.status;
    u1 noted = was->answered.note | in->answer.note;
    u1 end = was->answered.end | in->answer.end;
    u1 listed = was->answered.noting | was->sent.noting;
    u1 due = valid && was->sent.closed &&
             note_is_due(&was->sent, count, noted, end, *status != 0) && !listed;

    if (valid || spent) {
        self->answered[id] = (struct ssid_answered){
            .count = in->wipe.valid ? (ssid_requests)0 : count,
            .note = valid && noted,
            .end = valid && end,
            .noting = valid && (was->answered.noting | due),
            .late = valid && (was->answered.late | times_out),
            .status = valid && was->sent.status == 0 ? *status : (nic_status_field)0,
        };
    }
    *note = due;
    return valid && was->sent.closed && was->sent.count == count && !due &&
           (!listed || was->sent.noted);
}

/* What CLOSE said of its events. */
static inline void keep(struct ssid *self, const struct ssid_op *op)
{
    self->cold_data[op->id] = ssid_data_ecc_encode(op->data);
    self->cold_where[op->id] =
        ssid_where_ecc_encode((ssid_where_ecc_data)((ssid_where_ecc_data)op->wants |
                                                    ((ssid_where_ecc_data)op->queue << 4) |
                                                    ((ssid_where_ecc_data)op->ptag << 14)));
    self->cold_to[op->id] = self->close_to;
}

/* What the stream did in the clock before; the value is what to report of a CLOSE. An answer may come to the same id. */
static inline struct ssid_closed_list_in count_op(struct ssid *self, const struct ssid_op *op,
                                                  const struct ssid_in *in,
                                                  const struct looked_up *was)
{
    u1 opens = op->kind == SSID_OPEN, closes = op->kind == SSID_CLOSE;
    u1 meets = in->answer.valid && (ssid_id)in->answer.ssid == op->id;
    nic_status_field before = either(&was->op_answered, &was->op_sent);
    nic_status_field met = meets ? in->answer.status : (nic_status_field)0;
    u1 stated = closes || op->kind == SSID_REFUSED || op->kind == SSID_REQUEST;
    nic_status_field fails = stated ? op->status : (nic_status_field)0;
    struct ssid_sent sent = was->op_sent;
    ssid_requests answered = (ssid_requests)(was->op_answered.count + meets);

    u1 notes = op->kind == SSID_NOTE;

    sent.count += op->kind == SSID_REQUEST || (closes && op->ends) || notes;
    sent.closed = closes || notes;
    sent.counted = !opens && (sent.counted || (op->kind == SSID_REQUEST && op->counted));
    sent.wants = closes ? (op->wants & (WANT_TARGET | WANT_FLAG)) != 0 : sent.wants && !opens;
    sent.ends = closes ? op->ends : sent.ends && !opens;
    sent.noted = notes;
    if (opens) {
        sent.status = 0;
    } else if (before == 0 && met == 0) {
        sent.status = fails;
    }
    u1 noted = was->op_answered.note | (meets & in->answer.note);
    u1 failed = before != 0 || met != 0 || fails != 0;
    u1 due = closes && note_is_due(&sent, answered, noted, 0, failed);

    sent.noting = closes ? due : sent.noting && !opens;
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
        .over = sent.count == answered && !due,
        .note = due,
        .status = before != 0 && met != STATUS_TIMEOUT ? before : (met != 0 ? met : fails),
    };

    return (struct ssid_closed_list_in){.push = closes && (word.local || word.over || due),
                                        .word = word};
}

/* ---- a clock ----------------------------------------------------------------------------------- */

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

HLS_MODULE void ssid(struct ssid *self, const struct ssid_in *in)
{
    struct ssid_op op = self->op;
    ssid_id wiped = (ssid_id)in->wipe.index;
    ssid_id answers = in->answer.valid ? (ssid_id)in->answer.ssid : self->report.id;
    ssid_id other = in->wipe.valid ? wiped : answers;
    nic_place place = in->wipe.valid ? (nic_place)in->wipe.index
                                     : place_of_channel((u8)(req_channel(in->request.word) >> 1));
    struct ssid_current current = self->current[place];
    struct looked_up was = {.op_sent = self->sent[op.id],
                            .sent = self->sent[other],
                            .op_answered = self->answered[op.id],
                            .answered = self->answered[other],
                            .birth = self->birth[op.id],
                            .place = place,
                            .current = current,
                            .heard = self->answered[current.id]};
    struct ssid_over over = {.id = other};
    u1 note = 0;

    self->out.idle =
        self->free.out.count + self->open == NIC_SSIDS && !in->request.valid && !in->wipe.valid;
    self->out.count = 0;
    look(self, in);

    u1 next = !self->reports;
    struct reporting done = report(self, in);

    tell_fault(self, in, &op);
    struct ssid_free_list_in free_in = release(self, &done, in);
    struct ssid_stale_list_in stale_in = {
        .push = done.frees && self->report.status == STATUS_TIMEOUT,
        .word = {self->report.id, done.failed, self->epoch},
        .pop = free_in.push && !done.frees && !in->wipe.valid,
    };
    u1 spent = done.frees || in->wipe.valid;
    u1 last = take_answer(self, in, other, spent, &was, &over.status, &note);
    struct ssid_over_list_in over_in = {.push = last | note, .word = over};

    over_in.word.note = note;

    over_in.pop = next && !self->closed.out.valid && self->over.out.valid;
    if (next) {
        report_next(self);
    } else {
        self->reports = !done.ends;
    }

    struct ssid_closed_list_in closed_in = count_op(self, &op, in, &was);

    closed_in.pop = next && self->closed.out.valid;
    stream(self, in, &was);
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
