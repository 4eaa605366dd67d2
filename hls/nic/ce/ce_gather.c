// SPDX-License-Identifier: Apache-2.0
/*
 * ce_gather.c - what comes to the collective engines.
 *
 * One packet or join after the other:
 *
 *   GATHER_TAKE   its head; the child that it names is read
 *   GATHER_DATA   operands, and what a join says of its result
 *   GATHER_JUDGE  may it? once more if its reduction ends meanwhile
 *   GATHER_DECIDE it goes to ce_fold (up) or ce_send (down), or it is refused
 *
 * A request is taken when npt has the answer of the one before, a join when ce_send has told the last refusal: neither waits for the other.
 */
#include "nic/ce/ce_gather.h"

HLS_RESET void ce_gather_reset(struct ce_gather *self)
{
    self->out = (struct ce_gather_out){};
    beat_queue_reset(&self->joins);
    beat_queue_reset(&self->requests);
    for (int e = 0; e < CE_ENGINES; e++) {
        self->pending[e] = 0;
        self->last[e] = 0;
        self->age[e] = 0;
    }
    self->before = 0;
    self->at = GATHER_TAKE;
    self->joining = 0;
    self->bad = 0;
    self->lost = 0;
    self->second = 0;
    self->head = 0;
    self->operands = 0;
    self->endpoint = 0;
    self->code = 0;
    self->child = (struct ce_relative){};
    self->fatal = 0;
    self->corrected = 0;
    self->judged = (struct ce_judged){};
}

/* ---- what a head says ---------------------------------------------------------------------------- */

#define CE_FIELD(head, at, bits) ((uint(bits))(req_offset(head) >> (at)))

static inline ce_engine engine_of(beat_word head)
{
    return CE_FIELD(head, CE_ENGINE_AT, 2);
}

static inline ce_child child_of(beat_word head)
{
    return CE_FIELD(head, CE_CHILD_AT, 5);
}

static inline u33 whom_of(beat_word head)
{
    return (u33)(((u33)req_mode(head) << 30) | ((u33)req_gen(head) << 28) |
                 ((u33)req_tag(head) << 18) | req_src(head));
}

/* ---- registers ----------------------------------------------------------------------------------- */

#define CE_CONFIG_FIELD(word, f) ((uint(NR_CE##f##_BITS))((word) >> NR_CE##f##_AT))

enum { CE_CONFIG, CE_PARENT, CE_CHILD, CE_STATUS = CE_CHILD + CE_CHILDREN };

static inline u1 is_ours(u16 addr)
{
    return addr >> 8 == NR_CE >> 8;
}

static inline u1 is_busy(const struct ce_gather *self, const struct ce_gather_in *in, ce_engine e)
{
    return (u1)((self->out.active | in->phase.busy | in->phase.begin) >> e);
}

static inline void configure(struct ce_gather *self, const struct ce_gather_in *in, ce_engine e,
                             u64 data)
{
    struct ce_config *c = &self->out.config[e];
    u1 enable = CE_CONFIG_FIELD(data, _ENABLE);
    u1 fits = CE_CONFIG_FIELD(data, _CHILDREN) <= CE_CHILDREN &&
              CE_CONFIG_FIELD(data, _MODE) != MODE_SOURCE;

    if (enable && !c->enable && fits && !is_busy(self, in, e)) {
        c->enable = 1;
        c->root = CE_CONFIG_FIELD(data, _ROOT);
        c->ptag = CE_CONFIG_FIELD(data, _PTAG);
        c->rounding = CE_CONFIG_FIELD(data, _ROUNDING);
        c->mode = CE_CONFIG_FIELD(data, _MODE);
        c->event = CE_CONFIG_FIELD(data, _EVENT);
        c->errors = CE_CONFIG_FIELD(data, _ERRORS);
        c->children = CE_CONFIG_FIELD(data, _CHILDREN);
        c->timeout = CE_CONFIG_FIELD(data, _TIMEOUT);
        self->before &= (ce_engines)~ce_one(1, e);
    }
    if (!enable) {
        c->enable = 0;
    }
}

/* The driver's; and the children are wiped after a reset. */
static inline void write_registers(struct ce_gather *self, const struct ce_gather_in *in)
{
    u16 addr = in->write.addr;
    u64 data = in->write.data;
    ce_engine e = (ce_engine)(addr >> 6);
    u6 number = (u6)addr;
    u1 ours = in->write.valid && is_ours(addr);
    u1 rests = ours && !self->out.config[e].enable && !is_busy(self, in, e);
    u1 child = rests && number >= CE_CHILD && number < CE_STATUS;

    if (rests && number == CE_PARENT) {
        self->out.config[e].parent = CE_CONFIG_FIELD(data, 1_NODE);
        self->out.config[e].parent_engine = CE_CONFIG_FIELD(data, 1_ENGINE);
        self->out.config[e].as = CE_CONFIG_FIELD(data, 1_CHILD);
    }
    ce_place at = ce_place_of(e, (ce_child)(number - CE_CHILD));

    self->out.entry = (struct ce_entry){
        .valid = child || in->wipe.valid,
        .place = in->wipe.valid ? (ce_place)in->wipe.index : at,
        .code = child_ecc_encode((child_ecc_data)data), /* a wipe's data are 0 */
    };
    if (self->out.entry.valid) {
        self->children[self->out.entry.place] = self->out.entry.code;
    }
    if (ours && number == CE_CONFIG) {
        configure(self, in, e, data);
    }
}

static inline void show(struct ce_gather *self, const struct ce_gather_in *in)
{
    ce_engine e = (ce_engine)(in->read >> 6);
    u1 active = (u1)(self->out.active >> e);
    u1 busy = is_busy(self, in, e);
    ce_id id = active ? self->out.id[e] : self->last[e];

    self->out.known = is_ours(in->read) && (u6)in->read == CE_STATUS;
    self->out.status = ((u64)self->pending[e] << NR_CE3_PENDING_AT) | ((u64)id << NR_CE3_ID_AT) |
                       ((u64)active << NR_CE3_ACTIVE_AT) | ((u64)busy << NR_CE3_BUSY_AT) |
                       ((u64)self->out.config[e].enable << NR_CE3_ENABLED_AT);
}

/* ---- may it? ------------------------------------------------------------------------------------- */

/* Who sent it is the child that it names. */
static inline u1 is_child(const struct ce_gather *self, const struct ce_config *c)
{
    const struct ce_relative *child = &self->child;
    u1 endpoint = child->kind == CE_ENDPOINT && child->fma == (u7)req_tag(self->head);
    u1 engine = child->kind == CE_ENGINE && child->node == req_src(self->head);

    return child_of(self->head) < c->children && (self->joining ? endpoint : engine);
}

/* A join or CE_UP: what speaks against it in the state of its engine. */
static inline struct ce_judged judge_up(const struct ce_gather *self, ce_engine e)
{
    u1 active = (u1)(self->out.active >> e);
    u1 old = (u1)(self->before >> e);
    ce_id id = CE_FIELD(self->head, CE_ID_AT, 15);
    u6 operation = CE_FIELD(self->head, CE_OPERATION_AT, 6);
    u1 newer = (u1)((ce_id)(self->last[e] - id) >> 14);
    u1 wrong_id = active ? id != self->out.id[e] : old && !newer;
    u1 twice = (u1)(self->pending[e] >> child_of(self->head));
    u1 wrong = active && operation != self->out.operation[e];
    u2 reason = twice      ? (u2)CE_TWICE
                : wrong_id ? (u2)CE_WRONG_ID
                : wrong    ? (u2)CE_WRONG_OPERATION
                           : (u2)CE_OTHER;
    u1 unknown = !ce_exists(operation);
    u4 status = unknown              ? (u4)STATUS_BAD_COMMAND
                : reason != CE_OTHER ? (u4)STATUS_CE
                                     : (u4)STATUS_OK;

    return (struct ce_judged){.status = status, .reason = unknown ? (u2)CE_OTHER : reason};
}

/* A CE_DOWN: of the parent, and of what was sent. */
static inline struct ce_judged judge_down(const struct ce_gather *self,
                                          const struct ce_gather_in *in, ce_engine e)
{
    u1 sent = (u1)(in->phase.sent >> e) && (u1)(self->out.active >> e);
    u1 same = CE_FIELD(self->head, CE_ID_AT, 15) == self->out.id[e] &&
              CE_FIELD(self->head, CE_OPERATION_AT, 6) == self->out.operation[e];

    return (struct ce_judged){.status = sent && same ? (u4)STATUS_OK : (u4)STATUS_CE};
}

static inline u1 is_down(const struct ce_gather *self)
{
    return !self->joining && req_cmd(self->head) == CMD_CE_DOWN;
}

static inline struct ce_judged judge(const struct ce_gather *self, const struct ce_gather_in *in)
{
    ce_engine e = engine_of(self->head);
    const struct ce_config *c = &self->out.config[e];
    u1 down = is_down(self);
    u1 parent = !c->root && req_src(self->head) == c->parent && child_of(self->head) == c->as;
    u1 ours = c->enable && req_ptag(self->head) == c->ptag;
    u1 relative = down ? parent : is_child(self, c);
    struct ce_judged judged = down ? judge_down(self, in, e) : judge_up(self, e);

    if (self->bad) {
        return (struct ce_judged){.status = STATUS_DATA};
    }
    if (!down && self->fatal) {
        return (struct ce_judged){.status = STATUS_UNCORRECTABLE};
    }
    if (!ours || !relative) {
        return (struct ce_judged){.status = STATUS_PROTECTION};
    }
    return judged;
}

/* ---- what becomes of it --------------------------------------------------------------------------- */

/* A child has joined. */
static inline void accept_up(struct ce_gather *self, ce_engine e)
{
    ce_child k = child_of(self->head);
    u1 first = !(u1)(self->out.active >> e);

    self->out.part = (struct ce_part){
        .valid = 1,
        .place = ce_place_of(e, k),
        .exceptions = CE_FIELD(self->head, CE_EXCEPTIONS_AT, 4),
        .status = self->joining ? (u4)STATUS_OK : CE_FIELD(self->head, CE_STATUS_AT, 4),
        .first = (u64)self->operands,
        .second = (u64)(self->operands >> 64),
    };
    self->pending[e] |= (ce_children)((ce_children)1 << k);
    self->out.active |= ce_one(1, e);
    self->out.id[e] = CE_FIELD(self->head, CE_ID_AT, 15);
    self->out.operation[e] = CE_FIELD(self->head, CE_OPERATION_AT, 6);
    self->age[e] = first ? (u8)0 : self->age[e];
}

static inline void accept_down(struct ce_gather *self, ce_engine e)
{
    self->out.down = (struct ce_result){
        .valid = 1,
        .engine = e,
        .status = CE_FIELD(self->head, CE_STATUS_AT, 4),
        .exceptions = CE_FIELD(self->head, CE_EXCEPTIONS_AT, 4),
        .first = (u64)self->operands,
        .second = (u64)(self->operands >> 64),
    };
}

static inline struct ce_endpoint endpoint_of(const struct ce_gather *self)
{
    return (struct ce_endpoint){
        .mdh = req_mdh(self->head),
        .offset = (nic_offset)((nic_offset)(self->endpoint >> (JOIN_OFFSET_AT + 3)) << 3),
        .queue = (u10)(self->endpoint >> JOIN_QUEUE_AT),
        .event = (u56)(self->endpoint >> JOIN_EVENT_AT),
    };
}

/* The endpoint hears it from ce_send. */
static inline void refuse_join(struct ce_gather *self, ce_engine e, struct ce_judged judged)
{
    self->out.refusal = (struct ce_refusal){
        .valid = 1,
        .engine = e,
        .ptag = req_ptag(self->head),
        .status = judged.status,
        .reason = judged.reason,
        .id = CE_FIELD(self->head, CE_ID_AT, 15),
        .endpoint = endpoint_of(self),
    };
}

static inline void decide(struct ce_gather *self)
{
    ce_engine e = engine_of(self->head);
    struct ce_judged judged = self->judged;
    u1 ok = judged.status == STATUS_OK && !self->lost;
    u1 down = is_down(self);
    u1 tells = self->joining &&
               !self->lost; /* a join whose head or record is lost has nobody to be told */

    if (ok && down) {
        accept_down(self, e);
    } else if (ok) {
        accept_up(self, e);
    }
    self->out.joined = (struct ce_joined){
        .valid = ok && self->joining,
        .place = (u8)(((u8)(u1)(self->out.turn >> e) << 7) | ce_place_of(e, child_of(self->head))),
        .endpoint = endpoint_of(self),
    };
    if (tells && !ok) {
        refuse_join(self, e, judged);
    }
    if (!self->joining && !self->lost) {
        self->out.answer = (struct amo_answer){
            .valid = 1,
            .whom = whom_of(self->head),
            .status = judged.status,
        };
    }
    self->out.count |= (uint(GATHER_COUNTS))(
        ((uint(GATHER_COUNTS))(u1)!ok << GATHER_REFUSED) |
        ((uint(GATHER_COUNTS))(self->lost | self->bad | self->fatal) << GATHER_FATAL) |
        ((uint(GATHER_COUNTS))self->corrected << GATHER_CORRECTED));
}

/* ---- one after the other -------------------------------------------------------------------------- */

/* Beats that are taken in this clock. */
struct ce_pops {
    u1 join;
    u1 request;
};

static inline void take_head(struct ce_gather *self, const struct beat *front)
{
    self->head = front->word;
    self->lost = front->bad;
    self->bad = 0;
    self->second = 0;
    self->code = self->children[ce_place_of(engine_of(front->word), child_of(front->word))];
}

static inline void take_data(struct ce_gather *self, const struct beat *front)
{
    struct child_ecc_result entry = child_ecc_decode(self->code);

    self->child = ce_relative_of(entry.data);
    self->fatal = entry.fatal;
    self->corrected = entry.corrected;
    if (self->second) {
        self->endpoint = (beat_data)front->word;
        self->lost |= front->bad; /* nobody knows where to say so */
    } else {
        self->operands = (beat_data)front->word;
        self->bad |= front->bad;
    }
    self->second = 1;
}

static inline void gather(struct ce_gather *self, const struct ce_gather_in *in,
                          struct ce_pops *pops)
{
    struct beat join = self->joins.out.front;
    struct beat request = self->requests.out.front;
    u1 asks = request.valid && !self->out.answer.valid;
    u1 joins = join.valid && !self->out.refusal.valid;
    u1 joining = joins && !(asks && self->joining); /* in turn */
    u1 ends = (u1)(in->phase.begin >> engine_of(self->head));
    u1 chosen = self->at == GATHER_TAKE ? joining : self->joining;
    struct beat front = chosen ? join : request;

    HLS_PROCESS(self->at, GATHER_TAKE, GATHER_DATA, GATHER_JUDGE, GATHER_DECIDE);
    for (;;) {
        HLS_WAIT_UNTIL(GATHER_TAKE, (asks | joins) && !in->wipe.valid);
        self->joining = joining;
        pops->join = joining;
        pops->request = !joining;
        take_head(self, &front);
        do {
            HLS_WAIT_UNTIL(GATHER_DATA, front.valid);
            pops->join = self->joining;
            pops->request = !self->joining;
            take_data(self, &front);
        } while (!front.tail);
        do {
            HLS_WAIT(GATHER_JUDGE);
            self->judged = judge(self, in);
            HLS_WAIT(GATHER_DECIDE);
        } while (ends);
        decide(self);
    }
}

/* The children of an engine are given their result: the next reduction may begin. */
static inline void begin(struct ce_gather *self, const struct ce_gather_in *in)
{
    for (int e = 0; e < CE_ENGINES; e++) {
        if ((u1)(in->phase.begin >> e)) {
            self->out.told = self->pending[e];
            self->pending[e] = 0;
            self->last[e] = self->out.id[e];
        }
    }
    self->out.active &= (ce_engines)~in->phase.begin;
    self->out.turn ^= in->phase.begin;
    self->before |= in->phase.begin;
}

static inline void grow_old(struct ce_gather *self, const struct ce_gather_in *in)
{
    for (int e = 0; e < CE_ENGINES; e++) {
        const struct ce_config *c = &self->out.config[e];
        u1 active = (u1)(self->out.active >> e);
        u1 over = c->timeout != 0 && self->age[e] >= c->timeout;

        self->age[e] = (u8)(self->age[e] + (in->epoch && self->age[e] != 0xFF));
        self->out.late = (ce_engines)((self->out.late & ~ce_one(1, (ce_engine)e)) |
                                      ce_one(active && over, (ce_engine)e));
        self->out.closed = (ce_engines)((self->out.closed & ~ce_one(1, (ce_engine)e)) |
                                        ce_one(active && !c->enable, (ce_engine)e));
    }
}

HLS_MODULE void ce_gather(struct ce_gather *self, const struct ce_gather_in *in)
{
    struct ce_pops pops = {};
    u1 corrected = self->joins.out.corrected | self->requests.out.corrected;

    self->out.idle = self->out.active == 0 && self->at == GATHER_TAKE && self->joins.out.empty &&
                     self->requests.out.empty && !self->out.answer.valid &&
                     !self->out.refusal.valid && !in->join.valid && !in->request.valid;
    self->out.part.valid = 0;
    self->out.joined.valid = 0;
    self->out.down.valid = 0;
    self->out.answer.valid &= !in->answer_taken;
    self->out.refusal.valid &= !in->refusal_taken;
    self->out.count = (uint(GATHER_COUNTS))((uint(GATHER_COUNTS))corrected << GATHER_CORRECTED);
    begin(self, in);
    gather(self, in, &pops);
    grow_old(self, in);
    show(self, in);
    write_registers(self, in);

    struct beat_queue_in to_joins = {.push = in->join, .pop = pops.join};
    struct beat_queue_in to_requests = {.push = in->request, .pop = pops.request};

    beat_queue(&self->joins, &to_joins);
    beat_queue(&self->requests, &to_requests);
    self->out.room_join = self->joins.out.room;
    self->out.room_request = self->requests.out.room;
    hls_cover(self->out.answer.valid && self->out.refusal.valid);
}
