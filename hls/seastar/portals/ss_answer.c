// SPDX-License-Identifier: Apache-2.0
/*
 * ss_answer.c - acks, replies, messages that have left and answers that never come: each reads its pending, then the descriptor, and tells its process.
 */
#include "seastar/portals/ss_answer.h"

HLS_RESET void ss_answer_reset(struct ss_answer *self)
{
    *self = (struct ss_answer){};
}

static inline void begin(struct ss_answer *self, const struct ss_answer_in *in)
{
    ss_pending_index tag = in->left_turn      ? (ss_pending_index)in->left.who
                           : in->expire_turn  ? in->scan.pending
                           : in->release_turn ? (ss_pending_index)in->release.word[0]
                                              : (ss_pending_index)(in->ask.flit[0] >> 48);

    self->left = in->left_turn;
    self->expires = in->expire_turn;
    self->releases = in->release_turn;
    self->status = in->left.status;
    self->tag = tag;
    if (in->left_turn && in->left.teller == SS_TELLS_TICKET) {
        self->out.tell.valid = 1;
        self->out.tell.kind = SS_KIND_SENT;
        self->out.tell.status = in->left.status;
        self->out.tell.word[0] = (u64)in->left.who;
        self->state = SS_ANSWER_DONE;
    } else if (in->left_turn || in->expire_turn || in->release_turn || in->turn) {
        work_read_third(&self->out.work, pending_at(tag, 0));
        self->state = SS_ANSWER_ASK;
    }
}

static inline u1 is_reply(const struct ss_ask *ask)
{
    return (u4)ask->flit[0] == SS_REPLY;
}

static inline void keep_pending(struct ss_answer *self)
{
    work_write_third(&self->out.work, pending_at(self->tag, 0), ss_pending_cell(&self->pending));
}

/* A pending that has been looked at. From its second epoch on an answer comes no more; what has rested as long is free. */
static inline void judge_age(struct ss_answer *self, const struct ss_answer_in *in,
                             struct ss_pending p)
{
    u1 old = (u1)((u2)(in->scan.epoch - p.epoch) >> 1);

    self->state = SS_ANSWER_DONE;
    if (old && p.rests) {
        work_write_third(&self->out.work, pending_at(self->tag, 0), pending_freed(p.use));
        self->out.frees_pending = 1;
        self->out.pending = self->tag;
    } else if (old && p.waits && !p.leaving) {
        work_read_md(&self->out.work, (ss_entry_index)p.md);
        self->state = SS_ANSWER_WHERE;
    }
}

/* RELEASE ends: an entry tells its driver. */
static inline void tell_released(struct ss_answer *self, const struct ss_command *c,
                                 ss_status status)
{
    self->out.tell.valid = ss_command_ticket(c) != 0;
    self->out.tell.kind = SS_KIND_COMMAND;
    self->out.tell.status = status;
    self->out.tell.word[0] = (u64)ss_command_ticket(c);
    self->out.released = 1;
    self->state = SS_ANSWER_DONE;
}

/* A pending can be released while it waits for an answer that has not begun to come. */
static inline void judge_release(struct ss_answer *self, const struct ss_answer_in *in,
                                 struct ss_pending p)
{
    u64 tag = in->release.word[0];
    u1 known = (u12)tag < SS_PENDINGS && p.use == (u4)(tag >> 12) && !in->cells.third_fatal;

    if (known && p.waits && !p.leaving) {
        work_read_md(&self->out.work, (ss_entry_index)p.md);
        self->state = SS_ANSWER_WHERE;
    } else {
        tell_released(self, &in->release,
                      known && (p.leaving || p.in_reply) ? (ss_status)SS_IN_USE
                                                         : (ss_status)SS_ILLEGAL);
    }
}

/* Whether it is the answer to what this node asked of that one. Of what has left the pending is always one. */
static inline void judge(struct ss_answer *self, const struct ss_answer_in *in)
{
    const struct ss_ask *ask = &in->ask;
    struct ss_pending p = ss_cells_pending(in->cells.third, 0);
    u1 asked = is_reply(ask) ? p.op == SS_GET : p.op == SS_PUT && p.wants_ack;
    u1 known = (u12)(ask->flit[0] >> 48) < SS_PENDINGS && p.use == (u4)(ask->flit[0] >> 60) &&
               p.node == ask->node && p.waits;

    self->pending = p;
    if (self->expires) {
        judge_age(self, in, p);
    } else if (self->releases) {
        judge_release(self, in, p);
    } else if (self->left || (known && asked && !in->cells.third_fatal)) {
        work_read_md(&self->out.work, (ss_entry_index)p.md);
        self->state = SS_ANSWER_WHERE;
    } else {
        self->out.late = 1;
        self->out.decision.valid = 1;
        self->out.decision.takes = 0;
        self->state = SS_ANSWER_DONE;
    }
}

static inline void take_where(struct ss_answer *self, const struct ss_answer_in *in)
{
    struct ss_pending where = ss_cells_pending(0, in->cells.third);

    self->pending.addr = where.addr;
    self->pending.length = where.length;
    self->pending.offset = where.offset;
    self->wait = 1;
    self->state = SS_ANSWER_MD;
}

static inline void free_pending(struct ss_answer *self, ss_slot slot)
{
    work_write_third(&self->out.work, pending_at(self->tag, 0), pending_freed(self->pending.use));
    self->out.frees_pending = 1;
    self->out.pending = self->tag;
    self->out.held = (struct ss_held){.slot = slot, .pending_less = 1};
}

/* The first part of the event, of a descriptor that is written; what of its last operation. */
static inline void tell_first(struct ss_answer *self, struct ss_md md, u4 type, ss_status status,
                              u32 job)
{
    const struct ss_pending *p = &self->pending;
    u1 unlinked = md.ends && md.pending == 0;

    work_write_md(&self->out.work, (ss_entry_index)p->md, md);
    self->tells = md_tells(&md, SS_MD_END_OFF);
    self->threshold = md.threshold;
    self->queue = md.queue;
    self->out.unlink.at = (ss_entry_index)p->md;
    self->out.unlink.link = p->link;
    self->out.unlink.valid = unlinked;
    self->out.event = event_part(self->tells, md.queue, 0,
                                 event_first(type, status, p->portal, unlinked, p->md, p->link),
                                 (u64)p->node | ((u64)p->pid << 16) | ((u64)job << 32));
    self->part = 1;
    self->state = SS_ANSWER_PARTS;
}

/* SEND_END. Of what was never sent no ack comes. */
static inline void take_left(struct ss_answer *self, struct ss_md md, u2 epoch)
{
    u1 never = self->status != SS_OK && self->pending.length <= SS_IN_HEADER;
    u1 acks = self->pending.wants_ack && !never;
    u1 last = self->pending.wants_ack && never;

    md.pending -= last ? (u18)2 : (u18)1;
    self->pending.leaving = 0;
    self->pending.wants_ack = acks;
    self->pending.epoch = epoch;
    if (acks) {
        keep_pending(self);
    } else {
        free_pending(self, md.slot);
    }
    tell_first(self, md, SS_EVENT_SEND + 1, self->status, 0);
}

/* The END of a get or the ack of a put that never came; its tag rests. */
static inline void take_expired(struct ss_answer *self, struct ss_md md, u2 epoch)
{
    u1 gets = self->pending.op == SS_GET;

    self->pending.waits = 0;
    self->pending.rests = 1;
    self->pending.epoch = epoch;
    keep_pending(self);
    if (self->pending.generic) {
        self->out.tell.valid = 1;
        self->out.tell.kind = SS_KIND_REPLY;
        self->out.tell.status = SS_TIMEOUT;
        self->out.tell.word[0] =
            (u64)self->pending.ticket | ((u64)self->tag << 18) | ((u64)self->pending.use << 30);
        self->state = SS_ANSWER_DONE;
    } else {
        md.pending--;
        self->out.held = (struct ss_held){.slot = md.slot, .pending_less = 1};
        tell_first(self, md, gets ? (u4)(SS_EVENT_REPLY + 1) : (u4)SS_EVENT_ACK, SS_TIMEOUT, 0);
    }
}

/* No answer is taken any more, and no event tells of it; the tag rests. */
static inline void take_released(struct ss_answer *self, const struct ss_answer_in *in,
                                 struct ss_md md)
{
    const struct ss_pending *p = &self->pending;

    self->pending.waits = 0;
    self->pending.rests = 1;
    self->pending.epoch = in->scan.epoch;
    keep_pending(self);
    if (!p->generic) {
        md.pending--;
        work_write_md(&self->out.work, (ss_entry_index)p->md, md);
        self->out.held = (struct ss_held){.slot = md.slot, .pending_less = 1};
        self->out.unlink = (struct ss_unlink){
            .valid = md.ends && md.pending == 0, .at = (ss_entry_index)p->md, .link = p->link};
    }
    tell_released(self, &in->release, SS_OK);
}

static inline void take_ack(struct ss_answer *self, const struct ss_ask *ask, struct ss_md md)
{
    md.threshold -= md.threshold != SS_FOR_EVER && md.threshold != 0;
    md.inactive = md.inactive || md.threshold == 0;
    md.ends = md.ends || (md.inactive && md.unlink);
    md.pending--;
    self->out.decision.valid = 1;
    self->out.decision.takes = 0;
    self->pending.wants_ack = 0;
    self->pending.waits = 0;
    if (self->pending.leaving) {
        keep_pending(self);
    } else {
        free_pending(self, md.slot);
    }
    tell_first(self, md, SS_EVENT_ACK, (ss_status)(ask->flit[4] >> 40), (u32)(ask->flit[5] >> 32));
}

/* A reply goes where its get said, as much of it as that has room for. */
static inline void take_reply(struct ss_answer *self, const struct ss_answer_in *in,
                              const struct ss_md *md)
{
    const struct ss_ask *ask = &in->ask;
    const struct ss_pending *p = &self->pending;
    ss_length length = (ss_length)ask->flit[3];
    u1 longer = length > p->length;
    ss_place place = ask->whole ? in->place : ask->place;

    self->out.begin =
        (struct ss_begin){.valid = 1,
                          .place = place,
                          .type = SS_EVENT_REPLY,
                          .status = longer ? (ss_status)SS_CUT : (ss_status)(ask->flit[4] >> 40),
                          .at = (ss_entry_index)p->md,
                          .use = (u4)(p->md >> 12),
                          .link = p->link,
                          .threshold = md->threshold,
                          .requested = p->length,
                          .manipulated = longer ? p->length : length,
                          .offset = p->offset,
                          .addr = p->addr,
                          .generic = p->generic,
                          .pending = self->tag,
                          .tells = !p->generic && md_tells(md, SS_MD_START_OFF),
                          .queue = md->queue};
    self->out.decision = (struct ss_decision){.valid = 1,
                                              .takes = 1,
                                              .place = place,
                                              .addr = p->addr,
                                              .bytes = longer ? p->length : length};
    self->pending.waits = 0;
    self->pending.in_reply = 1;
    keep_pending(self);
    self->state = SS_ANSWER_DONE;
}

/* The descriptor is here. */
static inline void take(struct ss_answer *self, const struct ss_answer_in *in)
{
    struct ss_md md = ss_cells_md(in->cells.pair);

    if (!in->event_room) {
        return;
    }
    if (self->left) {
        take_left(self, md, in->scan.epoch);
    } else if (self->expires) {
        take_expired(self, md, in->scan.epoch);
    } else if (self->releases) {
        take_released(self, in, md);
    } else if (is_reply(&in->ask)) {
        take_reply(self, in, &md);
    } else {
        take_ack(self, &in->ask, md);
    }
}

/* Parts 1 to 3. The next turn tells nothing before the last one. */
static inline void tell_rest(struct ss_answer *self, const struct ss_ask *ask)
{
    const struct ss_pending *p = &self->pending;
    u1 left = self->left || self->expires; /* no header asks */
    u64 user = ((u64)self->threshold << 32) | (left ? (u64)0 : (u64)(u32)ask->flit[5]);
    u64 bits = left ? (u64)0 : ask->flit[1];
    u64 requested = left ? (u64)p->length : (u64)(ss_length)ask->flit[3];
    u64 taken = self->expires ? (u64)0 : left ? (u64)p->length : (u64)(ss_length)ask->flit[2];
    u64 offset = left ? (u64)p->offset : (u64)(ss_length)ask->flit[4];
    u64 low = self->part == 1 ? user : self->part == 2 ? (u64)0 : taken;
    u64 high = self->part == 1 ? bits : self->part == 2 ? requested : offset;

    self->out.event = event_part(self->tells, self->queue, self->part, low, high);
    self->out.done = self->part == 2;
    self->state = self->part == 3 ? SS_ANSWER_IDLE : SS_ANSWER_PARTS;
    self->part++;
}

static inline void step(struct ss_answer *self, const struct ss_answer_in *in)
{
    switch (self->state) {
    case SS_ANSWER_IDLE:
        begin(self, in);
        break;
    case SS_ANSWER_ASK:
        work_read_third(&self->out.work, pending_at(self->tag, 1));
        self->wait = 1;
        self->state = SS_ANSWER_PENDING;
        break;
    case SS_ANSWER_PENDING:
        judge(self, in);
        break;
    case SS_ANSWER_WHERE:
        take_where(self, in);
        break;
    case SS_ANSWER_MD:
        take(self, in);
        break;
    case SS_ANSWER_PARTS:
        tell_rest(self, &in->ask);
        break;
    case SS_ANSWER_DONE:
        self->out.done = 1;
        self->state = SS_ANSWER_IDLE;
        break;
    }
}

HLS_MODULE void ss_answer(struct ss_answer *self, const struct ss_answer_in *in)
{
    work_rest(&self->out.work);
    self->out.event.valid = 0;
    self->out.decision.valid = 0;
    self->out.begin.valid = 0;
    self->out.held = (struct ss_held){};
    self->out.tell.valid = 0;
    self->out.frees_pending = 0;
    self->out.late = 0;
    self->out.released = 0;
    self->out.done = 0;
    if (self->state == SS_ANSWER_IDLE) {
        self->out.unlink.valid = 0;
    }
    if (self->wait) {
        self->wait = 0;
    } else {
        step(self, in);
    }
}
