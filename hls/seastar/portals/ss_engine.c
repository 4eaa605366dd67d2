// SPDX-License-Identifier: Apache-2.0
/*
 * ss_engine.c - the engine: one program over the scratch memory.
 *
 * A cell that is read in one clock is here three clocks later; `wait` counts them. What an operation has to remember until its end, its
 * event above all, is kept in the five cells of a place of the scratch memory.
 */
#include "seastar/portals/ss_engine.h"

#define SMALL_REQUESTS                                                                             \
    (SS_PLACES - SS_RECORDS - 2) /* places of messages of class 0 in one packet */
#define COMMANDS_AFTER 8         /* things done, a command that waits is next */

HLS_RESET void ss_engine_reset(struct ss_engine *self)
{
    *self = (struct ss_engine){};
}

/* ---- the scratch memory ---------------------------------------------------------------------- */

/* What was taken still shows: the next thing is chosen when it does not. */
static inline void rest(struct ss_engine *self)
{
    self->wait = 2;
    self->state = SS_ENGINE_IDLE;
}

static inline void read_entry(struct ss_engine *self, ss_entry_index at)
{
    self->at = at;
    self->out.pair.read = 1;
    self->out.pair.read_at = (ss_scratch_index)at;
    self->wait = 2;
}

static inline void read_md(struct ss_engine *self, ss_entry_index at)
{
    self->out.pair.read = 1;
    self->out.pair.read_at = (ss_scratch_index)(SS_AT_MD | (ss_scratch_index)at);
    self->wait = 2;
}

static inline void read_third(struct ss_engine *self, ss_scratch_index at)
{
    self->out.third.read = 1;
    self->out.third.read_at = at;
    self->wait = 2;
}

static inline void write_entry(struct ss_engine *self, ss_entry_index at, struct ss_me me)
{
    self->out.pair.write = 1;
    self->out.pair.write_at = (ss_scratch_index)at;
    self->out.pair.data = ss_me_cells(&me);
}

static inline void write_md(struct ss_engine *self, ss_entry_index at, struct ss_md md)
{
    self->out.pair.write = 1;
    self->out.pair.write_at = (ss_scratch_index)(SS_AT_MD | (ss_scratch_index)at);
    self->out.pair.data = ss_md_cells(&md);
}

static inline void write_third(struct ss_engine *self, ss_scratch_index at, ss_cell data)
{
    self->out.third.write = 1;
    self->out.third.write_at = at;
    self->out.third.data = data;
}

/* ---- places, events -------------------------------------------------------------------------- */

static inline uint(SS_PLACES) place_bit(ss_place p)
{
    return (uint(SS_PLACES))((uint(SS_PLACES))1 << p);
}

/* Places of messages in one packet, by class. */
static inline uint(SS_PLACES) small_places(u1 class)
{
    uint(SS_PLACES) requests = (uint(SS_PLACES))(((1 << SMALL_REQUESTS) - 1) << SS_RECORDS);

    return class ? (uint(SS_PLACES))(3 << (SS_PLACES - 2)) : requests;
}

static inline u1 has_place(const struct ss_engine *self, u1 class)
{
    return (small_places(class) & ~self->out.busy) != 0;
}

static inline ss_place free_place(const struct ss_engine *self, u1 class)
{
    uint(SS_PLACES) free = small_places(class) & ~self->out.busy;
    ss_place at = 0;

    for (int p = SS_PLACES - 1; p >= 0; p--) {
        at = (u1)(free >> p) ? (ss_place)p : at;
    }
    return at;
}

static inline u1 md_option(const struct ss_md *md, int bit)
{
    return (u1)(md->options >> bit);
}

/* The event in `now`, if the descriptor has a queue and no option forbids it. */
static inline void push_event(struct ss_engine *self, int off)
{
    self->out.event.valid = self->md.has_queue && !md_option(&self->md, off);
    self->out.event.queue = self->md.queue;
    for (int w = 0; w < 8; w++) {
        self->out.event.word[w] = self->now.word[w];
    }
}

static inline void end_or_unlink(struct ss_engine *self, u1 unlinked)
{
    rest(self);
    if (unlinked) {
        self->state = SS_ENGINE_UNLINK;
    }
}

static inline ss_scratch_index open_at(ss_place place, u3 cell)
{
    return (ss_scratch_index)(SS_AT_OPEN | ((ss_scratch_index)place << 3) | (ss_scratch_index)cell);
}

static inline void begin_load(struct ss_engine *self, u1 owed)
{
    self->loads_owed = owed;
    self->step = 0;
    self->state = SS_ENGINE_LOAD;
}

#include "seastar/portals/ss_walk.inc"

#include "seastar/portals/ss_own.inc"

/* ---- START, and what the end has to know ----------------------------------------------------------- */

static inline void start(struct ss_engine *self, const struct ss_engine_in *in)
{
    if (in->event_room || self->now.generic) {
        if (!self->now.generic) {
            push_event(self, SS_MD_START_OFF);
        }
        self->step = 0;
        self->state = SS_ENGINE_SAVE;
    }
}

static inline void save(struct ss_engine *self)
{
    const struct ss_image *i = &self->now;
    u3 first = (u3)(self->step << 1);
    ss_cell words = (ss_cell)i->word[first] | ((ss_cell)i->word[first | 1] << 64);
    ss_cell rest_of = (ss_cell)i->addr | ((ss_cell)i->tag << 48) | ((ss_cell)i->ticket << 64) |
                      ((ss_cell)i->pending << 80) | ((ss_cell)i->kind << 86) |
                      ((ss_cell)i->ack << 88) | ((ss_cell)i->generic << 89);

    write_third(self, open_at(self->place, self->step), self->step == 4 ? rest_of : words);
    self->step++;
    if (self->step == 5) {
        self->owes |= i->kind == SS_GET - 1 ? place_bit(self->place) : (uint(SS_PLACES))0;
        rest(self);
    }
}

/* Five cells, a clock each, and with the first of them the descriptor that it names. */
static inline void load(struct ss_engine *self, const struct ss_engine_in *in)
{
    struct ss_image *i = &self->now;
    u3 first = (u3)((u3)(self->step - 3) << 1);

    if (self->step < 5) {
        read_third(self, open_at(self->place, self->step));
    }
    self->wait = 0;
    if (self->step == 3) {
        self->at = (ss_entry_index)(in->third >> 16);
        read_md(self, self->at);
        self->wait = 0;
    }
    if (self->step >= 3 && self->step != 7) {
        i->word[first] = (u64)in->third;
        i->word[first | 1] = (u64)(in->third >> 64);
    }
    if (self->step == 7) {
        i->addr = (u48)in->third;
        i->tag = (u16)(in->third >> 48);
        i->ticket = (u16)(in->third >> 64);
        i->pending = (ss_pending_index)(in->third >> 80);
        i->kind = (u2)(in->third >> 86);
        i->ack = (u1)(in->third >> 88);
        i->generic = (u1)(in->third >> 89);
        self->tag = i->pending;
        self->state = self->loads_owed ? SS_ENGINE_OWES : SS_ENGINE_END;
        if (i->kind == SS_REPLY - 1) {
            read_third(self, pending_at(self->tag, 0));
        }
    }
    self->step++;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The reply to a GET of the driver. */
static inline void end_generic(struct ss_engine *self)
{
    tell_command(self, SS_KIND_REPLY, self->now.ticket, self->status);
    self->out.tell.word[0] |= (u64)self->now.tag << 18;
    self->out.tell.word[1] = self->now.word[6];
    self->out.busy &= ~place_bit(self->place);
    free_tag(self);
    rest(self);
}

/* What the descriptor loses with an operation, and the END. */
static inline void end(struct ss_engine *self, const struct ss_engine_in *in)
{
    struct ss_image *i = &self->now;
    u4 type = i->kind == SS_PUT - 1   ? (u4)(SS_EVENT_PUT + 1)
              : i->kind == SS_GET - 1 ? (u4)(SS_EVENT_GET + 1)
                                      : (u4)(SS_EVENT_REPLY + 1);

    if (!in->event_room) {
        return;
    }
    self->md = ss_cells_md(in->pair);
    self->pending = ss_cells_pending(in->third, 0);
    self->status = self->status != SS_OK ? self->status : (ss_status)(i->word[0] >> 4);
    if (i->generic) {
        end_generic(self);
        return;
    }
    self->md.pending--;
    u1 unlinked = self->md.ends && self->md.pending == 0;

    i->word[0] =
        (i->word[0] & ~(u64)0xFF) | (u64)type | ((u64)self->status << 4) | ((u64)unlinked << 15);
    push_event(self, SS_MD_END_OFF);
    write_md(self, self->at, self->md);
    self->out.held.slot = self->md.slot;
    if (i->ack) {
        write_third(self, open_at(self->place, 0),
                    (ss_cell)i->word[0] | ((ss_cell)i->word[1] << 64));
        self->owes |= place_bit(self->place);
    } else {
        self->out.busy &= ~place_bit(self->place);
    }
    if (i->kind == SS_REPLY - 1) {
        free_tag(self);
    }
    end_or_unlink(self, unlinked);
}

/* The ack or the reply of a message is sent, with source and target swapped. */
static inline void owe(struct ss_engine *self, const struct ss_engine_in *in)
{
    const struct ss_image *i = &self->now;
    u1 gets = i->kind == SS_GET - 1;
    struct ss_md md = ss_cells_md(in->pair);
    struct ss_send_push *s = &self->out.send;
    u64 status = gets ? (u64)0 : (u64)(u4)(i->word[0] >> 4);

    s->valid = 1;
    s->class = 1;
    s->dst = (ss_node)i->word[1];
    s->header[0] = (gets ? (u64)SS_REPLY : (u64)SS_ACK) | ((u64)(u6)(i->word[0] >> 8) << 8) |
                   ((u64)(u16)(i->word[1] >> 16) << 16) | ((u64)in->process[md.slot].pid << 32) |
                   ((u64)i->tag << 48);
    s->header[1] = i->word[3];
    s->header[2] = gets ? (u64)0 : i->word[6];
    s->header[3] = (gets ? i->word[6] : i->word[5]) | ((u64)in->node << 40);
    s->header[4] = i->word[7] | (status << 40);
    s->header[5] = (u64)(u32)i->word[2] | (i->word[1] >> 32 << 32);
    s->addr = i->addr;
    s->bytes = gets ? (ss_length)i->word[6] : (ss_length)0;
    s->teller = gets ? SS_TELLS_PLACE : SS_TELLS_NOBODY;
    s->who = (u16)self->place;
    if (!gets) {
        self->out.busy &= ~place_bit(self->place);
    }
    rest(self);
}

/* Behind its last operation a descriptor that ends is freed, and its process told. */
static inline void unlink(struct ss_engine *self, const struct ss_engine_in *in)
{
    struct ss_md *md = &self->md;

    if (!in->event_room) {
        return;
    }
    self->now.word[0] = (u64)SS_EVENT_UNLINK | (self->now.word[0] >> 16 << 16);
    self->now.word[1] = 0;
    self->now.word[2] = (u64)md->threshold << 32;
    for (int w = 3; w < 8; w++) {
        self->now.word[w] = 0;
    }
    push_event(self, SS_MD_END_OFF);
    md->valid = 0;
    md->ends = 0;
    md->use++;
    write_md(self, self->at, *md);
    self->out.held.slot = md->slot;
    self->out.held.less = 1;
    if (md->of_me) {
        read_entry(self, self->at);
        self->state = SS_ENGINE_FREE;
    } else {
        rest(self);
    }
}

/* The descriptor's entry: freed with it, or without a descriptor from now on. */
static inline void free_entry(struct ss_engine *self, const struct ss_engine_in *in)
{
    struct ss_me me = ss_cells_me(in->pair);

    me.has_md = 0;
    me.valid = !self->md.entry_ends;
    me.use += self->md.entry_ends;
    write_entry(self, self->at, me);
    self->out.held.slot = self->md.slot;
    self->out.held.less = (u2)self->md.entry_ends;
    rest(self);
}

/* ---- the program ------------------------------------------------------------------------------- */

/* A command that can be done: what it needs is free. */
static inline u2 commands_ready(const struct ss_engine *self, const struct ss_engine_in *in)
{
    u1 tells = !self->out.tell.valid;
    u1 pending = self->pendings != (uint(SS_PENDINGS))-1;
    u1 zero = in->command[0].valid && (u1)in->send_room && pending && tells;
    u1 one = in->command[1].valid && (u1)(in->send_room >> 1) && tells;

    return (u2)((u2)zero | (u2)((u2)one << 1));
}

static inline void begin_command(struct ss_engine *self, const struct ss_engine_in *in, u2 ready)
{
    u4 op = ss_command_op(&in->command[0]);

    self->served = 0;
    if (in->has_local) {
        self->out.turn = 1;
        self->state = SS_ENGINE_TURN;
    } else if ((u1)(ready >> 1)) {
        begin_send(self, in, 1);
    } else if (op == SS_OP_PUT || op == SS_OP_GET) {
        begin_source(self, &in->command[0]);
    } else {
        begin_send(self, in, 0);
    }
}

/* The next place whose ack or reply can be sent. */
static inline void begin_owed(struct ss_engine *self)
{
    ss_place at = 0;

    for (int p = SS_PLACES - 1; p >= 0; p--) {
        at = (u1)(self->owes >> p) ? (ss_place)p : at;
    }
    self->place = at;
    self->owes &= ~place_bit(at);
    begin_load(self, 1);
}

static inline void choose(struct ss_engine *self, const struct ss_engine_in *in)
{
    u1 tells = !self->out.tell.valid;
    u1 answers = (u4)in->ask.flit[0] == SS_REPLY;
    u1 needs = in->ask.whole && (answers || !in->ask.class);
    u1 asks = in->ask.valid && (!needs || has_place(self, in->ask.class));
    u2 ready = commands_ready(self, in);
    u1 commands = in->has_local || ready != 0;
    u1 late = commands && self->served == COMMANDS_AFTER;

    self->served += self->served != COMMANDS_AFTER;
    if (late) {
        begin_command(self, in, ready);
    } else if (in->end.valid && tells) {
        self->place = in->end.place;
        self->status = in->end.status;
        self->out.ended = 1;
        begin_load(self, 0);
    } else if (asks && in->ask.class) {
        begin_answer(self, in);
    } else if (asks) {
        begin_walk(self, in);
    } else if ((in->left[0].valid || in->left[1].valid) && tells) {
        begin_left(self, in);
    } else if (self->owes != 0 && (u1)(in->send_room >> 1)) {
        begin_owed(self);
    } else if (commands) {
        begin_command(self, in, ready);
    }
}

static inline void step(struct ss_engine *self, const struct ss_engine_in *in)
{
    switch (self->state) {
    case SS_ENGINE_IDLE:
        if (in->ready) {
            choose(self, in);
        }
        break;
    case SS_ENGINE_TURN:
        if (in->local_done) {
            self->out.turn = 0;
            rest(self);
        }
        break;
    case SS_ENGINE_ACCESS:
        look_up_access(self, in);
        break;
    case SS_ENGINE_LIST:
        look_up_list(self, in);
        break;
    case SS_ENGINE_ENTRY:
        match(self, in);
        break;
    case SS_ENGINE_ACCEPT:
        accept(self, in);
        break;
    case SS_ENGINE_COMMIT:
        commit(self, in);
        break;
    case SS_ENGINE_DETACH:
        detach(self, in);
        break;
    case SS_ENGINE_START:
        start(self, in);
        break;
    case SS_ENGINE_SAVE:
        save(self);
        break;
    case SS_ENGINE_LOAD:
        load(self, in);
        break;
    case SS_ENGINE_END:
        end(self, in);
        break;
    case SS_ENGINE_OWES:
        owe(self, in);
        break;
    case SS_ENGINE_UNLINK:
        unlink(self, in);
        break;
    case SS_ENGINE_FREE:
        free_entry(self, in);
        break;
    case SS_ENGINE_ANSWER:
        judge_answer(self, in);
        break;
    case SS_ENGINE_ACK:
        take_ack(self, in);
        break;
    case SS_ENGINE_REPLY:
        take_reply(self, in);
        break;
    case SS_ENGINE_SOURCE:
        source(self, in);
        break;
    case SS_ENGINE_LEAVE:
        leave(self, in);
        break;
    case SS_ENGINE_PENDING:
        write_where(self);
        break;
    case SS_ENGINE_SEND_GET:
        send_get(self, in);
        break;
    case SS_ENGINE_LEFT:
        read_where(self, in);
        self->state = SS_ENGINE_LEFT_MD;
        break;
    case SS_ENGINE_LEFT_MD:
        left_md(self, in);
        break;
    }
}

HLS_MODULE void ss_engine(struct ss_engine *self, const struct ss_engine_in *in)
{
    self->out.command_taken = 0;
    self->out.decision.valid = 0;
    self->out.ended = 0;
    self->out.left_taken = 0;
    self->out.send.valid = 0;
    self->out.pair.read = 0;
    self->out.pair.write = 0;
    self->out.third.read = 0;
    self->out.third.write = 0;
    self->out.event.valid = 0;
    self->out.held = (struct ss_held){};
    self->out.events = (struct ss_engine_events){};
    if (in->told) {
        self->out.tell.valid = 0;
    }
    if (self->wait != 0) {
        self->wait--;
    } else {
        step(self, in);
    }
    self->out.place_room = has_place(self, 0);
    self->out.idle = self->state == SS_ENGINE_IDLE && self->out.busy == 0 && self->pendings == 0 &&
                     self->owes == 0;
}
