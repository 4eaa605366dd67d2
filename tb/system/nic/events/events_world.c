// SPDX-License-Identifier: Apache-2.0
/*
 * events_world.c - what can happen to transactions between ssid and rmt.
 */
#include "tb/system/nic/events/events_inside.h"

#include <string.h>

/* ---- the initiator ------------------------------------------------------------------------------- */

/* An answer that comes in a certain clock of a packet; none: transaction < 0. */
struct meeting {
    int transaction, at;
    unsigned clock;
    nic_status_field status;
};

static const struct meeting alone = {.transaction = -1};

static void take_forward(struct world *w, unsigned at)
{
    const struct beat *out = &w->ssid.out.forward;
    struct message *m = &w->message[w->now][at];

    if (out->valid && out->head) {
        *m = (struct message){.flight = UNDER_WAY,
                              .use = (uint8_t)(req_x(out->word) >> 2),
                              .wants = (uint8_t)(req_x(out->word) >> 1 & 1),
                              .flag = (uint8_t)(req_x(out->word) & 1),
                              .outstanding = true};
    } else if (out->valid && !out->tail && at == AT_END) {
        m->total = (uint8_t)out->word;
    }
}

static void take_source_event(struct world *w)
{
    const struct nic_event *e = &w->ssid.out.event;
    unsigned t = (unsigned)(e->word & 0xFF), status = (unsigned)(e->word >> 59) & 15;

    if (!e->valid) {
        return;
    }
    if (t != w->now || w->status[t] != 0) {
        w->faults |= FAULT_SOURCE;
        return;
    }
    w->status[t] = (uint8_t)(1 + status);
}

/* An answer to a message, as orb gives it to ssid. */
static struct ssid_answer answer_of(struct world *w, unsigned t, unsigned at,
                                    nic_status_field status)
{
    struct message *m = &w->message[t][at];
    bool note = status == STATUS_OK && m->flight == ANSWER_NOTE;

    m->outstanding = false;
    m->flight = status == STATUS_TIMEOUT ? m->flight : (uint8_t)GONE;
    return (struct ssid_answer){
        .valid = 1, .ssid = ID, .status = status, .note = note, .end = at == AT_END};
}

/* Beats come to ssid as message `at`, an answer with one of them or behind them; then it runs until it waits. */
static void drive(struct world *w, const struct beat *beats, unsigned count, unsigned at,
                  struct meeting with)
{
    for (unsigned i = 0; i < count + SETTLE; i++) {
        struct ssid_in in = {.room_event = 1};

        if (i < count) {
            in.request = beats[i];
            in.note_taken = i == 0 && at == AT_NOTE;
        }
        if (with.transaction >= 0 && i == with.clock) {
            in.answer = answer_of(w, (unsigned)with.transaction, (unsigned)with.at, with.status);
        }
        ssid(&w->ssid, &in);
        take_forward(w, at);
        take_source_event(w);
    }
}

static struct beat head_beat(enum nic_cmd cmd, unsigned x, bool refused, bool tail)
{
    beat_word word = cmd;

    word = BEAT_WITH(word, REQ_NODE_AT, 18, NODE);
    word = BEAT_WITH(word, REQ_X_AT, 4, x);
    word = BEAT_WITH(word, VPE_REFUSED_AT, 1, refused);
    return (struct beat){
        .valid = 1, .head = 1, .tail = tail, .word = req_with_channel(word, CHANNEL)};
}

static void open(struct world *w)
{
    const struct beat beat = head_beat(CMD_OPEN, 1, false, true);

    drive(w, &beat, 1, 0, alone);
}

static void request(struct world *w, bool refused)
{
    const struct beat beats[2] = {head_beat(CMD_PUT, 0, refused, false), {.valid = 1, .tail = 1}};

    drive(w, beats, 2, w->posted[w->now], alone);
    w->posted[w->now]++;
    w->refused += refused;
}

static void close(struct world *w, bool wants, bool flag, struct meeting with)
{
    beat_word first = (beat_word)w->now << CLOSE_EVENT_AT | (beat_word)w->now << CLOSE_FLAG_LO_AT;
    beat_word last = (beat_word)w->now << CLOSE_SOURCE_AT;

    last = BEAT_WITH(last, CLOSE_WANTS_AT, 4,
                     WANT_GLOBAL | (wants ? WANT_TARGET : 0) | (flag ? WANT_FLAG : 0));
    const struct beat beats[3] = {head_beat(CMD_CLOSE, (wants ? 2 : 0) | flag, false, false),
                                  {.valid = 1, .word = first},
                                  {.valid = 1, .tail = 1, .word = last}};

    w->closed = true;
    drive(w, beats, 3, AT_END, with);
}

static void send_note(struct world *w, struct meeting with)
{
    const struct ssid_notice notice = w->ssid.out.note;
    const struct beat beats[3] = {{.valid = 1, .head = 1, .word = notice.head},
                                  {.valid = 1,
                                   .word = (beat_word)notice.event << END_EVENT_AT |
                                           (beat_word)(u32)notice.flag << END_FLAG_AT},
                                  {.valid = 1, .tail = 1}};

    drive(w, beats, 3, AT_NOTE, with);
}

/* Three epochs end: what is stale is free. */
static void end_epochs(struct world *w)
{
    for (unsigned i = 0; i < 3; i++) {
        ssid(&w->ssid, &(struct ssid_in){.room_event = 1, .config.epoch = 1});
        for (unsigned k = 0; k < SETTLE; k++) {
            ssid(&w->ssid, &(struct ssid_in){.room_event = 1});
        }
    }
}

/* ---- the target ---------------------------------------------------------------------------------- */

/* Event or flag of a transaction, so many by now. */
static void judge_there(struct world *w, unsigned t, unsigned count, bool wanted)
{
    unsigned all = (1u << w->posted[t]) - 1;

    w->faults |= count > 1 ? FAULT_TWICE : 0;
    w->faults |= (w->memory[t] & all) != all || (t == w->now && !w->closed) ? FAULT_EARLY : 0;
    w->faults |= !wanted ? FAULT_UNWANTED : 0;
}

static void take_target_event(struct world *w, const struct world_limits *limits)
{
    const struct nic_event *e = &w->rmt.out.event;
    unsigned t = (unsigned)(e->word & 0xFF);

    if (!e->valid) {
        return;
    }
    judge_there(w, t, ++w->events[t], limits->wants >> t & 1);
    w->faults |= (limits->flags >> t & 1) != 0 && w->flags[t] == 0 ? FAULT_EARLY : 0;
}

/* A flag goes to rat_local, and is in memory. */
static void take_flag(struct world *w, const struct world_limits *limits, struct rmt_in *in)
{
    const struct rmt_write *f = &w->rmt.out.flag;
    unsigned t = (unsigned)(f->flag.value & 0xFF);

    if (!f->valid) {
        return;
    }
    judge_there(w, t, ++w->flags[t], limits->flags >> t & 1);
    in->flag_taken = 1;
    in->done = (struct mem_done){
        .valid = 1, .client = MEM_LOCAL, .place = (u12)(1u << PLACE_RMT_AT | (unsigned)f->place)};
}

/* Answers of ENDs that were parked, and of what had a flag. */
static void take_settled(struct world *w)
{
    const struct amo_answer *a = &w->rmt.out.answer;
    struct message *m = &w->message[(unsigned)a->whom % NOTE_WHOM]
                                   [(unsigned)a->whom < NOTE_WHOM ? AT_END : AT_NOTE];

    if (a->valid) {
        m->flight = a->note ? ANSWER_NOTE : ANSWER_OK;
    }
}

/* Clocks of rmt, until it has done all that it can; `of` is the message whose operation it gets. */
static void run_rmt(struct world *w, const struct world_limits *limits, unsigned clocks,
                    struct rmt_in in, struct message *of)
{
    for (unsigned i = 0;
         i < clocks || w->rmt.step != RMT_NOTHING || w->rmt.out.answer.valid || w->rmt.writes != 0;
         i++) {
        const struct rmt_result *r = &w->rmt.out.result;

        in.room_event = 1;
        in.taken = w->rmt.out.answer.valid;
        take_flag(w, limits, &in);
        rmt(&w->rmt, &in);
        in = (struct rmt_in){0};
        take_target_event(w, limits);
        take_settled(w);
        if (r->valid) {
            of->flight = r->parked ? PARKED : r->note ? ANSWER_NOTE : ANSWER_OK;
        }
    }
}

/* All free places of rmt become another node's, or free again. */
static void fill(struct rmt *r, bool full)
{
    struct rmt_entry *ways[RMT_WAYS] = {r->way0, r->way1, r->way2, r->way3};

    for (unsigned i = 0; i < RMT_WAYS * RMT_SETS; i++) {
        struct rmt_entry *e = &ways[i / RMT_SETS][i % RMT_SETS];

        if (!e->valid || e->key == (rmt_key)NOBODY) {
            *e = (struct rmt_entry){.valid = full, .key = (rmt_key)NOBODY, .epoch = r->epoch};
        }
    }
}

/* A message arrives, its data is in memory, and rmt says how it is answered. */
static void arrive(struct world *w, const struct world_limits *limits, unsigned t, unsigned at,
                   bool full)
{
    struct message *m = &w->message[t][at];
    struct rmt_op op = {.valid = 1,
                        .kind = at == AT_END    ? RMT_OP_END
                                : at == AT_NOTE ? RMT_OP_NOTE
                                                : RMT_OP_COUNT,
                        .src = SOURCE,
                        .ssid = ID,
                        .use = (u2)m->use,
                        .total = m->total,
                        .wants = m->wants,
                        .event = (u56)t,
                        .flag = {.wanted = m->flag, .value = t},
                        .whom = (u33)(t + (at == AT_NOTE ? NOTE_WHOM : 0))};

    w->memory[t] |= at < AT_END ? (uint8_t)(1u << at) : 0;
    if (full) {
        fill(&w->rmt, true);
    }
    run_rmt(w, limits, 4, (struct rmt_in){.op = op}, m);
    if (full) {
        fill(&w->rmt, false);
        w->full++;
    }
}

const struct rmt_entry *world_entry(const struct rmt *r, unsigned use, const struct rmt_end **end)
{
    const struct rmt_entry *ways[RMT_WAYS] = {r->way0, r->way1, r->way2, r->way3};

    for (unsigned i = 0; i < RMT_WAYS * RMT_SETS; i++) {
        const struct rmt_entry *e = &ways[i / RMT_SETS][i % RMT_SETS];

        if (e->valid && e->key == (rmt_key)((rmt_key)use << 27 | (rmt_key)ID << 18 | SOURCE)) {
            *end = &r->ends[i];
            return e;
        }
    }
    return NULL;
}

static bool counts_any(const struct rmt *r)
{
    const struct rmt_end *end;
    bool any = false;

    for (unsigned use = 0; use < 4; use++) {
        any |= world_entry(r, use, &end) != NULL;
    }
    return any;
}

/* ---- steps --------------------------------------------------------------------------------------- */

/* A world that steps are taken from. */
struct stepping {
    const struct world *from;
    const struct world_limits *limits;
    world_visit *visit;
    void *whose;
    unsigned taken;
    struct world next;
};

static struct world *copy(struct stepping *s)
{
    s->next = *s->from;
    return &s->next;
}

static void done(struct stepping *s, const char *step)
{
    s->taken++;
    s->visit(s->whose, &s->next, step);
}

/* How a message that is outstanding may be answered now: {its answer}, {a timeout}; false: not at all. */
static bool may_answer(const struct message *m, nic_status_field *status)
{
    *status = m->flight == ANSWER_FAILS ? (nic_status_field)STATUS_MDD
              : m->flight == GONE       ? (nic_status_field)STATUS_TIMEOUT
                                        : (nic_status_field)STATUS_OK;
    return m->outstanding && m->flight >= ANSWER_OK;
}

/* CLOSE or NOTE, alone, and with each answer that may come in one of its clocks. */
static void send(struct stepping *s, bool closes)
{
    const unsigned t = s->from->now;
    const bool wants = s->limits->wants >> t & 1, flag = s->limits->flags >> t & 1;
    struct meeting with = alone;

    if (closes) {
        close(copy(s), wants, flag, alone);
    } else {
        send_note(copy(s), alone);
    }
    done(s, closes ? "CLOSE" : "NOTE is sent");
    for (unsigned at = 0; at < MESSAGES; at++) {
        if (!may_answer(&s->from->message[t][at], &with.status)) {
            continue;
        }
        with.transaction = (int)t;
        with.at = (int)at;
        for (with.clock = 0; with.clock < CLOCKS_MET; with.clock++) {
            if (closes) {
                close(copy(s), wants, flag, with);
            } else {
                send_note(copy(s), with);
            }
            done(s, closes ? "CLOSE as an answer comes" : "NOTE is sent as an answer comes");
        }
    }
}

static void step_initiator(struct stepping *s)
{
    const struct world *w = s->from;
    const bool over = w->status[w->now] != 0;

    if (w->ssid.free.out.valid && (!w->opened || (over && w->now + 1u < s->limits->transactions))) {
        struct world *next = copy(s);

        next->now += w->opened;
        next->opened = true;
        next->closed = false;
        open(next);
        done(s, "OPEN");
    }
    if (w->opened && !w->closed) {
        if (w->posted[w->now] < s->limits->packets) {
            request(copy(s), false);
            done(s, "request");
        }
        if (w->posted[w->now] < s->limits->packets && w->refused < s->limits->refused) {
            request(copy(s), true);
            done(s, "request that ntt refuses");
        }
        send(s, true);
    }
    if (w->ssid.out.note.valid) {
        send(s, false);
    }
    if (w->ssid.stale.out.valid) {
        end_epochs(copy(s));
        done(s, "three epochs end");
    }
}

/* What may become of a message that is on its way. */
static void step_request(struct stepping *s, unsigned t, unsigned at)
{
    arrive(copy(s), s->limits, t, at, false);
    done(s, at == AT_END ? "END arrives" : at == AT_NOTE ? "NOTE arrives" : "packet arrives");
    if (s->from->full < s->limits->full) {
        arrive(copy(s), s->limits, t, at, true);
        done(s, at == AT_END ? "END finds no place" : "packet finds no place");
    }
    if (s->from->errors < s->limits->errors) {
        copy(s);
        if (at == AT_NOTE) { /* npt lets it forget all the same */
            s->next.message[t][at].wants = 0;
            s->next.message[t][at].flag = 0;
            arrive(&s->next, s->limits, t, at, false);
        }
        s->next.message[t][at].flight = ANSWER_FAILS;
        s->next.errors++;
        done(s, "target refuses it");
    }
    if (s->from->losses < s->limits->losses) {
        copy(s)->message[t][at].flight = GONE;
        s->next.losses++;
        done(s, "packet is lost");
    }
}

static void step_message(struct stepping *s, unsigned t, unsigned at)
{
    const struct message *m = &s->from->message[t][at];
    nic_status_field status;

    if (m->flight == UNDER_WAY) {
        step_request(s, t, at);
    }
    if (may_answer(m, &status)) {
        drive(copy(s), NULL, 0, 0,
              (struct meeting){.transaction = (int)t, .at = (int)at, .status = status});
        done(s, m->flight == GONE ? "timeout" : "answer");
    }
    if (m->flight >= ANSWER_OK && m->flight < GONE) {
        copy(s)->message[t][at].flight = GONE;
        s->next.losses += m->outstanding;
        if (!m->outstanding || s->from->losses < s->limits->losses) {
            done(s, m->outstanding ? "answer is lost" : "late answer");
        }
    }
    if (m->outstanding && m->flight != GONE && s->from->early < s->limits->early) {
        copy(s)->early++;
        drive(&s->next, NULL, 0, 0,
              (struct meeting){.transaction = (int)t, .at = (int)at, .status = STATUS_TIMEOUT});
        done(s, "timeout before the answer");
    }
}

unsigned world_steps(const struct world *w, const struct world_limits *limits, world_visit *visit,
                     void *whose)
{
    static struct stepping s;

    s = (struct stepping){.from = w, .limits = limits, .visit = visit, .whose = whose};
    step_initiator(&s);
    for (unsigned t = 0; t <= w->now; t++) {
        for (unsigned at = 0; at < MESSAGES; at++) {
            step_message(&s, t, at);
        }
    }
    if (counts_any(&w->rmt)) {
        run_rmt(copy(&s), limits, SCRUB, (struct rmt_in){.config.rmt = 1}, NULL);
        done(&s, "half of RMT_TIMEOUT ends");
    }
    return s.taken;
}

/* ---- states -------------------------------------------------------------------------------------- */

void world_begin(struct world *w, const struct world_limits *limits)
{
    (void)limits;
    memset(w, 0, sizeof(*w));
    ssid_reset(&w->ssid);
    rmt_reset(&w->rmt);
    for (unsigned i = 0; i < 1024; i++) {
        const struct nic_wipe wipe = {1, (u13)i};

        ssid(&w->ssid, &(struct ssid_in){.wipe = wipe});
        rmt(&w->rmt, &(struct rmt_in){.wipe = wipe});
    }
    /* Of the free ids one is left, so that each transaction has the same. */
    w->ssid.free.out.front = ID;
    w->ssid.free.rd = w->ssid.free.wr;
    w->ssid.free.out.count = 1;
    drive(w, NULL, 0, 0, alone);
    run_rmt(w, limits, 4, (struct rmt_in){0}, NULL);
}

bool world_is_over(const struct world *w, const struct world_limits *limits)
{
    bool over = w->now + 1u == limits->transactions && w->status[w->now] != 0 &&
                w->ssid.free.out.valid && !counts_any(&w->rmt);

    for (unsigned t = 0; t < TRANSACTIONS_MOST; t++) {
        for (unsigned at = 0; at < MESSAGES; at++) {
            over &= !w->message[t][at].outstanding;
        }
    }
    return over;
}

/* Something of a transaction is on its way, or counted at the target. */
static bool is_left(const struct world *w, unsigned t)
{
    const struct rmt_end *end;
    bool left = false;

    for (unsigned at = 0; at < MESSAGES; at++) {
        const struct message *m = &w->message[t][at];

        left |= m->flight == UNDER_WAY ||
                (m->flight != NOT_SENT && world_entry(&w->rmt, m->use, &end) != NULL);
    }
    return left;
}

void world_judge(struct world *w, const struct world_limits *limits)
{
    for (unsigned t = 0; t <= w->now; t++) {
        bool there =
            w->events[t] == (limits->wants >> t & 1) && w->flags[t] == (limits->flags >> t & 1);
        bool missing = w->status[t] == 1 + STATUS_OK && !there;
        bool rests = w->status[t] == 1 + STATUS_TIMEOUT;

        w->faults |= missing ? FAULT_MISSING : 0;
        w->faults |= w->status[t] != 0 && !rests && is_left(w, t) ? FAULT_LEFT : 0;
    }
}
