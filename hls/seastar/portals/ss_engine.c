// SPDX-License-Identifier: Apache-2.0
/*
 * ss_engine.c - the engine: walks a match list, takes a message into the first descriptor that accepts it, and tells its events.
 *
 * The list's end, an entry and its descriptor are read in a clock each; the next clock compares. A descriptor that does not accept passes
 * the message on to the next entry. An event is eight words, the last of which has its number.
 */
#include "seastar/portals/ss_engine.h"

HLS_RESET void ss_engine_reset(struct ss_engine *self)
{
    self->out = (struct ss_engine_out){};
    self->state = SS_ENGINE_IDLE;
    self->rest = 0;
    self->open = 0;
    self->user = 0;
    self->job = 0;
    self->listed = 0;
    self->used = 0;
    self->with_md = 0;
    self->with_next = 0;
    self->at = 0;
    self->me = (struct ss_me){};
    self->md = (struct ss_md){};
    self->manipulated = 0;
    self->offset = 0;
    self->links = 0;
    self->record = 0;
    self->ends = 0;
    self->status = 0;
    self->now = (struct ss_open){};
    self->word = 0;
    for (int q = 0; q < SS_QUEUES; q++) {
        self->written[q] = 0;
        self->read[q] = 0;
    }
    self->queues = 0;
    self->lost = 0;
    self->ticket = 0;
}

static inline ss_entry_set entry_bit(ss_entry_index at)
{
    return (ss_entry_set)((ss_entry_set)1 << at);
}

/* ---- headers ---------------------------------------------------------------------------------- */

static inline u6 ask_portal(const struct ss_ask *ask)
{
    return (u6)(ask->flit[0] >> 8);
}

static inline void answer(struct ss_engine *self, u1 takes, u48 addr, ss_length bytes)
{
    self->out.decision =
        (struct ss_decision){.valid = 1, .takes = takes, .addr = addr, .bytes = bytes};
    self->out.refused = !takes;
    self->rest = 4;
}

static inline void refuse(struct ss_engine *self)
{
    answer(self, 0, 0, 0);
    self->state = SS_ENGINE_IDLE;
}

/* Access entry 0 admits the own user. */
static inline void look_up(struct ss_engine *self, const struct ss_ask *ask,
                           struct ss_list_end list)
{
    u1 admitted = (u3)(ask->flit[0] >> 5) == 0 && (u32)ask->flit[5] == self->user;

    if (admitted && (u1)(self->listed >> ask_portal(ask))) {
        self->at = list.first;
        self->state = SS_ENGINE_ENTRY;
    } else {
        refuse(self);
    }
}

static inline u1 matches(const struct ss_me *me, const struct ss_ask *ask)
{
    u1 node = me->any_node || me->node == ask->node;
    u1 pid = me->any_pid || me->pid == (u16)(ask->flit[0] >> 32);
    u1 user = me->any_user || me->user == (u32)ask->flit[5];
    u1 job = me->any_job || me->job == (u32)(ask->flit[5] >> 32);

    return node && pid && user && job && ((ask->flit[1] ^ me->match) & ~me->ignore) == 0;
}

static inline u1 option(const struct ss_md *md, int bit)
{
    return (u1)(md->options >> bit);
}

/* The entry that was read takes the message, or the next one is read, or nobody takes it. */
static inline void match(struct ss_engine *self, const struct ss_ask *ask, ss_entry_index next)
{
    const struct ss_md *md = &self->md;
    ss_length requested = (ss_length)ask->flit[3];
    ss_length offset = option(md, SS_MD_REMOTE) ? (ss_length)ask->flit[4] : md->offset;
    ss_length left = offset < md->length ? (ss_length)(md->length - offset) : (ss_length)0;
    ss_length free = option(md, SS_MD_MAX_SIZE) && md->max_size < left ? md->max_size : left;
    u1 fits = requested <= free;
    u1 active = !md->inactive && md->threshold != 0 && option(md, SS_MD_PUT);
    u1 takes = matches(&self->me, ask) && (u1)(self->with_md >> self->at) && active &&
               (fits || option(md, SS_MD_TRUNCATE));

    self->manipulated = fits ? requested : free;
    self->offset = offset;
    if (takes) {
        self->state = SS_ENGINE_COMMIT;
    } else if ((u1)(self->with_next >> self->at)) {
        self->at = next;
        self->state = SS_ENGINE_ENTRY;
    } else {
        refuse(self);
    }
}

/* An event follows, if the descriptor has a queue and wants it. */
static inline void tell_event(struct ss_engine *self, u1 end)
{
    u1 off = option(&self->md, end ? SS_MD_END_OFF : SS_MD_START_OFF);
    u1 queue = self->md.has_queue && (u1)(self->queues >> self->md.queue);

    self->ends = end;
    self->word = 0;
    self->state = queue && !off ? SS_ENGINE_EVENT : SS_ENGINE_IDLE;
}

/* Offset, threshold and what follows of them. */
static inline void commit(struct ss_engine *self, const struct ss_ask *ask)
{
    struct ss_md *md = &self->md;
    u1 local = !option(md, SS_MD_REMOTE);
    ss_length offset = local ? (ss_length)(md->offset + self->manipulated) : md->offset;
    ss_length left = offset < md->length ? (ss_length)(md->length - offset) : (ss_length)0;
    u32 threshold = md->threshold == SS_FOR_EVER ? md->threshold : md->threshold - 1;
    u1 full = option(md, SS_MD_MAX_SIZE) && local && left < md->max_size;

    answer(self, 1, (u48)(md->start + self->offset), self->manipulated);
    md->offset = offset;
    md->threshold = threshold;
    md->inactive = threshold == 0 || full;
    self->links++;
    self->status = SS_OK;
    self->now = (struct ss_open){
        .entry = self->at,
        .portal = ask_portal(ask),
        .node = ask->node,
        .pid = (u16)(ask->flit[0] >> 32),
        .user = (u32)ask->flit[5],
        .job = (u32)(ask->flit[5] >> 32),
        .threshold = threshold,
        .link = self->links,
        .match = ask->flit[1],
        .data = ask->flit[2],
        .requested = (ss_length)ask->flit[3],
        .manipulated = self->manipulated,
        .offset = self->offset,
    };
    tell_event(self, 0);
}

/* ---- events ---------------------------------------------------------------------------------- */

static inline u64 event_word(const struct ss_engine *self, u32 sequence, u1 lost)
{
    const struct ss_open *o = &self->now;

    switch (self->word) {
    case 0:
        return (self->ends ? (u64)SS_PUT_END : (u64)SS_PUT_START) | ((u64)self->status << 4) |
               ((u64)o->portal << 8) | ((u64)lost << 14) | ((u64)o->entry << 16) |
               ((u64)o->link << 32);
    case 1:
        return (u64)o->node | ((u64)o->pid << 16) | ((u64)o->job << 32);
    case 2:
        return (u64)o->user | ((u64)o->threshold << 32);
    case 3:
        return o->match;
    case 4:
        return o->data;
    case 5:
        return (u64)o->requested;
    case 6:
        return (u64)o->manipulated;
    default:
        return (u64)o->offset | ((u64)(u24)sequence << 40);
    }
}

/* A full queue drops the event, and the next one that it takes says so. */
static inline void write_event(struct ss_engine *self, const struct ss_engine_in *in,
                               struct ss_queue queue)
{
    ss_queue_index q = self->md.queue;
    u32 number = self->written[q];
    u32 index = number & (u32)(((u32)1 << queue.log2) - 1);
    u1 full = (u32)(number - self->read[q]) >> queue.log2 != 0;
    uint(SS_QUEUES) bit = (uint(SS_QUEUES))((uint(SS_QUEUES))1 << q);

    if (self->word == 0 && full) {
        self->lost |= bit;
        self->state = SS_ENGINE_IDLE;
    } else if (in->write_room) {
        self->out.write = (struct ss_write){
            .valid = 1,
            .addr = (u48)(queue.base + ((u48)index << 6) + ((u48)self->word << 3)),
            .data = event_word(self, number + 1, (u1)(self->lost >> q)),
            .strb = 0xFF,
        };
        if (self->word == 7) {
            self->written[q]++;
            self->lost &= ~bit;
            self->state = SS_ENGINE_IDLE;
        }
        self->word++;
    }
}

/* ---- commands --------------------------------------------------------------------------------- */

/* What a command writes to memories besides. */
struct command_writes {
    u1 list, me, md, next, queue;
    struct ss_list_end end;
    struct ss_me entry;
    struct ss_md descriptor;
    struct ss_queue ring;
};

/* A place in the list: first or last. */
static inline u1 attach(struct ss_engine *self, const struct ss_command *c, struct ss_list_end list,
                        struct command_writes *w)
{
    u64 first = c->word[0], who = c->word[3];
    ss_entry_index at = (ss_entry_index)first;
    u6 portal = (u6)(first >> 12);
    u1 some = (u1)(self->listed >> portal);
    u1 last = (u1)(first >> 22);
    u1 known = (u12)first < SS_ENTRIES && (u4)(first >> 18) == 0 && !(u1)(first >> 23) &&
               !(u1)(first >> 36);
    u1 good = known && self->open && !(u1)(self->used >> at);

    if (good) {
        w->list = 1;
        w->me = 1;
        w->next = some;
        w->end = (struct ss_list_end){.first = some && last ? list.first : at,
                                      .last = some && !last ? list.last : at};
        w->entry = (struct ss_me){.match = c->word[1],
                                  .ignore = c->word[2],
                                  .node = (ss_node)who,
                                  .any_node = (u1)(who >> 15),
                                  .pid = (u16)(who >> 16),
                                  .any_pid = (u1)(who >> 32),
                                  .any_job = (u1)(who >> 33),
                                  .any_user = (u1)(who >> 34),
                                  .user = (u32)c->word[4],
                                  .job = (u32)(c->word[4] >> 32)};
        self->listed |= (u64)1 << portal;
        self->used |= entry_bit(at);
        self->with_md &= ~entry_bit(at);
        self->with_next &= ~entry_bit(at);
        self->with_next |= !some ? (ss_entry_set)0 : last ? entry_bit(list.last) : entry_bit(at);
    }
    return good;
}

/* A descriptor of an entry that has none. */
static inline u1 describe(struct ss_engine *self, const struct ss_command *c,
                          struct command_writes *w)
{
    u64 first = c->word[0];
    ss_entry_index at = (ss_entry_index)first;
    u11 options = (u11)(first >> 12);
    u1 known = (u12)first < SS_ENTRIES && (u4)(first >> 34) == 0 && !(u1)(first >> 23) &&
               (u1)(first >> 24) && !(u1)(options >> SS_MD_IOVEC) && (u8)(first >> 25) < SS_QUEUES;
    u1 good = known && (u1)(self->used >> at) && !(u1)(self->with_md >> at);

    if (good) {
        w->md = 1;
        w->descriptor = (struct ss_md){.start = (u48)c->word[1],
                                       .length = (ss_length)c->word[7],
                                       .max_size = (ss_length)c->word[2],
                                       .threshold = (u32)c->word[3],
                                       .options = options,
                                       .has_queue = (u1)(first >> 33),
                                       .queue = (ss_queue_index)(first >> 25),
                                       .inactive = (u32)c->word[3] == 0};
        self->with_md |= entry_bit(at);
    }
    return good;
}

static inline u1 make_queue(struct ss_engine *self, const struct ss_command *c,
                            struct command_writes *w)
{
    u64 first = c->word[0];
    u4 log2 = (u4)(first >> 12);
    ss_queue_index q = (ss_queue_index)first;
    uint(SS_QUEUES) bit = (uint(SS_QUEUES))((uint(SS_QUEUES))1 << q);
    u1 good = (u8)first < SS_QUEUES && (u4)(first >> 8) == 0 && (log2 >= 3 || log2 == 0) &&
              (u6)c->word[1] == 0;

    if (good) {
        w->queue = log2 != 0;
        w->ring = (struct ss_queue){.base = (u48)c->word[1], .log2 = (u5)((u5)log2 + 1)};
        self->queues = log2 != 0 ? (uint(SS_QUEUES))(self->queues | bit)
                                 : (uint(SS_QUEUES))(self->queues & ~bit);
        self->lost &= ~bit;
        self->written[q] = 0;
        self->read[q] = 0;
    }
    return good;
}

/* The process begins, with no entries; or ends. */
static inline u1 set_process(struct ss_engine *self, const struct ss_command *c)
{
    u64 first = c->word[0];
    u1 good = (u4)first == 0;

    if (good) {
        self->out.pid = (u16)(first >> 4);
        self->open = (u1)(first >> 20);
        self->out.accelerated = self->open && (u1)(first >> 21);
        self->user = (u32)c->word[1];
        self->job = (u32)(c->word[1] >> 32);
        self->listed = 0;
        self->used = 0;
        self->with_md = 0;
        self->with_next = 0;
    }
    return good;
}

static inline struct command_writes command(struct ss_engine *self, const struct ss_command *c,
                                            struct ss_list_end list)
{
    struct command_writes w = {};
    u1 good = 0;

    switch (ss_command_op(c)) {
    case SS_OP_ME:
        good = attach(self, c, list, &w);
        break;
    case SS_OP_MD:
        good = describe(self, c, &w);
        break;
    case SS_OP_EQ:
        good = make_queue(self, c, &w);
        break;
    case SS_OP_PROCESS:
        good = set_process(self, c);
        break;
    default:
        break;
    }
    self->out.command_taken = 1;
    self->out.tell.kind = SS_KIND_COMMAND;
    self->out.tell.status = good ? (ss_status)SS_OK : (ss_status)SS_ILLEGAL;
    self->out.tell.word[0] = ss_command_ticket(c);
    self->out.tell.valid = ss_command_ticket(c) != 0;
    self->rest = 4;
    self->state = self->out.tell.valid ? SS_ENGINE_TELL : SS_ENGINE_IDLE;
    return w;
}

/* ---- the program ------------------------------------------------------------------------------- */

static inline void choose(struct ss_engine *self, const struct ss_engine_in *in,
                          struct ss_open open)
{
    if (in->end.valid) {
        self->now = open;
        self->at = open.entry;
        self->status = in->end.status;
        self->state = SS_ENGINE_END;
    } else if (in->ask.valid) {
        self->record = in->ask.record;
        self->state = SS_ENGINE_LIST;
    } else if (in->command.valid && ss_command_op(&in->command) >= SS_OP_ME) {
        self->state = SS_ENGINE_COMMAND;
    }
}

HLS_MODULE void ss_engine(struct ss_engine *self, const struct ss_engine_in *in)
{
    u64 first = in->command.word[0];
    u1 commands = self->state == SS_ENGINE_COMMAND;
    u6 portal = commands ? (u6)(first >> 12) : ask_portal(&in->ask);
    ss_entry_index named = (ss_entry_index)first;
    struct ss_list_end list = self->lists[portal];
    struct ss_me me = self->entries[self->at];
    struct ss_md md = self->descriptors[self->at];
    ss_entry_index next = self->next[self->at];
    struct ss_queue queue = self->queue[self->md.queue];
    struct ss_open open = self->opens[in->end.record];
    struct command_writes w = {};
    u1 commits = self->state == SS_ENGINE_COMMIT;

    self->out.command_taken = 0;
    self->out.decision.valid = 0;
    self->out.refused = 0;
    self->out.ended = 0;
    self->out.write.valid = 0;
    self->rest -= self->rest != 0;
    switch (self->state) {
    case SS_ENGINE_IDLE:
        if (self->rest == 0) {
            choose(self, in, open);
        }
        break;
    case SS_ENGINE_LIST:
        look_up(self, &in->ask, list);
        break;
    case SS_ENGINE_ENTRY:
        self->me = me;
        self->md = md;
        self->state = SS_ENGINE_MATCH;
        break;
    case SS_ENGINE_MATCH:
        match(self, &in->ask, next);
        break;
    case SS_ENGINE_COMMIT:
        commit(self, &in->ask);
        break;
    case SS_ENGINE_END:
        self->md = md;
        self->out.ended = 1;
        self->rest = 4;
        tell_event(self, 1);
        break;
    case SS_ENGINE_EVENT:
        write_event(self, in, queue);
        break;
    case SS_ENGINE_COMMAND:
        w = command(self, &in->command, list);
        break;
    case SS_ENGINE_TELL:
        if (in->told) {
            self->out.tell.valid = 0;
            self->state = SS_ENGINE_IDLE;
        }
        break;
    }
    if (w.list) {
        self->lists[portal] = w.end;
    }
    if (w.me) {
        self->entries[named] = w.entry;
    }
    if (w.next) { /* the entry before the last one, or before the one that was first */
        u1 last = (u1)(first >> 22);

        self->next[last ? list.last : named] = last ? named : list.first;
    }
    if (commits || w.md) {
        self->descriptors[commits ? self->at : named] = commits ? self->md : w.descriptor;
    }
    if (w.queue) {
        self->queue[(ss_queue_index)first] = w.ring;
    }
    if (commits) {
        self->opens[self->record] = self->now;
    }
    if (in->index.valid && in->index.queue < SS_QUEUES) {
        ss_queue_index q = (ss_queue_index)in->index.queue;
        u32 read = in->index.index - self->read[q];

        /* an index that is none is ignored */
        if (read <= (u32)(self->written[q] - self->read[q])) {
            self->read[q] = in->index.index;
        }
    }
}
