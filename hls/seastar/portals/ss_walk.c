// SPDX-License-Identifier: Apache-2.0
/*
 * ss_walk.c - a request at its target: access, walk, acceptance, commit.
 *
 * The access entry is read behind the list, and each descriptor behind its entry. So an entry that does not match costs three clocks, one whose descriptor refuses two more.
 */
#include "seastar/portals/ss_walk.h"

HLS_RESET void ss_walk_reset(struct ss_walk *self)
{
    *self = (struct ss_walk){};
}

static inline u6 ask_portal(const struct ss_ask *ask)
{
    return (u6)(ask->flit[0] >> 8);
}

static inline u1 ask_gets(const struct ss_ask *ask)
{
    return (u4)ask->flit[0] == SS_GET;
}

static inline ss_scratch_index list_at(const struct ss_walk *self, const struct ss_walk_in *in)
{
    return (ss_scratch_index)(SS_AT_LIST | ((ss_scratch_index)self->slot << 6) |
                              (ss_scratch_index)ask_portal(&in->ask));
}

static inline void write_list(struct ss_walk *self, const struct ss_walk_in *in)
{
    work_write_third(&self->out.work, list_at(self, in), ss_list_cell(&self->list));
}

/* Nobody takes the message. */
static inline void refuse(struct ss_walk *self)
{
    self->out.decision.valid = 1;
    self->out.decision.takes = 0;
    self->out.refused = 1;
    self->state = SS_WALK_DONE;
}

/* Each of the sender's names is the one that is wanted, or any is. */
static inline u1 admits(struct ss_who who, ss_node node, u16 pid, u64 identity)
{
    u1 right_node = who.any_node || who.node == node;
    u1 right_pid = who.any_pid || who.pid == pid;
    u1 right_user = who.any_user || who.user == (u32)identity;
    u1 right_job = who.any_job || who.job == (u32)(identity >> 32);

    return right_node && right_pid && right_user && right_job;
}

/* The slot of the pid, and the list of the portal. */
static inline void begin(struct ss_walk *self, const struct ss_walk_in *in)
{
    const struct ss_ask *ask = &in->ask;
    ss_slot slot = 0;

    for (int s = 0; s < SS_PROCESSES; s++) {
        slot |= in->process[s].accelerated && in->process[s].pid == (u16)(ask->flit[0] >> 16)
                    ? (ss_slot)s
                    : (ss_slot)0;
    }
    self->slot = slot;
    self->has_prev = 0;
    self->out.begin.place = ask->whole ? in->place : ask->place;
    work_read_third(&self->out.work, list_at(self, in));
    self->state = SS_WALK_ASK_ACCESS;
}

/* The access entry that the message names. */
static inline void ask_access(struct ss_walk *self, const struct ss_ask *ask)
{
    work_read_third(&self->out.work,
                    (ss_scratch_index)(SS_AT_ACCESS | ((ss_scratch_index)self->slot << 3) |
                                       (ss_scratch_index)(u3)(ask->flit[0] >> 5)));
    self->wait = 1;
    self->state = SS_WALK_LIST;
}

static inline void read_entry(struct ss_walk *self, ss_entry_index at)
{
    self->at = at;
    work_read_entry(&self->out.work, at);
    self->state = SS_WALK_ASK_MD;
}

static inline void look_up_list(struct ss_walk *self, const struct ss_walk_in *in)
{
    self->list = ss_cell_list(in->cells.third);
    self->out.poisoned = in->cells.third_fatal;
    if (self->list.some && !self->list.refuses && !in->cells.third_fatal) {
        read_entry(self, self->list.first);
        self->state = SS_WALK_ACCESS;
    } else {
        refuse(self);
    }
}

/* The descriptor of the entry that was asked for a clock before. */
static inline void ask_md(struct ss_walk *self)
{
    work_read_md(&self->out.work, self->at);
    self->wait = 1;
    self->state = SS_WALK_ENTRY;
}

static inline void look_up_access(struct ss_walk *self, const struct ss_walk_in *in)
{
    const struct ss_ask *ask = &in->ask;
    ss_cell cell = in->cells.third;
    struct ss_who who = ss_cell_who(cell);
    u1 portal = (u1)(cell >> 105) || (u6)(cell >> 99) == ask_portal(ask);

    if ((u1)(cell >> 106) && portal && !in->cells.third_fatal &&
        admits(who, ask->node, (u16)(ask->flit[0] >> 32), ask->flit[5])) {
        ask_md(self);
    } else {
        refuse(self);
    }
}

/* The message is not for this entry: the next one is read. */
static inline void pass_on(struct ss_walk *self, struct ss_me me)
{
    self->prev = me;
    self->prev_at = self->at;
    self->has_prev = 1;
    if (me.has_next) {
        read_entry(self, me.next);
    } else {
        refuse(self);
    }
}

/* An uncorrectable entry or descriptor ends the walk, and its list refuses until the driver has written it anew. */
static inline void poison(struct ss_walk *self, const struct ss_walk_in *in)
{
    self->list.refuses = 1;
    write_list(self, in);
    self->out.poisoned = 1;
    refuse(self);
}

static inline void match(struct ss_walk *self, const struct ss_walk_in *in)
{
    const struct ss_ask *ask = &in->ask;
    struct ss_me me = ss_cells_me(in->cells.pair);
    u1 bits = ((ask->flit[1] ^ me.match) & ~me.ignore) == 0;

    self->me = me;
    if (in->cells.pair_fatal) {
        poison(self, in);
    } else if (bits && me.has_md &&
               admits(me.who, ask->node, (u16)(ask->flit[0] >> 32), ask->flit[5])) {
        self->state = SS_WALK_ACCEPT;
    } else {
        pass_on(self, me);
    }
}

/* What is left of a descriptor behind an offset. */
static inline ss_length left_of(const struct ss_md *md, ss_length offset)
{
    return offset < md->length ? (ss_length)(md->length - offset) : (ss_length)0;
}

/* Whether the descriptor takes the message, how much of it, and where. */
static inline void accept(struct ss_walk *self, const struct ss_walk_in *in)
{
    const struct ss_ask *ask = &in->ask;
    struct ss_md md = ss_cells_md(in->cells.pair);
    ss_length requested = (ss_length)ask->flit[3];
    ss_length offset = md_option(&md, SS_MD_REMOTE) ? (ss_length)ask->flit[4] : md.offset;
    ss_length left = left_of(&md, offset);
    ss_length free = md_option(&md, SS_MD_MAX_SIZE) && md.max_size < left ? md.max_size : left;
    u1 fits = requested <= free;
    u1 allows = md_option(&md, ask_gets(ask) ? SS_MD_GET : SS_MD_PUT);

    self->md = md;
    self->offset = offset;
    self->manipulated = fits ? requested : free;
    self->takes =
        !md.inactive && md.threshold != 0 && allows && (fits || md_option(&md, SS_MD_TRUNCATE));
    if (in->cells.pair_fatal) {
        poison(self, in);
    } else {
        self->state = SS_WALK_COMMIT;
    }
}

/* The decision, and what the operation's events and its end have to know. */
static inline void decide(struct ss_walk *self, const struct ss_walk_in *in)
{
    const struct ss_ask *ask = &in->ask;
    const struct ss_md *md = &self->md;
    struct ss_begin *b = &self->out.begin;
    u1 gets = ask_gets(ask);

    b->valid = 1;
    b->type = gets ? (u4)SS_EVENT_GET : (u4)SS_EVENT_PUT;
    b->at = self->at;
    b->use = md->use;
    b->link = in->link;
    b->threshold = md->threshold;
    b->requested = (ss_length)ask->flit[3];
    b->manipulated = self->manipulated;
    b->offset = self->offset;
    b->addr = (u48)(md->start + self->offset);
    b->ack = !gets && (u1)(ask->flit[0] >> 4) && !md_option(md, SS_MD_ACK_OFF);
    b->tells = md_tells(md, SS_MD_START_OFF);
    b->queue = md->queue;
    self->out.decision = (struct ss_decision){
        .valid = 1, .takes = !gets, .place = b->place, .addr = b->addr, .bytes = self->manipulated};
}

/* The list without the entry. */
static inline void leave_list(struct ss_walk *self, const struct ss_walk_in *in)
{
    self->list.last = self->me.has_next ? self->list.last : self->prev_at;
    if (!self->has_prev) {
        self->list.first = self->me.next;
        self->list.some = self->me.has_next;
    }
    write_list(self, in);
}

/* Offset, threshold and what follows of them. */
static inline void commit(struct ss_walk *self, const struct ss_walk_in *in)
{
    struct ss_md *md = &self->md;
    u1 local = !md_option(md, SS_MD_REMOTE);

    if (!self->takes) {
        pass_on(self, self->me);
    } else if (in->event_room) {
        if (local) {
            md->offset += self->manipulated;
        }
        u1 full = md_option(md, SS_MD_MAX_SIZE) && local && left_of(md, md->offset) < md->max_size;

        md->threshold -= md->threshold != SS_FOR_EVER;
        md->inactive = md->threshold == 0 || full;
        md->ends = md->inactive && md->unlink;
        md->entry_ends = md->ends && self->me.unlink;
        md->pending++;
        work_write_md(&self->out.work, self->at, *md);
        if (md->entry_ends) {
            leave_list(self, in);
        }
        decide(self, in);
        self->state = md->ends ? SS_WALK_DETACH : SS_WALK_DONE;
    }
}

/* The entry before it leads to the one behind it, so that the next message does not find it; or it stays, without a descriptor. */
static inline void detach(struct ss_walk *self)
{
    u1 leaves = self->me.unlink;
    struct ss_me other = leaves ? self->prev : self->me;

    if (leaves) {
        other.next = self->me.next;
        other.has_next = self->me.has_next;
    } else {
        other.has_md = 0;
    }
    if (!leaves || self->has_prev) {
        work_write_entry(&self->out.work, leaves ? self->prev_at : self->at, other);
    }
    self->state = SS_WALK_DONE;
}

static inline void step(struct ss_walk *self, const struct ss_walk_in *in)
{
    switch (self->state) {
    case SS_WALK_IDLE:
        if (in->turn && !self->out.done) {
            begin(self, in);
        }
        break;
    case SS_WALK_ASK_ACCESS:
        ask_access(self, &in->ask);
        break;
    case SS_WALK_LIST:
        look_up_list(self, in);
        break;
    case SS_WALK_ACCESS:
        look_up_access(self, in);
        break;
    case SS_WALK_ASK_MD:
        ask_md(self);
        break;
    case SS_WALK_ENTRY:
        match(self, in);
        break;
    case SS_WALK_ACCEPT:
        accept(self, in);
        break;
    case SS_WALK_COMMIT:
        commit(self, in);
        break;
    case SS_WALK_DETACH:
        detach(self);
        break;
    case SS_WALK_DONE:
        self->state = SS_WALK_IDLE;
        break;
    }
}

HLS_MODULE void ss_walk(struct ss_walk *self, const struct ss_walk_in *in)
{
    u1 over = self->state == SS_WALK_DONE;

    work_rest(&self->out.work);
    self->out.decision.valid = 0;
    self->out.begin.valid = 0;
    self->out.refused = 0;
    self->out.poisoned = 0;
    if (self->wait) {
        self->wait = 0;
    } else {
        step(self, in);
    }
    self->out.done = over;
}
