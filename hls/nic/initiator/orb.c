// SPDX-License-Identifier: Apache-2.0
/*
 * orb.c - output request buffer.
 *
 * Requests: a head takes a tag and goes on in the same clock; that of a GET or FAMO waits in the output register for its
 * local beat, with which the entry is written.
 *
 * Answers: one tag a clock, in three steps. First its entry is read and, of a response, the head taken from the queue; then
 * it is decoded; then it is judged. Its list hears of an end a clock later. Who reads, first to last: a write that is done
 * (never waits); the scrubber if it has waited for 255 clocks; a refusal; a flag; a head; the scrubber. Data beats of a
 * response follow their head without an entry.
 *
 * A response with data becomes a PUT to the local segment and ends with that write. A flagged tag that ended is ended once
 * more, by the write of its flag.
 */
#include "nic/initiator/orb.h"

HLS_RESET void orb_reset(struct orb *self)
{
    self->out = (struct orb_out){};
    valve_reset(&self->valve);
    beat_queue_reset(&self->responses);
    orb_free_list_reset(&self->free);
    orb_quarantine_reset(&self->quarantine);
    orb_refusals_reset(&self->refusals);
    orb_flags_reset(&self->flags);
    orb_entries_reset(&self->entries);
    self->awaits_local = 0;
    self->tag = 0;
    self->op = (struct orb_op){};
    self->beat = (struct beat){};
    self->unsent = 0;
    self->judged = (struct orb_case){};
    self->ended = (struct orb_tags){};
    self->inside = 0;
    self->left = 0;
    self->flag = 0;
    self->flag_status = 0;
    self->writes = 0;
    self->epoch = 0;
    self->scrub = 0;
    self->waited = 0;
}

/* Epochs that have ended since a request when it times out: it is older than one and not older than two. */
#define TIMEOUT_EPOCHS 2
/* ... since a timeout when its tag may be given again. */
#define REST_EPOCHS 3

#define COUNT(bit, condition) ((uint(ORB_COUNTS))((uint(ORB_COUNTS))(u1)(condition) << (bit)))

/* ---- requests ---------------------------------------------------------------------------------- */

/* What the local beat says; of a request without one: an acknowledgement of one flit. */
static inline orb_what_ecc_data what_of(const struct beat *local, u1 has)
{
    u6 bytes = BEAT_FIELD(local->word, LOCAL_BYTES_AT, 6);
    orb_what_ecc_data ptag = BEAT_FIELD(local->word, LOCAL_PTAG_AT, 8);
    orb_what_ecc_data flagged = BEAT_FIELD(local->word, LOCAL_FLAGGED_AT, 1) & !local->bad;
    orb_what_ecc_data what =
        (orb_what_ecc_data)(ptag | ((orb_what_ecc_data)bytes << 8) |
                            ((orb_what_ecc_data)rsp_flits(0, (u7)((u7)bytes + 1)) << 14) |
                            (flagged << (14 + RSP_LENGTH_BITS)) |
                            ((orb_what_ecc_data)local->bad << (15 + RSP_LENGTH_BITS)));

    return has ? what : (orb_what_ecc_data)((orb_what_ecc_data)1 << 14);
}

/* A beat of the stream; the value is 1 if it took a tag. gen: which use of it this is. */
static inline u1 send(struct orb *self, const struct orb_in *in, nic_gen gen,
                      struct orb_entries_in *entries)
{
    const struct beat *beat = &in->request;
    u4 cmd = req_cmd(beat->word);
    u1 head = beat->valid && beat->head;
    u1 has_local = cmd == CMD_GET || cmd == CMD_FAMO;
    u1 local = beat->valid && !beat->head && self->awaits_local;
    orb_tag tag = head ? self->free.out.front : self->tag;

    /* tarb begins no request without a tag. */
    hls_assume(!head || self->free.out.valid);

    self->out.forward.valid = beat->valid && !(head && has_local);
    self->out.forward.bad = beat->bad && !local;
    self->out.forward.head = head || local;
    if (beat->valid && !local) {
        beat_word word = beat->word;

        if (head) {
            word = BEAT_WITH(word, REQ_TAG_AT, 10, (nic_tag)tag);
            word = BEAT_WITH(word, REQ_GEN_AT, 2, gen);
            word = BEAT_WITH(word, REQ_SRC_AT, 18, in->config.node);
            word = BEAT_WITH(word, REQ_PHASE_AT, 2, 0);
        }
        self->out.forward.word = word;
    }
    self->out.forward.tail = beat->tail;
    if (head) {
        self->given[tag] = (struct orb_given){
            .gen = gen,
            .epoch = (u2)self->epoch,
            .ssid = (uint(NIC_SSID_LOG2))req_ssid(beat->word),
            .bte = BEAT_FIELD(beat->word, CHANNEL_BTE_AT, 1),
            .place = (uint(NIC_FMA_LOG2))BEAT_FIELD(beat->word, CHANNEL_LOW_AT, 7),
            .end = cmd == CMD_END || (cmd == CMD_SEND_END && (u1)(req_x(beat->word) >> 1)),
        };
    }
    entries->writes = local || (head && !has_local);
    entries->write = tag;
    entries->where = (orb_where_ecc_data)beat->word;
    entries->what = what_of(beat, local);
    self->tag = tag;
    self->awaits_local = head ? has_local : (u1)(self->awaits_local && !local);
    self->out.count |= COUNT(ORB_REQUESTS, head) | COUNT(ORB_LOST, local && beat->bad);
    return head;
}

/* ---- answers: which tag is looked at ----------------------------------------------------------- */

/* What is taken from the queue and the lists in this clock. */
struct orb_taken {
    u1 refusal, flag, response;
};

/* The tag of a request of which a beat comes, or whose local beat, and so its entry, is still to come: nothing answers it yet. */
struct orb_coming {
    u1 valid;
    orb_tag tag;
};

static inline struct orb_coming coming(const struct orb *self, const struct orb_in *in)
{
    u1 head = in->request.valid & in->request.head;

    return (struct orb_coming){
        .valid = in->request.valid | self->awaits_local,
        .tag = head ? self->free.out.front : self->tag,
    };
}

static inline u1 is_coming(const struct orb_coming *coming, orb_tag tag)
{
    return coming->valid && tag == coming->tag;
}

/* Chooses the tag for the next clock, and what of the responses is taken. */
static inline struct orb_taken choose(struct orb *self, const struct orb_in *in, u1 done,
                                      const struct orb_coming *sent, struct orb_entries_in *entries)
{
    const struct beat *front = &self->responses.out.front;
    const struct orb_end *refusal = &self->refusals.out.front, *flag = &self->flags.out.front;
    u1 overdue = self->waited == 255;
    u1 free = !done && !overdue && !in->wipe.valid;
    u1 refuses = free && self->refusals.out.valid;
    /* A packet may begin: rat_local has room, and the beats of those before are gone three clocks later. */
    u1 may_begin = free && !refuses && in->room_local && !self->inside &&
                   self->op.kind != ORB_FLAG && self->writes < (1 << NIC_DATA_LOG2) - 3;
    u1 flags = may_begin && self->flags.out.valid;
    u1 heads = may_begin && !flags && front->valid;
    u1 scrubs = !done && !in->wipe.valid && !refuses && !flags && !heads;
    u1 response = heads || (front->valid && self->inside);

    self->op.kind = ORB_NOTHING;
    if (done || refuses) {
        self->op.kind = ORB_END;
    } else if (flags) {
        self->op.kind = ORB_FLAG;
    } else if (heads) {
        self->op.kind = ORB_HEAD;
    } else if (scrubs) {
        self->op.kind = ORB_SCRUB;
    }
    self->op.tag = done      ? (orb_tag)in->done.place
                   : refuses ? refusal->tag
                   : flags   ? flag->tag
                   : heads   ? (orb_tag)rsp_tag(front->word)
                             : self->scrub;
    self->op.status =
        done ? status_of_memory(in->done.status) : (refuses ? refusal->status : flag->status);
    self->unsent = is_coming(sent, self->op.tag);
    entries->reads = !self->unsent;
    entries->read = self->op.tag;
    self->beat = *front;
    self->beat.valid = response;
    if (response) {
        self->inside = !front->tail;
    }
    self->scrub += scrubs;
    self->waited = scrubs ? (u8)0 : (u8)(self->waited + !overdue);
    return (struct orb_taken){refuses, flags, response};
}

/* ---- answers: what becomes of it --------------------------------------------------------------- */

/* What is known of the tag beside its entry. */
struct orb_use {
    struct orb_given given;
    u1 outstanding;
    struct orb_flagged flagged;
};

/* How a tag's request ended, if it did. */
struct orb_verdict {
    u1 ends;
    nic_status_field status;
    u1 returns; /* the tag is no longer outstanding */
    u1 noted;   /* a response says that the target did not count it */
};

static inline struct orb_use use_of(const struct orb *self, struct orb_given given,
                                    nic_gen returned)
{
    return (struct orb_use){
        .given = given,
        .outstanding = given.gen != returned && !self->judged.unsent,
        .flagged = self->flagged[self->judged.op.tag],
    };
}

/* The head beat of a write to local memory. */
static inline beat_word local_head(const struct orb_entry *entry, const struct orb_in *in,
                                   orb_tag tag, nic_offset offset, u6 bytes)
{
    beat_word word = CMD_PUT;

    word = BEAT_WITH(word, REQ_PTAG_AT, 8, entry->ptag);
    word = BEAT_WITH(word, REQ_SRC_AT, 18, in->config.node);
    word = req_with_tags(word, (nic_tag)tag);
    word = BEAT_WITH(word, REQ_MDH_AT, 12, entry->mdh);
    word = BEAT_WITH(word, REQ_Z_AT, 6, bytes);
    return req_with_offset(word, offset);
}

/* A response: does it fit, and what does it say? */
static inline struct orb_verdict judge(struct orb *self, const struct orb_in *in,
                                       const struct orb_use *use)
{
    const struct orb_entry *entry = &self->entries.out.entry;
    beat_word word = self->judged.beat.word;
    u1 bad = self->judged.beat.bad;
    u1 head = self->judged.op.kind == ORB_HEAD;
    nic_tag tag = rsp_tag(word);
    rsp_length length = BEAT_FIELD(word, REQ_LENGTH_AT, RSP_LENGTH_BITS);
    u1 err = rsp_err(word);
    u1 ours = req_node(word) == in->config.node;
    u1 known =
        tag == (nic_tag)self->judged.op.tag && use->outstanding && rsp_gen(word) == use->given.gen;
    u1 fits = head && !bad && ours && known;
    u1 misfit = length != (err ? (rsp_length)2 : entry->length);
    u1 data = fits && !err && !misfit && !entry->lost && length != 1;
    nic_status_field status = err ? rsp_status(word) : (nic_status_field)STATUS_OK;

    if (head) {
        self->left = data ? (u3)((u3)(entry->bytes >> 4) + 1) : (u3)0;
    }
    self->out.local.valid = data;
    self->out.brought = data ? (nic_amount)((nic_amount)entry->bytes + 1) : (nic_amount)0;
    self->out.time = (struct nic_time){
        .valid = fits,
        .units =
            self->entries.out.age > NIC_TIME_MOST ? (u9)NIC_TIME_MOST : (u9)self->entries.out.age,
    };
    self->out.count |=
        COUNT(ORB_HEAD_LOST, head && bad) | COUNT(ORB_MISROUTED, head && !bad && !ours) |
        COUNT(ORB_UNKNOWN, head && !bad && ours && !known) | COUNT(ORB_RESPONSES, fits) |
        COUNT(ORB_MISFIT, fits && misfit && !entry->lost);
    self->out.info = head && !(fits && !misfit) ? (nic_info)word : (nic_info)0;
    if (entry->lost && !err) {
        status = STATUS_UNCORRECTABLE;
    } else if (misfit || (err && status == STATUS_OK)) {
        status = STATUS_DATA;
    }
    return (struct orb_verdict){
        .ends = fits && !data, .status = status, .returns = fits, .noted = fits && rsp_note(word)};
}

/* A beat to rat_local: a head that `judge` let pass, its data, or a flag. */
static inline void write_local(struct orb *self, const struct orb_in *in, u1 flag)
{
    const struct orb_entry *entry = &self->entries.out.entry;
    const struct beat *beat = &self->judged.beat;
    u1 data = beat->valid && self->judged.op.kind != ORB_HEAD && self->left != 0;
    u1 head = self->out.local.valid | flag;
    nic_offset behind = (nic_offset)(entry->offset + entry->bytes + 1);

    self->out.local.valid = head | data | self->flag;
    self->out.local.head = head;
    self->out.local.tail = self->flag | (data && (self->left == 1 || beat->tail));
    self->out.local.bad = data && beat->bad;
    if (head) {
        self->out.local.word =
            local_head(entry, in, self->judged.op.tag, flag ? behind : entry->offset,
                       flag ? (u6)3 : entry->bytes);
    } else if (self->flag) {
        self->out.local.word = (beat_word)(((beat_word)self->flag_status << 4) | 1);
    } else {
        self->out.local.word = beat->word;
    }
    self->left -= data;
    self->flag = flag;
    self->flag_status = self->judged.op.status;
}

/* What the tag comes to. */
static inline struct orb_verdict verdict(struct orb *self, const struct orb_in *in,
                                         const struct orb_use *use)
{
    const struct orb_entry *entry = &self->entries.out.entry;
    struct orb_verdict v = judge(self, in, use);
    enum orb_kind kind = self->judged.op.kind;
    u1 old = kind == ORB_SCRUB && use->outstanding &&
             (u2)((u2)self->epoch - use->given.epoch) >= TIMEOUT_EPOCHS;
    u1 lost = entry->fatal && (kind == ORB_FLAG || !use->flagged.sent);

    if (kind == ORB_END || kind == ORB_FLAG) {
        v.ends = kind == ORB_END || lost;
        v.status = lost ? (nic_status_field)STATUS_UNCORRECTABLE : self->judged.op.status;
    } else if (kind == ORB_SCRUB) {
        v = (struct orb_verdict){.ends = old, .status = STATUS_TIMEOUT, .returns = old};
    }
    u1 used = v.ends || self->out.local.valid || kind == ORB_FLAG;

    self->out.count |= COUNT(ORB_TIMEOUT, old) | COUNT(ORB_LOST, used && entry->fatal) |
                       COUNT(ORB_CORRECTED, used && entry->corrected);
    return v;
}

/* An end: the flag first, if one is wanted; then ssid hears of it and the tag goes where it belongs. */
static inline struct orb_tags end(struct orb *self, const struct orb_in *in, orb_tag looked,
                                  const struct orb_use *use, const struct orb_verdict *v)
{
    u1 flags = v->ends && self->entries.out.entry.flags && !use->flagged.sent;
    u1 over = v->ends && !flags;
    nic_status_field flagged =
        use->flagged.sent ? use->flagged.status : (nic_status_field)STATUS_OK;
    nic_status_field status = flagged != STATUS_OK ? flagged : v->status;

    u1 noted = v->noted | use->flagged.noted;

    if (v->ends || v->noted || in->wipe.valid) {
        self->flagged[looked] = (struct orb_flagged){
            .sent = flags,
            .status = flags ? v->status : (nic_status_field)STATUS_OK,
            .noted = noted && !over && !in->wipe.valid,
        };
    }
    self->out.answer = (struct ssid_answer){
        .valid = over,
        .ssid = (nic_ssid)use->given.ssid,
        .status = status,
        .note = noted,
        .end = use->given.end,
    };
    return (struct orb_tags){
        .tag = self->judged.op.tag,
        .bte = use->given.bte,
        .place = use->given.place,
        .flags = flags,
        .frees = over && status != STATUS_TIMEOUT,
        .rests = over && status == STATUS_TIMEOUT,
        .status = v->status,
    };
}

/* ---- a clock ----------------------------------------------------------------------------------- */

/* Tags that come back: from the wipe, an end, or the quarantine, of which the value says so. */
static inline u1 give_back(struct orb *self, const struct orb_in *in, struct orb_free_list_in *free)
{
    const struct orb_tags *ended = &self->ended;
    const struct orb_aged *aged = &self->quarantine.out.front;
    u1 wipes = in->wipe.valid && in->wipe.index < NIC_TAGS;
    u1 rested = self->quarantine.out.valid && (u3)(self->epoch - aged->epoch) >= REST_EPOCHS &&
                !ended->frees && !in->wipe.valid;

    free->push = wipes | ended->frees | rested;
    free->word = wipes ? (orb_tag)in->wipe.index : (ended->frees ? ended->tag : aged->tag);
    self->out.back = (struct tag_back){ended->frees | rested, ended->frees ? ended->bte : aged->bte,
                                       ended->frees ? ended->place : aged->place};
    return rested;
}

static inline u1 may_write(enum orb_kind kind)
{
    return kind == ORB_HEAD || kind == ORB_FLAG;
}

/* A write begins only when a place among those under way is free, also if all begin that are looked at. */
static inline void assert_writes(const struct orb *self)
{
    u2 begin = (u2)((u2)may_write(self->op.kind) + may_write(self->judged.op.kind));

    hls_assert(self->writes < (1 << NIC_DATA_LOG2) - begin);
    hls_assert(self->left <= (1 << 6) / 16); /* data beats of 64 bytes */
}

HLS_MODULE void orb(struct orb *self, const struct orb_in *in)
{
    orb_tag judged = self->judged.op.tag;
    orb_tag looked = in->wipe.valid ? (orb_tag)in->wipe.index : judged;
    struct orb_coming sent = coming(self, in);
    struct orb_given given = self->given[looked];
    nic_gen returned = self->returned[judged];
    nic_gen gen = (nic_gen)(self->returned[self->free.out.front] + 1);
    u1 refused = in->refused.valid && in->refused.ready;
    u1 done = in->done.valid && in->done.client == MEM_LOCAL && self->writes != 0;
    struct orb_free_list_in free = {};

    /* One answer for each write of ours: axi_master's, or rat_local's refusal. */
    hls_assume(!in->done.valid || in->done.client != MEM_LOCAL || self->writes != 0);
    hls_assume(!refused || self->writes > (uint(NIC_DATA_LOG2 + 1)) done);

    assert_writes(self);
    self->out.count = COUNT(ORB_CORRECTED, self->responses.out.corrected);
    self->out.room = in->room_request && !in->wipe.valid;
    self->out.tags = self->free.out.count < 7 ? (u3)self->free.out.count : (u3)7;
    self->out.idle = self->free.out.count == NIC_TAGS && !in->request.valid && !in->wipe.valid;

    struct orb_use use = use_of(self, given, returned);
    struct orb_verdict v = verdict(self, in, &use);

    write_local(self, in, self->judged.op.kind == ORB_FLAG && !v.ends);

    struct orb_quarantine_in rests = {
        .push = self->ended.rests,
        .word = {self->ended.tag, self->ended.bte, self->ended.place, self->epoch}};
    struct orb_flags_in flags = {.push = self->ended.flags,
                                 .word = {self->ended.tag, self->ended.status}};

    rests.pop = give_back(self, in, &free);
    self->ended = end(self, in, looked, &use, &v);
    hls_cover(self->judged.unsent &&
              self->judged.op.kind == ORB_HEAD); /* answered before it is sent */
    self->judged = (struct orb_case){
        .op = self->op,
        .beat = self->beat,
        .unsent = self->unsent | is_coming(&sent, self->op.tag),
    };

    struct orb_entries_in entries = {};
    struct orb_taken taken = choose(self, in, done, &sent, &entries);

    if (v.returns || in->wipe.valid) {
        self->returned[looked] = given.gen;
    }
    flags.pop = taken.flag;
    free.pop = send(self, in, gen, &entries);
    self->writes += (uint(NIC_DATA_LOG2 + 1))(
        (uint(NIC_DATA_LOG2 + 1))(self->out.local.valid && self->out.local.head) - done - refused);
    self->epoch += in->config.epoch;

    struct orb_refusals_in refusals = {
        .push = refused,
        .word = {(orb_tag)in->refused.tag, in->refused.status},
        .pop = taken.refusal,
    };
    u1 waits = self->responses.out.front.valid && !taken.response;
    u1 shut = self->valve.shut && in->response.valid && in->response.head;
    struct beat_queue_in responses = {.push = valve_pass(&self->valve, &in->response),
                                      .pop = taken.response};

    hls_cover(self->waited == 255 && self->responses.out.front.valid && !in->wipe.valid);
    hls_cover(rests.pop);
    hls_cover(taken.flag && taken.response == 0 && self->responses.out.front.valid);
    hls_cover(refused && done);
    hls_cover(self->free.out.count == 0 && self->writes != 0);
    orb_free_list(&self->free, &free);
    orb_quarantine(&self->quarantine, &rests);
    orb_refusals(&self->refusals, &refusals);
    orb_flags(&self->flags, &flags);
    orb_entries(&self->entries, &entries);
    valve_watch(&self->valve, in->wipe.valid, waits, self->responses.out.fits,
                in->config.epoch | in->config.half);
    responses.takes_all = self->valve.shut;
    beat_queue(&self->responses, &responses);
    self->out.room_response = self->responses.out.room;
    self->out.count |= COUNT(ORB_UNKNOWN, shut);
}
