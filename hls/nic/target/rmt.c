// SPDX-License-Identifier: Apache-2.0
/*
 * rmt.c - sequences at the target, in the order in which memory answered (npt).
 *
 *   clock 0  the four entries of a set are read: of an operation's key, else of the next set in turn
 *   clock 1  looked at and changed; an operation has its result
 *
 * Each operation changes one entry at most, and answers one parked END at most; it waits while the answer to an earlier one stands. Memories
 * are LUTRAM without a code.
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

/* Clock 1. */
static inline void finish(struct rmt *self)
{
    struct found f = look(self);
    u1 operates = self->step == RMT_OPERATES;
    u2 way = operates ? (f.hits != 0 ? lowest(f.hits) : lowest(f.free)) : lowest(f.old);
    struct outcome o = decide(self, &f, way);
    const struct rmt_op *op = &self->op;
    struct rmt_end of = self->ends[(rmt_at)((rmt_at)((rmt_at)way << RMT_SET_LOG2) | self->place)];

    self->out.result =
        (struct rmt_result){.valid = operates, .note = operates && o.note, .parked = o.parks};
    self->out.event = (struct nic_event){
        .valid = operates && ((o.posts && op->wants) || (o.posts_of && of.wants)),
        .queue = o.posts ? op->queue : of.queue,
        .ptag = o.posts ? op->ptag : of.ptag,
        .word = event_word(STATUS_OK, EVENT_RMT_SRSP, o.posts ? op->event : of.event),
    };
    if (o.answers) {
        self->out.answer = (struct amo_answer){
            .valid = 1, .whom = of.whom, .status = STATUS_OK, .note = !operates};
    }
    if (o.writes) {
        o.entry.valid = operates && o.entry.valid;
        write(self, way, &o.entry);
    }
    if (operates && o.parks) {
        self->ends[(rmt_at)((rmt_at)((rmt_at)way << RMT_SET_LOG2) | self->place)] =
            (struct rmt_end){op->wants, op->queue, op->ptag, op->event, op->whom};
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
}

/* Clock 0: what is read, and for what; nothing while the answer to a parked END stands. */
static inline enum rmt_step begin(const struct rmt *self, u1 room_event)
{
    return self->out.answer.valid         ? RMT_NOTHING
           : self->op.valid && room_event ? RMT_OPERATES
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
    self->out.idle = self->parked == 0 && !self->op.valid && !in->op.valid &&
                     !self->out.answer.valid && !self->out.result.valid && !self->out.event.valid;
    self->out.answer.valid = self->out.answer.valid && !in->taken;
    self->out.result.valid = 0;
    self->out.event.valid = 0;
    if (in->wipe.valid) {
        wipe(self, (rmt_place)in->wipe.index);
    } else if (acts) {
        finish(self);
    }
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
