// SPDX-License-Identifier: Apache-2.0
/*
 * ss_commands.c - local commands: match entries in their lists, descriptors, queues, processes, access entries.
 *
 * The engine gives a turn, in which the scratch memory is this program's. A command reads what it names, is judged, and then writes; what
 * is illegal writes nothing. Places before or after an entry are found by walking the list, so an entry of another list is never one.
 */
#include "seastar/portals/ss_commands.h"

HLS_RESET void ss_commands_reset(struct ss_commands *self)
{
    *self = (struct ss_commands){};
}

/* ---- the scratch memory ---------------------------------------------------------------------- */

static inline void read_pair(struct ss_commands *self, uint(SS_SCRATCH_LOG2) at)
{
    self->out.pair.read = 1;
    self->out.pair.read_at = at;
    self->wait = 2;
}

static inline void read_entry(struct ss_commands *self, ss_entry_index at)
{
    self->at = at;
    read_pair(self, (ss_scratch_index)at);
}

static inline void write_pair(struct ss_commands *self, ss_scratch_index at,
                              struct ss_pair_cell data)
{
    self->out.pair.write = 1;
    self->out.pair.write_at = at;
    self->out.pair.data = data;
}

static inline void write_entry(struct ss_commands *self, ss_entry_index at, struct ss_me me)
{
    write_pair(self, (ss_scratch_index)at, ss_me_cells(&me));
}

static inline void write_md(struct ss_commands *self, ss_entry_index at, struct ss_md md)
{
    write_pair(self, (ss_scratch_index)(SS_AT_MD | (ss_scratch_index)at), ss_md_cells(&md));
}

static inline void write_third(struct ss_commands *self, ss_scratch_index at, ss_cell data)
{
    self->out.third.write = 1;
    self->out.third.write_at = at;
    self->out.third.data = data;
}

static inline ss_scratch_index list_at(ss_slot slot, u6 portal)
{
    return (ss_scratch_index)(SS_AT_LIST | ((ss_scratch_index)slot << 6) |
                              (ss_scratch_index)portal);
}

static inline void write_list(struct ss_commands *self, ss_slot slot, u6 portal)
{
    write_third(self, list_at(slot, portal), ss_list_cell(&self->list));
}

/* ---- fields of commands ---------------------------------------------------------------------- */

static inline ss_entry_index named(const struct ss_command *c)
{
    return (ss_entry_index)c->word[0];
}

static inline u1 in_range(u12 index)
{
    return index < SS_ENTRIES;
}

/* Whose list an ME or an UNLINK means. */
static inline u6 portal_of(const struct ss_command *c)
{
    return ss_command_op(c) == SS_OP_ME ? (u6)(c->word[0] >> 12) : (u6)(c->word[0] >> 17);
}

static inline u4 slot_of(const struct ss_command *c)
{
    switch (ss_command_op(c)) {
    case SS_OP_ME:
        return (u4)(c->word[0] >> 18);
    case SS_OP_MD:
    case SS_OP_UPDATE:
        return (u4)(c->word[0] >> 34);
    case SS_OP_UNLINK:
        return (u4)(c->word[0] >> 23);
    case SS_OP_EQ:
        return (u4)(c->word[0] >> 8);
    default:
        return (u4)c->word[0];
    }
}

static inline u1 slot_known(const struct ss_command *c)
{
    return (u5)slot_of(c) < SS_PROCESSES;
}

static inline u1 is_open(const struct ss_commands *self, const struct ss_command *c)
{
    return slot_known(c) && (u1)(self->out.opened >> (ss_slot)slot_of(c));
}

/* ---- the end of a command -------------------------------------------------------------------- */

static inline void finish(struct ss_commands *self, const struct ss_command *c, ss_status status)
{
    u16 ticket = ss_command_ticket(c);

    self->out.taken = 1;
    self->out.illegal = status == SS_ILLEGAL;
    self->out.tell.valid = ticket != 0;
    self->out.tell.kind = SS_KIND_COMMAND;
    self->out.tell.status = status;
    self->out.tell.word[0] = (u64)ticket;
    self->wait = 3;
    self->state = SS_COMMANDS_IDLE;
}

static inline void refuse(struct ss_commands *self, const struct ss_command *c)
{
    finish(self, c, SS_ILLEGAL);
}

/* What was made, as a handle. */
static inline void made(struct ss_commands *self, const struct ss_command *c, u4 use)
{
    self->out.tell.word[1] = (u64)named(c) | ((u64)use << 12);
    finish(self, c, SS_OK);
}

static inline void count_entry(struct ss_commands *self, const struct ss_command *c)
{
    self->entries[(ss_slot)slot_of(c)]++;
}

/* ---- ME -------------------------------------------------------------------------------------- */

static inline struct ss_me new_entry(const struct ss_command *c, u4 use)
{
    u64 who = c->word[3];

    return (struct ss_me){.match = c->word[1],
                          .ignore = c->word[2],
                          .who = {.node = (ss_node)who,
                                  .any_node = (u1)(who >> 15),
                                  .pid = (u16)(who >> 16),
                                  .any_pid = (u1)(who >> 32),
                                  .any_job = (u1)(who >> 33),
                                  .any_user = (u1)(who >> 34),
                                  .user = (u32)c->word[4],
                                  .job = (u32)(c->word[4] >> 32)},
                          .unlink = (u1)(c->word[0] >> 36),
                          .use = use,
                          .valid = 1};
}

/* In front of all others. */
static inline void put_first(struct ss_commands *self, const struct ss_command *c)
{
    self->me.has_next = self->list.some;
    self->me.next = self->list.first;
    self->list.last = self->list.some ? self->list.last : named(c);
    self->list.first = named(c);
    self->list.some = 1;
    self->state = SS_COMMANDS_WRITE;
}

/* The cell of the entry's index and that of its list are here. */
static inline void entry(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_me old = ss_cells_me(in->pair);
    struct ss_list list = ss_cell_list(in->third);
    u2 place = (u2)(c->word[0] >> 22);
    u1 known = in_range((u12)c->word[0]) && (place < 2 || in_range((u12)(c->word[0] >> 24)));

    self->list = list;
    self->list.refuses = 0; /* a list that an error stopped is written anew */
    self->has_prev = 0;
    self->me = new_entry(c, old.use);
    if (!known || old.valid || !is_open(self, c)) {
        refuse(self, c);
    } else if (place >= 2 && list.some) {
        read_entry(self, list.first);
        self->state = SS_COMMANDS_FIND;
    } else if (place >= 2) {
        refuse(self, c);
    } else if (place == 1 && list.some) {
        read_entry(self, list.last);
        self->state = SS_COMMANDS_LAST;
    } else {
        put_first(self, c);
    }
}

/* Behind the entry in `prev`. */
static inline void put_behind(struct ss_commands *self, const struct ss_command *c)
{
    struct ss_me before = self->prev;

    self->me.next = before.next;
    self->me.has_next = before.has_next;
    self->list.last = before.has_next ? self->list.last : named(c);
    before.next = named(c);
    before.has_next = 1;
    write_entry(self, self->prev_at, before);
    self->state = SS_COMMANDS_WRITE;
}

static inline void write_new(struct ss_commands *self, const struct ss_command *c)
{
    write_entry(self, named(c), self->me);
    write_list(self, (ss_slot)slot_of(c), portal_of(c));
    count_entry(self, c);
    made(self, c, self->me.use);
}

/* ---- a walk: to a place, or to what is removed --------------------------------------------------- */

static inline void find(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    u1 removes = ss_command_op(c) == SS_OP_UNLINK;
    u1 before = (u2)(c->word[0] >> 22) == 2;
    ss_entry_index wanted = removes ? named(c) : (ss_entry_index)(c->word[0] >> 24);
    struct ss_me here = ss_cells_me(in->pair);

    u1 moves = self->at != wanted || (!removes && !before); /* the entry stands before the place */
    u1 arrives = self->at == wanted;

    if (arrives && removes) {
        self->me = here;
    }
    if (moves) {
        self->prev = here;
        self->prev_at = self->at;
        self->has_prev = 1;
    }
    if (!arrives && here.has_next) {
        read_entry(self, here.next);
    } else if (!arrives) {
        refuse(self, c);
    } else if (removes) {
        self->state = SS_COMMANDS_REMOVE;
    } else if (self->has_prev) {
        put_behind(self, c);
    } else {
        put_first(self, c);
    }
}

/* ---- MD -------------------------------------------------------------------------------------- */

static inline struct ss_md with_values(const struct ss_command *c, struct ss_md md)
{
    u64 first = c->word[0];

    md.start = (u48)c->word[1];
    md.length = (ss_length)c->word[7];
    md.max_size = (ss_length)c->word[2];
    md.offset = 0;
    md.threshold = (u32)c->word[3];
    md.options = (u11)(first >> 12);
    md.unlink = (u1)(first >> 23);
    md.queue = (ss_queue_index)(first >> 25);
    md.has_queue = (u1)(first >> 33);
    md.inactive = (u32)c->word[3] == 0;
    return md;
}

static inline u1 values_known(const struct ss_command *c)
{
    u1 list = (u1)(c->word[0] >> (12 + SS_MD_IOVEC));
    u1 queue = !(u1)(c->word[0] >> 33) || (u9)(u8)(c->word[0] >> 25) < SS_QUEUES;

    return in_range((u12)c->word[0]) && !list && queue;
}

static inline void write_descriptor(struct ss_commands *self, const struct ss_command *c)
{
    write_md(self, named(c), self->md);
    count_entry(self, c);
    made(self, c, self->md.use);
}

static inline void descriptor(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_md old = ss_cells_md(in->pair);

    self->md = with_values(c, (struct ss_md){.slot = (ss_slot)slot_of(c),
                                             .use = old.use,
                                             .of_me = (u1)(c->word[0] >> 24),
                                             .valid = 1});
    if (!values_known(c) || old.valid || !is_open(self, c)) {
        refuse(self, c);
    } else if (self->md.of_me) {
        read_entry(self, named(c));
        self->state = SS_COMMANDS_OF_ENTRY;
    } else {
        write_descriptor(self, c);
    }
}

/* The entry that the descriptor is of. Its own cells are written a clock before those of the descriptor. */
static inline void of_entry(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_me me = ss_cells_me(in->pair);

    if (self->me.has_md) {
        self->me.has_md = 0;
        write_descriptor(self, c);
    } else if (!me.valid || me.has_md) {
        refuse(self, c);
    } else {
        me.has_md = 1;
        self->me = me;
        write_entry(self, named(c), me);
    }
}

static inline u1 handle_fits(const struct ss_command *c, u1 valid, u4 use)
{
    return in_range((u12)c->word[0]) && valid && use == (u4)(c->word[0] >> 12);
}

static inline void update(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_md md = ss_cells_md(in->pair);
    struct ss_md next = with_values(c, md);
    u1 tests = (u1)(c->word[0] >> 46);
    ss_queue_index queue = (ss_queue_index)(c->word[0] >> 38);

    if (!in->event_room) {
        return;
    }
    self->out.tell.word[2] = (u64)md.start;
    self->out.tell.word[3] = (u64)md.length;
    self->out.tell.word[4] = (u64)md.threshold | ((u64)md.options << 32);
    self->out.tell.word[5] = (u64)md.offset;
    if (!values_known(c) || !md.valid || md.ends || md.slot != (ss_slot)slot_of(c)) {
        refuse(self, c);
    } else if (tests && (u1)(in->some >> queue)) {
        finish(self, c, SS_NO_UPDATE);
    } else {
        write_md(self, named(c), next);
        made(self, c, md.use);
    }
}

/* ---- UNLINK ---------------------------------------------------------------------------------- */

/* A descriptor was read: that of the command, or the one of its entry. */
static inline void unlink_md(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    u1 alone = (u1)(c->word[0] >> 16);
    struct ss_md md = ss_cells_md(in->pair);
    u1 good = alone ? handle_fits(c, md.valid, md.use) && md.slot == (ss_slot)slot_of(c) : md.valid;

    self->md = md;
    self->md.valid = 0;
    self->md.use++;
    if (!good) {
        refuse(self, c);
    } else if (md.pending != 0) {
        finish(self, c, SS_IN_USE);
    } else if (!alone) {
        read_entry(self, self->list.first);
        self->state = SS_COMMANDS_FIND;
    } else if (md.of_me) {
        write_md(self, named(c), self->md);
        read_pair(self, (ss_scratch_index)named(c));
        self->state = SS_COMMANDS_FORGET;
    } else {
        write_md(self, named(c), self->md);
        self->entries[(ss_slot)slot_of(c)]--;
        finish(self, c, SS_OK);
    }
}

static inline void forget(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_me me = ss_cells_me(in->pair);

    me.has_md = 0;
    write_entry(self, named(c), me);
    self->entries[(ss_slot)slot_of(c)]--;
    finish(self, c, SS_OK);
}

static inline void unlink_me(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_me me = ss_cells_me(in->pair);

    self->list = ss_cell_list(in->third);
    self->has_prev = 0;
    if (!handle_fits(c, me.valid, me.use) || !self->list.some) {
        refuse(self, c);
    } else if (me.has_md) {
        read_pair(self, (ss_scratch_index)(SS_AT_MD | (ss_scratch_index)named(c)));
        self->state = SS_COMMANDS_UNLINK;
    } else {
        read_entry(self, self->list.first);
        self->state = SS_COMMANDS_FIND;
    }
}

/* The entry before it, or the list, leads to the one behind it. */
static inline void remove_entry(struct ss_commands *self, const struct ss_command *c)
{
    struct ss_me prev = self->prev;

    prev.next = self->me.next;
    prev.has_next = self->me.has_next;
    if (self->has_prev) {
        write_entry(self, self->prev_at, prev);
    } else {
        self->list.first = self->me.next;
        self->list.some = self->me.has_next;
    }
    self->list.last = self->me.has_next ? self->list.last : self->prev_at;
    write_list(self, (ss_slot)slot_of(c), portal_of(c));
    self->state = SS_COMMANDS_FREE;
}

/* Its descriptor is freed, then it. */
static inline void free_entry(struct ss_commands *self, const struct ss_command *c)
{
    if (self->me.has_md) {
        self->me.has_md = 0;
        write_md(self, named(c), self->md);
        self->entries[(ss_slot)slot_of(c)]--;
    } else {
        self->me.valid = 0;
        self->me.use++;
        write_entry(self, named(c), self->me);
        self->entries[(ss_slot)slot_of(c)]--;
        finish(self, c, SS_OK);
    }
}

#include "seastar/portals/ss_process.inc"

/* ---- the program ------------------------------------------------------------------------------- */

static inline void begin(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;
    ss_scratch_index at = (ss_scratch_index)named(c);

    for (int w = 1; w < 7; w++) {
        self->out.tell.word[w] = 0;
    }
    self->out.third.read_at = list_at((ss_slot)slot_of(c), portal_of(c));
    switch (ss_command_op(c)) {
    case SS_OP_ME:
        read_pair(self, at);
        self->out.third.read = 1;
        self->state = SS_COMMANDS_ENTRY;
        break;
    case SS_OP_MD:
        self->me.has_md = 0;
        read_pair(self, (ss_scratch_index)(SS_AT_MD | at));
        self->state = SS_COMMANDS_DESCRIPTOR;
        break;
    case SS_OP_UPDATE:
        read_pair(self, (ss_scratch_index)(SS_AT_MD | at));
        self->state = SS_COMMANDS_UPDATE;
        break;
    case SS_OP_UNLINK:
        self->out.third.read = 1;
        if ((u1)(c->word[0] >> 16)) {
            read_pair(self, (ss_scratch_index)(SS_AT_MD | at));
            self->state = SS_COMMANDS_UNLINK;
        } else {
            read_pair(self, at);
            self->state = SS_COMMANDS_UNLINK_ME;
        }
        break;
    case SS_OP_EQ:
        make_queue(self, in);
        break;
    case SS_OP_PROCESS:
        set_process(self, c);
        break;
    case SS_OP_ACCESS:
        set_access(self, c);
        break;
    default:
        refuse(self, c);
        break;
    }
}

/* What the engine has freed and begun. */
static inline void count_held(struct ss_commands *self, struct ss_held held)
{
    self->entries[held.slot] -= held.less;
    self->pendings[held.slot] =
        (u16)(self->pendings[held.slot] + held.pending_more - held.pending_less);
}

/* Clocks in which the cells that were read are here. */
static inline u1 uses_pair(const struct ss_commands *self)
{
    enum ss_commands_state s = self->state;

    return s != SS_COMMANDS_IDLE && s != SS_COMMANDS_WRITE && s != SS_COMMANDS_REMOVE &&
           s != SS_COMMANDS_FREE && s != SS_COMMANDS_PROCESS;
}

static inline void step(struct ss_commands *self, const struct ss_commands_in *in)
{
    const struct ss_command *c = &in->command;

    switch (self->state) {
    case SS_COMMANDS_IDLE:
        if (in->turn) {
            begin(self, in);
        }
        break;
    case SS_COMMANDS_ENTRY:
        entry(self, in);
        break;
    case SS_COMMANDS_LAST:
        self->prev = ss_cells_me(in->pair);
        self->prev_at = self->at;
        put_behind(self, c);
        break;
    case SS_COMMANDS_WRITE:
        write_new(self, c);
        break;
    case SS_COMMANDS_DESCRIPTOR:
        descriptor(self, in);
        break;
    case SS_COMMANDS_OF_ENTRY:
        of_entry(self, in);
        break;
    case SS_COMMANDS_UNLINK:
        unlink_md(self, in);
        break;
    case SS_COMMANDS_UNLINK_ME:
        unlink_me(self, in);
        break;
    case SS_COMMANDS_FIND:
        find(self, in);
        break;
    case SS_COMMANDS_REMOVE:
        remove_entry(self, c);
        break;
    case SS_COMMANDS_FREE:
        free_entry(self, c);
        break;
    case SS_COMMANDS_FORGET:
        forget(self, in);
        break;
    case SS_COMMANDS_UPDATE:
        update(self, in);
        break;
    case SS_COMMANDS_PROCESS:
        end_process(self, c);
        break;
    }
}

HLS_MODULE void ss_commands(struct ss_commands *self, const struct ss_commands_in *in)
{
    self->out.taken = 0;
    self->out.illegal = 0;
    self->out.pair = (struct ss_pair_access){};
    self->out.third = (struct ss_third_access){};
    self->out.set.valid = 0;
    if (in->told) {
        self->out.tell.valid = 0;
    }
    count_held(self, in->held);
    if (self->wait != 0) {
        self->wait--;
    } else if (uses_pair(self) && in->pair_fatal) {
        refuse(self, &in->command);
    } else {
        step(self, in);
    }
}
