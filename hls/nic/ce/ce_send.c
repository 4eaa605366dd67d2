// SPDX-License-Identifier: Apache-2.0
/*
 * ce_send.c - what collective engines send.
 *
 * One job after the other, of the engines in turn:
 *
 *   up      all children have come: OPEN, CE_UP, CLOSE
 *   tell    the result is there, or the reduction has failed: three rounds over the children: results and CE_DOWN, control words when all
 *           results are in memory, events when all control words are
 *   refuse  a join was refused: control word and event of one endpoint
 *
 * The process gives orders, ce_order for a packet and ce_word for a word of memory, each to a sender that has one at a time.
 */
#include "nic/ce/ce_send.h"

HLS_RESET void ce_send_reset(struct ce_send *self)
{
    self->out = (struct ce_send_out){};
    self->came = 0;
    self->failed = 0;
    for (int e = 0; e < CE_ENGINES; e++) {
        self->failure[e] = 0;
    }
    self->up = 0;
    self->down = 0;
    self->at = SEND_IDLE;
    self->engine = 0;
    self->refuses = 0;
    self->rises = 0;
    self->fails = 0;
    self->good_event = 0;
    self->bad_event = 0;
    self->works = 0;
    self->result = (struct ce_folded){};
    self->reason = 0;
    self->id = 0;
    self->operation = 0;
    self->ptag = 0;
    self->turn = 0;
    self->round = 0;
    self->told = 0;
    self->left = 0;
    self->child = 0;
    self->relative = (struct ce_relative){};
    self->endpoint = (struct ce_endpoint){};
    self->child_code = 0;
    self->record = 0;
    self->fatal = 0;
    self->opened = 0;
    self->writing = 0;
    self->missed = 0;
    self->why = 0;
    self->order = (struct ce_order){};
    self->beat = 0;
    self->word = (struct ce_word){};
}

static inline ce_children one_child(u1 condition, ce_child k)
{
    return (ce_children)((ce_children)condition << k);
}

static inline void count(struct ce_send *self, u1 condition, enum ce_send_count what)
{
    self->out.count |= (uint(SEND_COUNTS))((uint(SEND_COUNTS))condition << what);
}

/* ---- packets ------------------------------------------------------------------------------------- */

static inline beat_word packet_head(const struct ce_send *self, u3 mode)
{
    const struct ce_order *o = &self->order;
    u1 down = o->down;
    u1 request = o->cmd == CMD_CE_UP || o->cmd == CMD_CE_DOWN;
    nic_offset offset = (nic_offset)(((nic_offset)self->result.status << CE_STATUS_AT) |
                                     ((nic_offset)self->result.exceptions << CE_EXCEPTIONS_AT) |
                                     ((nic_offset)self->operation << CE_OPERATION_AT) |
                                     ((nic_offset)o->child << CE_CHILD_AT) |
                                     ((nic_offset)o->to << CE_ENGINE_AT) | self->id);
    beat_word word = req_with_offset(0, request ? offset : (nic_offset)0);

    word = BEAT_WITH(word, REQ_CMD_AT, 4, o->cmd);
    word = BEAT_WITH(word, REQ_NODE_AT, 18, request ? o->node : (nic_node)0);
    word = BEAT_WITH(word, REQ_MODE_AT, 3, mode);
    word = BEAT_WITH(word, REQ_PTAG_AT, 8, self->ptag);
    word = BEAT_WITH(word, REQ_Z_AT, 6, request ? (u6)15 : (u6)0);
    return req_with_channel(
        word, ce_channel_number((ce_channel)(((ce_channel)self->engine << 1) | down)));
}

/* The order's beats: a packet begins when tarb has room, a request when there are tags for it. */
static inline void send_packet(struct ce_send *self, const struct ce_send_in *in)
{
    struct ce_order *o = &self->order;
    u1 request = o->cmd == CMD_CE_UP || o->cmd == CMD_CE_DOWN;
    u1 head = self->beat == 0;
    u1 goes = o->valid && (!head || (in->room && (in->tags || !request)));
    u2 last = request ? (u2)1 : o->cmd == CMD_OPEN ? (u2)0 : (u2)2;
    u1 tail = self->beat == last;
    beat_word data = request
                         ? (beat_word)(((beat_word)self->result.second << 64) | self->result.first)
                         : (beat_word)0;

    self->out.beat = (struct beat){
        .valid = goes,
        .head = head,
        .tail = tail,
        .word = head ? packet_head(self, in->config[self->engine].mode) : data,
    };
    if (goes) {
        self->beat = tail ? (u2)0 : (u2)(self->beat + 1);
        o->valid = !tail;
    }
}

static inline void give(struct ce_send *self, u4 cmd, u1 down)
{
    self->order = (struct ce_order){
        .valid = 1,
        .cmd = cmd,
        .down = down,
        .node = self->relative.node,
        .to = self->relative.engine,
        .child = self->child,
    };
}

/* ---- words of endpoints -------------------------------------------------------------------------- */

static inline u64 control_of(const struct ce_send *self)
{
    return ((u64)1 << RESULT_DONE_AT) | ((u64)self->id << RESULT_ID_AT) |
           ((u64)self->reason << RESULT_REASON_AT) |
           ((u64)self->result.exceptions << RESULT_EXCEPTIONS_AT) |
           ((u64)self->result.status << RESULT_STATUS_AT);
}

static inline beat_word local_head(const struct ce_send *self)
{
    const struct ce_word *w = &self->word;
    nic_offset offset = w->control ? w->offset : (nic_offset)(w->offset + 8);
    beat_word word = req_with_offset(0, offset);

    word = BEAT_WITH(word, REQ_CMD_AT, 4, (u4)CMD_PUT);
    word = BEAT_WITH(word, REQ_PTAG_AT, 8, self->ptag);
    word = BEAT_WITH(word, REQ_MDH_AT, 12, w->mdh);
    word = BEAT_WITH(word, REQ_Z_AT, 6, w->control ? (u6)7 : (u6)15);
    return req_with_tags(word, (nic_tag)w->child);
}

static inline void send_word(struct ce_send *self, const struct ce_send_in *in)
{
    u1 free = !self->out.local.valid || in->local_taken;
    beat_word results = (beat_word)(((beat_word)self->result.second << 64) | self->result.first);

    if (free) {
        self->out.local.valid = self->word.valid;
        self->out.local.head = local_head(self);
        self->out.local.data =
            (beat_data)(self->word.control ? (beat_word)control_of(self) : results);
        self->word.valid = 0;
    }
}

/* Memory, or rat_local, has answered. */
static inline void take_answers(struct ce_send *self, const struct ce_send_in *in)
{
    u1 done = in->done.valid;
    u1 bad = done && in->done.status != MEM_DONE;
    u1 none = self->missed == 0;

    if (none && (bad || in->refused.valid)) {
        self->why = bad ? status_of_memory(in->done.status) : in->refused.status;
    }
    self->missed |= one_child(bad, (ce_child)in->done.place) |
                    one_child(in->refused.valid, (ce_child)in->refused.place);
    self->writing = (ce_count)(self->writing - done - in->refused.valid);
    count(self, bad || in->refused.valid, SEND_UNTOLD);
}

/* ---- jobs ---------------------------------------------------------------------------------------- */

struct ce_jobs {
    ce_engines up;
    ce_engines good; /* a result is to be told */
    ce_engines bad;  /* a failure */
    u1 refuse;
};

static inline struct ce_jobs jobs_of(const struct ce_send *self, const struct ce_send_in *in)
{
    ce_engines root = 0;
    ce_engines sent = self->out.phase.sent;
    ce_engines whole = in->whole & in->active;

    for (int e = 0; e < CE_ENGINES; e++) {
        root |= ce_one(in->config[e].root, (ce_engine)e);
    }

    ce_engines good = (ce_engines)((whole & root) | (sent & self->came));
    ce_engines bad = (ce_engines)((sent & self->failed) | (in->active & (in->late | in->closed)));

    return (struct ce_jobs){
        .up = (ce_engines)(whole & ~root & ~sent & ~self->up & ~bad),
        .good = (ce_engines)(good & ~self->down),
        .bad = (ce_engines)(bad & ~good & ~self->down),
        .refuse = in->refusal.valid && !self->out.refusal_taken,
    };
}

/* What came down, or was made here, or why it failed. */
static inline struct ce_folded result_of(const struct ce_send *self, const struct ce_send_in *in,
                                         ce_engine e)
{
    u8 how = self->results[e];
    u1 failed = (u1)((self->out.phase.sent & self->failed) >> e);
    u1 closed = (u1)(in->closed >> e);
    struct ce_folded down = {
        .first = self->firsts[e],
        .second = self->seconds[e],
        .exceptions = (u4)how,
        .status = (u4)(how >> 4),
    };
    struct ce_folded none = {
        .status = failed   ? self->failure[e]
                  : closed ? (u4)STATUS_SEQUENCE
                           : (u4)STATUS_TIMEOUT,
    };

    return self->fails ? none : (u1)(self->out.phase.sent >> e) ? down : in->folded[e];
}

/* Whose turn it is; a job that is there stays until it is done. */
static inline void choose(struct ce_send *self, const struct ce_jobs *jobs)
{
    ce_engines wants = jobs->up | jobs->good | jobs->bad;
    ce_engine e = ce_next(wants, self->engine);

    self->refuses = jobs->refuse && !(wants != 0 && self->refuses);
    self->engine = e;
    self->rises = (u1)(jobs->up >> e);
    self->fails = (u1)(jobs->bad >> e);
}

static inline void begin_job(struct ce_send *self, const struct ce_send_in *in)
{
    ce_engine e = self->engine;
    ce_engines it = ce_one(1, e);
    struct ce_folded result = result_of(self, in, e);

    self->result = result;
    self->reason = CE_OTHER;
    self->id = in->id[e];
    self->operation = in->operation[e];
    self->ptag = in->config[e].ptag;
    self->turn = (u1)(in->turn >> e);
    self->out.clear = it;
    if (self->rises) {
        self->out.phase.sent |= it;
        self->up |= it;
    } else {
        self->out.phase.sent &= (ce_engines)~it;
        self->out.phase.begin = it;
    }
    self->came &= (ce_engines)~it;
    self->failed &= (ce_engines)~it;
    count(self, !self->rises && result.status == STATUS_OK, SEND_DONE);
    count(self, !self->rises && result.status != STATUS_OK, SEND_FAILED);
}

static inline void begin_refusal(struct ce_send *self, const struct ce_refusal *refusal)
{
    self->rises = 0;
    self->engine = refusal->engine;
    self->result = (struct ce_folded){.status = refusal->status};
    self->reason = refusal->reason;
    self->id = refusal->id;
    self->ptag = refusal->ptag;
    self->endpoint = refusal->endpoint;
    self->out.refusal_taken = 1;
}

/* ---- children ------------------------------------------------------------------------------------ */

static inline ce_child lowest(ce_children set)
{
    ce_child k = 0;

    for (int i = CE_CHILDREN - 1; i >= 0; i--) {
        k = (u1)(set >> i) ? (ce_child)i : k;
    }
    return k;
}

/* The next child of this round. */
static inline void look(struct ce_send *self)
{
    ce_child k = lowest(self->left);

    self->child = k;
    self->left &= (ce_children)(self->left - 1);
    self->child_code = self->children[ce_place_of(self->engine, k)];
    self->record = self->records[(u8)(((u8)self->turn << 7) | ce_place_of(self->engine, k))];
}

static inline void fix(struct ce_send *self)
{
    struct child_ecc_result child = child_ecc_decode(self->child_code);
    struct endpoint_ecc_result low = endpoint_ecc_decode((endpoint_ecc_word)self->record);
    struct endpoint_ecc_result high =
        endpoint_ecc_decode((endpoint_ecc_word)(self->record >> CE_RECORD_BITS));
    ce_endpoint_word word = (ce_endpoint_word)(((ce_endpoint_word)high.data << 59) | low.data);
    u1 endpoint = (u2)(child.data >> NR_CE2_KIND_AT) == CE_ENDPOINT;
    u1 corrected = child.corrected || (endpoint && (low.corrected || high.corrected));

    if (!self->refuses) {
        self->relative = ce_relative_of(child.data);
        self->endpoint = (struct ce_endpoint){
            .mdh = (nic_mdh)word,
            .offset = (nic_offset)(word >> 12),
            .queue = (u10)(word >> 52),
            .event = (u56)(word >> 62),
        };
    }
    self->fatal = !self->refuses && (child.fatal || (endpoint && (low.fatal || high.fatal)));
    count(self, corrected && !self->refuses, SEND_CORRECTED);
}

/* Its event says how its words were written, too. */
static inline nic_status_field status_of_child(const struct ce_send *self)
{
    return (u1)(self->missed >> self->child) ? self->why : self->result.status;
}

/* What the child gets in this round; 0: not yet. */
static inline u1 act(struct ce_send *self, const struct ce_send_in *in)
{
    u1 endpoint = self->refuses || self->relative.kind == CE_ENDPOINT;
    u1 results = self->round == ROUND_RESULTS;
    u1 missed = (u1)(self->missed >> self->child);
    u1 failed = self->result.status != STATUS_OK;
    nic_status_field status = status_of_child(self);
    u1 tells = status == STATUS_OK ? self->good_event : self->bad_event;

    if (self->fatal) {
        count(self, results, SEND_UNTOLD);
        return 1;
    }
    if (!endpoint) {
        if (!results) {
            return 1;
        }
        if (self->order.valid) {
            return 0;
        }
        give(self, self->opened ? (u4)CMD_CE_DOWN : (u4)CMD_OPEN, 1);
        self->down |= ce_one(1, self->engine);

        u1 opened = self->opened;

        self->opened = 1;
        return opened;
    }
    if (self->round == ROUND_EVENTS) {
        self->out.event = (struct nic_event){
            .valid = tells && in->room_event,
            .queue = self->endpoint.queue,
            .ptag = self->ptag,
            .word = event_word(status, EVENT_BTE, self->endpoint.event),
        };
        return !tells || in->room_event;
    }
    if (results ? failed : missed) {
        return 1;
    }
    if (self->word.valid) {
        return 0;
    }
    self->word = (struct ce_word){
        .valid = 1,
        .control = !results,
        .child = self->child,
        .mdh = self->endpoint.mdh,
        .offset = self->endpoint.offset,
    };
    self->writing++;
    return 1;
}

/* ---- one job after the other ---------------------------------------------------------------------- */

static inline void address_parent(struct ce_send *self, const struct ce_config *c)
{
    self->relative.node = c->parent;
    self->relative.engine = c->parent_engine;
    self->child = c->as;
}

static inline void work(struct ce_send *self, const struct ce_send_in *in)
{
    struct ce_jobs jobs = jobs_of(self, in);
    ce_engines own = jobs.up | jobs.good | jobs.bad;
    u1 begins = (own != 0 || jobs.refuse) && !self->order.valid;

    HLS_PROCESS(self->at, SEND_IDLE, SEND_BEGIN, SEND_OPENED, SEND_UP, SEND_TELL, SEND_TOLD,
                SEND_LOOK, SEND_FIX, SEND_ACT, SEND_SETTLE);
    for (;;) {
        self->works = 0;
        HLS_WAIT_UNTIL(SEND_IDLE, begins);
        self->works = 1;
        choose(self, &jobs);
        HLS_WAIT(SEND_BEGIN);
        if (self->refuses) {
            begin_refusal(self, &in->refusal);
        } else {
            begin_job(self, in);
        }
        if (self->rises) {
            address_parent(self, &in->config[self->engine]);
            give(self, CMD_OPEN, 0);
            do {
                HLS_WAIT(SEND_OPENED);
            } while (self->order.valid);
            give(self, CMD_CE_UP, 0);
            do {
                HLS_WAIT(SEND_UP);
            } while (self->order.valid);
            give(self, CMD_CLOSE, 0);
            continue;
        }
        HLS_WAIT(SEND_TELL);
        self->good_event = in->config[self->engine].event;
        self->bad_event = in->config[self->engine].errors;
        HLS_WAIT(SEND_TOLD);
        self->told = self->refuses ? (ce_children)1 : in->told;
        self->missed = 0;
        self->opened = 0;
        self->round = ROUND_RESULTS;
        do {
            self->left = self->told;
            while (self->left != 0) {
                look(self);
                HLS_WAIT(SEND_LOOK);
                fix(self);
                HLS_WAIT(SEND_FIX);
                while (!act(self, in))
                    HLS_WAIT(SEND_ACT);
            }
            do {
                HLS_WAIT(SEND_SETTLE);
            } while (self->writing != 0 || self->order.valid || self->word.valid);
            if (self->opened) {
                give(self, CMD_CLOSE, 1);
                self->opened = 0;
            }
        } while (self->round++ != ROUND_EVENTS);
    }
}

/* ---- what others say ------------------------------------------------------------------------------ */

static inline void listen(struct ce_send *self, const struct ce_send_in *in)
{
    ce_engine e = (ce_engine)(in->over.channel >> 1);
    u1 down = (u1)in->over.channel;
    u1 failed = in->over.valid && in->over.status != STATUS_OK;
    u1 waits = (u1)(self->out.phase.sent >> e);

    if (in->down.valid) {
        self->firsts[in->down.engine] = in->down.first;
        self->seconds[in->down.engine] = in->down.second;
        self->results[in->down.engine] = (u8)(((u8)in->down.status << 4) | in->down.exceptions);
    }
    self->came |= ce_one(in->down.valid, in->down.engine);
    self->up &= (ce_engines)~ce_one(in->over.valid && !down, e);
    self->down &= (ce_engines)~ce_one(in->over.valid && down, e);
    if (failed && !down && waits) {
        self->failed |= ce_one(1, e);
        self->failure[e] = in->over.status;
    }
    count(self, failed && down, SEND_UNTOLD);
    if (in->joined.valid) {
        const struct ce_endpoint *x = &in->joined.endpoint;
        ce_endpoint_word word = (ce_endpoint_word)(((ce_endpoint_word)x->event << 62) |
                                                   ((ce_endpoint_word)x->queue << 52) |
                                                   ((ce_endpoint_word)x->offset << 12) | x->mdh);

        self->records[in->joined.place] =
            (ce_record)(((ce_record)endpoint_ecc_encode((endpoint_ecc_data)(word >> 59))
                         << CE_RECORD_BITS) |
                        endpoint_ecc_encode((endpoint_ecc_data)word));
    }
    if (in->entry.valid) {
        self->children[in->entry.place] = in->entry.code;
    }
}

HLS_MODULE void ce_send(struct ce_send *self, const struct ce_send_in *in)
{
    self->out.count = 0;
    self->out.event.valid = 0;
    self->out.phase.begin = 0;
    self->out.clear = 0;
    self->out.refusal_taken = 0;
    send_packet(self, in);
    send_word(self, in);
    work(self, in);
    take_answers(self, in);
    listen(self, in);
    self->out.phase.busy =
        (ce_engines)(self->up | self->down | ce_one(self->works && !self->refuses, self->engine));
    self->out.idle = !self->works && self->up == 0 && self->down == 0 && !self->order.valid;
    hls_cover(self->out.beat.valid && self->out.local.valid);
}
