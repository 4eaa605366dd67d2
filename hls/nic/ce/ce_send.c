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
 * The process gives orders: ce_order to ce_packet, and ce_word for a word of memory, each one at a time; ce_members shows it a round's
 * children.
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
    self->reason = 0;
    self->round = 0;
    self->acted = 0;
    self->refused = (struct ce_endpoint){};
    self->opened = 0;
    self->writing = 0;
    self->missed = 0;
    self->why = 0;
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

static inline void give(struct ce_send *self, u4 cmd, u1 down, const struct ce_relative *to,
                        ce_child child)
{
    self->out.order = (struct ce_order){
        .valid = 1,
        .cmd = cmd,
        .down = down,
        .node = to->node,
        .to = to->engine,
        .child = child,
    };
}

/* ---- words of endpoints -------------------------------------------------------------------------- */

static inline u64 control_of(const struct ce_send *self)
{
    return ((u64)1 << RESULT_DONE_AT) | ((u64)self->out.saying.id << RESULT_ID_AT) |
           ((u64)self->reason << RESULT_REASON_AT) |
           ((u64)self->out.saying.result.exceptions << RESULT_EXCEPTIONS_AT) |
           ((u64)self->out.saying.result.status << RESULT_STATUS_AT);
}

static inline beat_word local_head(const struct ce_send *self)
{
    const struct ce_word *w = &self->word;
    nic_offset offset = w->control ? w->offset : (nic_offset)(w->offset + 8);
    beat_word word = req_with_offset(0, offset);

    word = BEAT_WITH(word, REQ_CMD_AT, 4, (u4)CMD_PUT);
    word = BEAT_WITH(word, REQ_PTAG_AT, 8, self->out.saying.ptag);
    word = BEAT_WITH(word, REQ_MDH_AT, 12, w->mdh);
    word = BEAT_WITH(word, REQ_Z_AT, 6, w->control ? (u6)7 : (u6)15);
    return req_with_tags(word, (nic_tag)w->child);
}

static inline void send_word(struct ce_send *self, const struct ce_send_in *in)
{
    u1 free = !self->out.local.valid || in->local_taken;
    beat_word results = (beat_word)(((beat_word)self->out.saying.result.second << 64) |
                                    self->out.saying.result.first);

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

    self->out.saying.result = result;
    self->reason = CE_OTHER;
    self->out.saying.id = in->id[e];
    self->out.saying.operation = in->operation[e];
    self->out.saying.engine = e;
    self->out.saying.ptag = in->config[e].ptag;
    self->out.saying.mode = in->config[e].mode;
    self->out.round.engine = e;
    self->out.round.turn = (u1)(in->turn >> e);
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
    self->out.saying.result = (struct ce_folded){.status = refusal->status};
    self->reason = refusal->reason;
    self->out.saying.id = refusal->id;
    self->out.saying.ptag = refusal->ptag;
    self->refused = refusal->endpoint;
    self->out.refusal_taken = 1;
}

/* ---- children ------------------------------------------------------------------------------------ */

/* Who has a turn in this round, if it is there: the next child, or the endpoint that is refused. */
static inline struct ce_member member_of(const struct ce_send *self, const struct ce_send_in *in,
                                         u1 taken)
{
    struct ce_member refused = {
        .valid = !self->acted,
        .relative = {.kind = CE_ENDPOINT},
        .endpoint = self->refused,
    };
    struct ce_member member = in->member;

    member.valid = member.valid & !taken;
    return self->refuses ? refused : member;
}

/* An engine gets CE_DOWN, behind OPEN. The value: it is given. */
static inline u1 act_engine(struct ce_send *self, const struct ce_member *m)
{
    u1 opened = self->opened;

    if (self->round != ROUND_RESULTS) {
        return 1;
    }
    if (self->out.order.valid) {
        return 0;
    }
    give(self, opened ? (u4)CMD_CE_DOWN : (u4)CMD_OPEN, 1, &m->relative, m->child);
    self->down |= ce_one(1, self->engine);
    self->opened = 1;
    return opened;
}

/* An endpoint gets results, unless all failed; control, unless its results are missed; its event, which says how its words were written, too. */
static inline u1 act_endpoint(struct ce_send *self, const struct ce_send_in *in,
                              const struct ce_member *m)
{
    u1 results = self->round == ROUND_RESULTS;
    u1 missed = (u1)(self->missed >> m->child);
    nic_status_field status = missed ? self->why : self->out.saying.result.status;
    u1 none = results ? self->out.saying.result.status != STATUS_OK : missed;
    u1 tells = status == STATUS_OK ? self->good_event : self->bad_event;

    if (self->round == ROUND_EVENTS) {
        self->out.event = (struct nic_event){
            .valid = tells && in->room_event,
            .queue = m->endpoint.queue,
            .ptag = self->out.saying.ptag,
            .word = event_word(status, EVENT_BTE, m->endpoint.event),
        };
        return !tells || in->room_event;
    }
    if (none || self->word.valid) {
        return none;
    }
    self->word = (struct ce_word){
        .valid = 1,
        .control = !results,
        .child = m->child,
        .mdh = m->endpoint.mdh,
        .offset = m->endpoint.offset,
    };
    self->writing++;
    return 1;
}

/* What the next child gets in this round. */
static inline void act(struct ce_send *self, const struct ce_send_in *in, u1 taken)
{
    struct ce_member m = member_of(self, in, taken);
    u1 done = 1;

    if (m.valid && m.fatal) {
        count(self, self->round == ROUND_RESULTS, SEND_UNTOLD);
    } else if (m.valid && m.relative.kind == CE_ENDPOINT) {
        done = act_endpoint(self, in, &m);
    } else if (m.valid) {
        done = act_engine(self, &m);
    }
    self->acted |= m.valid && done;
    self->out.member_taken = m.valid && done && !self->refuses;
}

/* All have had their turn. */
static inline u1 is_round_over(const struct ce_send *self, const struct ce_send_in *in)
{
    return self->refuses ? self->acted : in->members_over;
}

/* ---- one job after the other ---------------------------------------------------------------------- */

/* What is a packet's alone is of no use to OPEN and CLOSE. */
static inline void mark(struct ce_send *self, u4 cmd, u1 down)
{
    self->out.order.valid = 1;
    self->out.order.cmd = cmd;
    self->out.order.down = down;
}

static inline void rise(struct ce_send *self, const struct ce_config *c)
{
    struct ce_relative parent = {.node = c->parent, .engine = c->parent_engine};

    give(self, CMD_CE_UP, 0, &parent, c->as);
}

static inline void work(struct ce_send *self, const struct ce_send_in *in, u1 taken)
{
    struct ce_jobs jobs = jobs_of(self, in);
    ce_engines own = jobs.up | jobs.good | jobs.bad;
    u1 begins = (own != 0 || jobs.refuse) && !self->out.order.valid;

    HLS_PROCESS(self->at, SEND_IDLE, SEND_BEGIN, SEND_OPENED, SEND_UP, SEND_TELL, SEND_TOLD,
                SEND_ROUND, SEND_ACT, SEND_SETTLE);
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
            mark(self, CMD_OPEN, 0);
            do {
                HLS_WAIT(SEND_OPENED);
            } while (self->out.order.valid);
            rise(self, &in->config[self->engine]);
            do {
                HLS_WAIT(SEND_UP);
            } while (self->out.order.valid);
            mark(self, CMD_CLOSE, 0);
            continue;
        }
        HLS_WAIT(SEND_TELL);
        self->good_event = in->config[self->engine].event;
        self->bad_event = in->config[self->engine].errors;
        HLS_WAIT(SEND_TOLD);
        self->out.round.set = in->told;
        self->missed = 0;
        self->opened = 0;
        self->round = ROUND_RESULTS;
        do {
            self->acted = 0;
            self->out.round.begins = !self->refuses;
            HLS_WAIT(SEND_ROUND);
            do {
                HLS_WAIT(SEND_ACT);
                act(self, in, taken);
            } while (!is_round_over(self, in));
            do {
                HLS_WAIT(SEND_SETTLE);
            } while (self->writing != 0 || self->out.order.valid || self->word.valid);
            if (self->opened) {
                mark(self, CMD_CLOSE, 1);
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
}

HLS_MODULE void ce_send(struct ce_send *self, const struct ce_send_in *in)
{
    u1 taken = self->out.member_taken;

    self->out.count = 0;
    self->out.event.valid = 0;
    self->out.phase.begin = 0;
    self->out.clear = 0;
    self->out.refusal_taken = 0;
    self->out.round.begins = 0;
    self->out.member_taken = 0;
    self->out.order.valid &= !in->order_taken;
    send_word(self, in);
    work(self, in, taken);
    take_answers(self, in);
    listen(self, in);
    self->out.phase.busy =
        (ce_engines)(self->up | self->down | ce_one(self->works && !self->refuses, self->engine));
    self->out.idle = !self->works && self->up == 0 && self->down == 0 && !self->out.order.valid;
    hls_cover(self->out.order.valid && self->out.local.valid);
}
