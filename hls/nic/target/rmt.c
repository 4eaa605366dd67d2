// SPDX-License-Identifier: Apache-2.0
/*
 * rmt.c - sequences at the target, in the order in which memory answered (npt).
 *
 *   clock 0  the four entries of a set are read: of an operation's key, else of the next set in turn
 *   clock 1  looked at and changed; an operation has its result
 *
 * Each operation changes one entry at most, and answers one parked END at most; it waits while the answer to an earlier one stands. What it
 * settles may have a flag: that goes to rat_local, which checks it as data for this host, and event and answer follow when it is written, in
 * the order of flags. So nothing here holds an address. Memories are LUTRAM without a code.
 */
#include "nic/target/rmt.h"

HLS_RESET void rmt_reset(struct rmt *self)
{
    self->out = (struct rmt_out){};
    self->op = (struct rmt_op){};
    self->step = RMT_NOTHING;
    for (int w = 0; w < RMT_WAYS; w++) {
        self->set[w] = (struct rmt_entry){};
    }
    self->place = 0;
    self->scrub = 0;
    self->epoch = 0;
    self->parked = 0;
    self->oldest = 0;
    self->writes = 0;
    self->written = 0;
    self->refused = 0;
}

static inline rmt_key key_of(const struct rmt_op *op)
{
    return (rmt_key)(((rmt_key)op->use << 27) | ((rmt_key)op->ssid << 18) | op->src);
}

/* Transactions of one node, and the same one of many nodes, spread over the sets. */
static inline rmt_place place_of(rmt_key key)
{
    rmt_place place = 0;

    for (int i = 0; i < 29; i += RMT_SET_LOG2) {
        place ^= (rmt_place)(key >> i);
    }
    return place;
}

/* The lowest way of a set of them. */
static inline u2 lowest(rmt_ways ways)
{
    return (u1)ways ? (u2)0 : (u1)(ways >> 1) ? (u2)1 : (u1)(ways >> 2) ? (u2)2 : (u2)3;
}

/* What the entries of the set are to the operation, and to the scrubber. */
struct found {
    rmt_ways hits, free, old;
};

static inline struct found look(const struct rmt *self)
{
    struct found f = {};

    for (int w = 0; w < RMT_WAYS; w++) {
        const struct rmt_entry *e = &self->set[w];
        u1 hits = e->valid && e->key == key_of(&self->op);
        u1 old = e->valid && (u1)((u2)(self->epoch - e->epoch) >> 1);

        f.hits |= (rmt_ways)((rmt_ways)hits << w);
        f.free |= (rmt_ways)((rmt_ways)(u1)!e->valid << w);
        f.old |= (rmt_ways)((rmt_ways)old << w);
    }
    return f;
}

/* What becomes of the entry of a way, and what is said. */
struct outcome {
    u1 writes;
    struct rmt_entry entry;
    u1 posts;    /* the event that the operation brought ... */
    u1 posts_of; /* ... or that its parked END did */
    u1 answers;  /* that END ... */
    u1 note;     /* ... so; or the operation, which has a result */
    u1 parks;
};

/* A packet is in memory. */
static inline struct outcome count(const struct rmt *self, struct rmt_entry e, u1 hit, u1 place)
{
    u32 counted = hit ? (u32)(e.count + 1) : (u32)1;
    u1 settles = hit && e.parked && counted == e.total;
    struct rmt_entry next = {.valid = !settles,
                             .key = key_of(&self->op),
                             .count = counted,
                             .parked = hit && e.parked,
                             .total = e.total,
                             .epoch = hit ? e.epoch : self->epoch};

    return (struct outcome){.writes = hit || place,
                            .entry = next,
                            .posts_of = settles,
                            .answers = settles,
                            .note = !hit && !place};
}

/* All have left: so many were counted. */
static inline struct outcome end(const struct rmt *self, struct rmt_entry e, u1 hit, u1 place)
{
    u32 counted = hit ? e.count : (u32)0;
    u1 again = hit && e.parked; /* a second one of the same transaction: none sends such */
    u1 settles = !again && counted == self->op.total;
    u1 parks = !again && !settles && (hit || place);
    struct rmt_entry next = {.valid = parks,
                             .key = key_of(&self->op),
                             .count = counted,
                             .parked = 1,
                             .total = self->op.total,
                             .epoch = self->epoch};

    return (struct outcome){.writes = parks || (settles && hit),
                            .entry = next,
                            .posts = settles,
                            .note = !settles && !parks,
                            .parks = parks};
}

/* The initiator knows that the count does not reach the total, or that nothing is wanted. */
static inline struct outcome note(struct rmt_entry e, u1 hit)
{
    return (struct outcome){.writes = hit, .posts = 1, .answers = hit && e.parked};
}

static inline struct outcome scrub(struct rmt_entry e, u1 old)
{
    return (struct outcome){.writes = old, .answers = old && e.parked, .note = 1};
}

static inline struct outcome decide(const struct rmt *self, const struct found *f, u2 way)
{
    struct rmt_entry e = self->set[way];
    u1 hit = f->hits != 0, place = f->free != 0;

    return self->step == RMT_SCRUBS        ? scrub(e, f->old != 0)
           : self->op.kind == RMT_OP_COUNT ? count(self, e, hit, place)
           : self->op.kind == RMT_OP_END   ? end(self, e, hit, place)
                                           : note(e, hit);
}

static inline void write(struct rmt *self, u2 way, const struct rmt_entry *entry)
{
    if (way == 0) {
        self->way0[self->place] = *entry;
    } else if (way == 1) {
        self->way1[self->place] = *entry;
    } else if (way == 2) {
        self->way2[self->place] = *entry;
    } else {
        self->way3[self->place] = *entry;
    }
}

/* ---- flags --------------------------------------------------------------------------------------- */

static inline rmt_writes bit_of(u1 valid, rmt_write_at place)
{
    return (rmt_writes)((rmt_writes)valid << place);
}

/* Places of flags that are under way. */
static inline rmt_writes under_way(const struct rmt *self)
{
    rmt_writes places = 0;

    for (int i = 0; i < RMT_WRITES; i++) {
        u1 used = (rmt_write_at)(i - self->oldest) < self->writes;

        places |= bit_of(used, (rmt_write_at)i);
    }
    return places;
}

/* A flag goes to rat_local; its event and its answer wait until it is written. */
static inline void begin_write(struct rmt *self, const struct rmt_end *of,
                               const struct rmt_flag *flag)
{
    rmt_write_at place = (rmt_write_at)(self->oldest + self->writes);

    self->waiting[place] = *of;
    self->writes++;
    self->out.flag =
        (struct rmt_write){.valid = 1, .place = place, .ptag = of->ptag, .flag = *flag};
}

/* None has been answered that is not under way, and an operation finds a place for one more. */
static inline void assert_writes(const struct rmt *self)
{
    rmt_writes told = self->written | self->refused;

    hls_assert(self->writes <= RMT_WRITES);
    hls_assert((told & (rmt_writes)~under_way(self)) == 0);
    hls_assert(self->step != RMT_OPERATES || self->writes != RMT_WRITES);
    hls_assert(self->step != RMT_TELLS || (u1)(told >> self->oldest));
}

/* What becomes of flags that are under way. */
static inline void watch_writes(struct rmt *self, const struct rmt_in *in)
{
    u1 done = in->done.valid && is_of_rmt(&in->done);
    rmt_write_at place = (rmt_write_at)in->done.place;

    /* memory and rat_local: of what they took */
    hls_assume(!done || (u1)(under_way(self) >> place));
    hls_assume(!in->refused.valid || (u1)(under_way(self) >> in->refused.place));

    if (done) {
        self->memory[place] = in->done.status;
    }
    if (in->refused.valid) {
        self->why[in->refused.place] = in->refused.status;
    }
    self->written |= bit_of(done, place);
    self->refused |= bit_of(in->refused.valid, in->refused.place);
}

/* The oldest flag is written: its event, and the answer to its END or NOTE. */
static inline void tell(struct rmt *self)
{
    struct rmt_end of = self->waiting[self->oldest];
    nic_status_field memory = status_of_memory(self->memory[self->oldest]);
    u1 refused = (u1)(self->refused >> self->oldest);
    nic_status_field status = refused ? self->why[self->oldest] : memory;
    rmt_writes bit = bit_of(1, self->oldest);

    self->out.event = (struct nic_event){
        .valid = of.wants && status == STATUS_OK,
        .queue = of.queue,
        .ptag = of.ptag,
        .word = event_word(STATUS_OK, EVENT_RMT_SRSP, of.event),
    };
    self->out.answer = (struct amo_answer){.valid = 1, .whom = of.whom, .status = status};
    self->written &= (rmt_writes)~bit;
    self->refused &= (rmt_writes)~bit;
    self->oldest++;
    self->writes = (uint(RMT_WRITES_LOG2 + 1))(self->writes - 1);
}

/* ---- clock 1 ------------------------------------------------------------------------------------- */

static inline void finish(struct rmt *self)
{
    struct found f = look(self);
    u1 operates = self->step == RMT_OPERATES;
    u2 way = operates ? (f.hits != 0 ? lowest(f.hits) : lowest(f.free)) : lowest(f.old);
    struct outcome o = decide(self, &f, way);
    const struct rmt_op *op = &self->op;
    rmt_at at = (rmt_at)((rmt_at)((rmt_at)way << RMT_SET_LOG2) | self->place);
    struct rmt_end here = {op->wants, op->queue, op->ptag, op->event, op->whom};
    struct rmt_end parked = self->ends[at];
    struct rmt_flag flag_parked = self->flags[at];
    struct rmt_end of = o.posts ? here : parked; /* what is settled */
    struct rmt_flag flag = o.posts ? op->flag : flag_parked;
    u1 settles = operates && (o.posts || o.posts_of);
    u1 writes = settles && flag.wanted;
    u1 later = writes && o.posts; /* the operation is answered behind its flag ... */
    u1 answers = o.answers && !(writes && o.posts_of); /* ... or the parked END is */

    self->out.result = (struct rmt_result){
        .valid = operates, .note = operates && o.note, .parked = o.parks | later};
    self->out.event = (struct nic_event){
        .valid = settles && of.wants && !writes,
        .queue = of.queue,
        .ptag = of.ptag,
        .word = event_word(STATUS_OK, EVENT_RMT_SRSP, of.event),
    };
    if (writes) {
        begin_write(self, &of, &flag);
    }
    if (answers) {
        self->out.answer = (struct amo_answer){
            .valid = 1, .whom = parked.whom, .status = STATUS_OK, .note = !operates};
    }
    if (o.writes) {
        o.entry.valid = operates && o.entry.valid;
        write(self, way, &o.entry);
    }
    if (operates && o.parks) {
        self->ends[at] = here;
        self->flags[at] = op->flag;
    }
    self->parked = (uint(NIC_RMT_LOG2 + 1))(self->parked + (operates && o.parks) - o.answers);
    self->scrub += self->step == RMT_SCRUBS && f.old == 0;
    self->op.valid = self->op.valid && !operates; /* it has its result */

    hls_cover(operates && o.posts_of);                        /* the last packet settles */
    hls_cover(operates && op->kind == RMT_OP_END && o.posts); /* END does */
    hls_cover(operates && o.note && op->kind == RMT_OP_COUNT);
    hls_cover(operates && o.note && op->kind == RMT_OP_END);
    hls_cover(operates && op->kind == RMT_OP_NOTE && o.answers);
    hls_cover(self->step == RMT_SCRUBS && o.answers);
    hls_cover(writes && o.posts_of);
    hls_cover(later);
}

/*
 * Clock 0: what is read, and for what; nothing while an answer stands. An operation begins only with a place for the flag that it may settle.
 */
static inline enum rmt_step begin(const struct rmt *self, u1 room_event)
{
    u1 told = (u1)((self->written | self->refused) >> self->oldest);
    u1 room_flag = self->writes != RMT_WRITES && !self->out.flag.valid;

    return self->out.answer.valid                      ? RMT_NOTHING
           : told && room_event                        ? RMT_TELLS
           : self->op.valid && room_event && room_flag ? RMT_OPERATES
                                                       : RMT_SCRUBS;
}

static inline void wipe(struct rmt *self, rmt_place place)
{
    const struct rmt_entry none = {};

    self->way0[place] = none;
    self->way1[place] = none;
    self->way2[place] = none;
    self->way3[place] = none;
}

HLS_MODULE void rmt(struct rmt *self, const struct rmt_in *in)
{
    enum rmt_step next = begin(self, in->room_event);
    u1 acts = self->step != RMT_NOTHING;
    rmt_place place = acts                   ? self->place
                      : next == RMT_OPERATES ? place_of(key_of(&self->op))
                                             : self->scrub;
    struct rmt_entry read[RMT_WAYS] = {self->way0[place], self->way1[place], self->way2[place],
                                       self->way3[place]};

    hls_assume(!in->op.valid || !self->op.valid); /* npt waits for the result */
    hls_assert(self->parked <= 1 << NIC_RMT_LOG2);
    assert_writes(self);
    self->out.idle = self->parked == 0 && self->writes == 0 && !self->op.valid && !in->op.valid &&
                     !self->out.answer.valid && !self->out.result.valid && !self->out.event.valid;
    self->out.answer.valid = self->out.answer.valid && !in->taken;
    self->out.result.valid = 0;
    self->out.event.valid = 0;
    self->out.flag.valid = self->out.flag.valid && !in->flag_taken;
    if (in->wipe.valid) {
        wipe(self, (rmt_place)in->wipe.index);
    } else if (self->step == RMT_TELLS) {
        tell(self);
    } else if (acts) {
        finish(self);
    }
    watch_writes(self, in);
    self->step = acts || in->wipe.valid ? RMT_NOTHING : next;
    self->place = place;
    for (int w = 0; w < RMT_WAYS; w++) {
        self->set[w] = read[w];
    }
    if (in->op.valid) {
        self->op = in->op;
    }
    self->epoch += in->config.rmt;
}
