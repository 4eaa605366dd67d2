// SPDX-License-Identifier: Apache-2.0
/*
 * ss_lists.c - match lists: entries are put into them and taken out.
 *
 * A command reads what it names, is judged, and then writes; what is illegal writes nothing. Places before or behind an entry are found by walking the
 * list, so an entry of another list is never one.
 */
#include "seastar/portals/ss_lists.h"

HLS_RESET void ss_lists_reset(struct ss_lists *self)
{
    *self = (struct ss_lists){};
}

static inline void read_entry(struct ss_lists *self, ss_entry_index at)
{
    self->at = at;
    self->wait = SS_LOCAL_WAIT;
    work_read_entry(&self->out.work, at);
}

static inline void write_list(struct ss_lists *self, const struct ss_command *c)
{
    ss_scratch_index at =
        (ss_scratch_index)(SS_AT_LIST | ((ss_scratch_index)(ss_slot)local_slot(c) << 6) |
                           (ss_scratch_index)local_portal(c));

    work_write_third(&self->out.work, at, ss_list_cell(&self->list));
}

static inline void finish(struct ss_lists *self, struct ss_local_end end)
{
    self->out.end = end;
    self->state = SS_LISTS_IDLE;
}

static inline void refuse(struct ss_lists *self)
{
    finish(self, local_end(SS_ILLEGAL));
}

/* The cells of the entry's index and of its list. */
static inline void begin(struct ss_lists *self, const struct ss_command *c)
{
    read_entry(self, local_index(c));
    work_read_third(&self->out.work,
                    (ss_scratch_index)(SS_AT_LIST |
                                       ((ss_scratch_index)(ss_slot)local_slot(c) << 6) |
                                       (ss_scratch_index)local_portal(c)));
    self->state = ss_command_op(c) == SS_OP_ME ? SS_LISTS_ENTRY : SS_LISTS_UNLINK;
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
static inline void put_first(struct ss_lists *self, const struct ss_command *c)
{
    self->me.has_next = self->list.some;
    self->me.next = self->list.first;
    self->list.last = self->list.some ? self->list.last : local_index(c);
    self->list.first = local_index(c);
    self->list.some = 1;
    self->state = SS_LISTS_WRITE;
}

/* The cell of the entry's index and that of its list are here. */
static inline void entry(struct ss_lists *self, const struct ss_local_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_me old = ss_cells_me(in->cells.pair);
    struct ss_list list = ss_cell_list(in->cells.third);
    u2 place = (u2)(c->word[0] >> 22);
    u1 known =
        local_in_range((u12)c->word[0]) && (place < 2 || local_in_range((u12)(c->word[0] >> 24)));

    self->list = list;
    self->list.refuses = 0; /* a list that an error stopped is written anew */
    self->has_prev = 0;
    self->me = new_entry(c, old.use);
    if (!known || old.valid || !local_is_open(in) || (place >= 2 && !list.some)) {
        refuse(self);
    } else if (place >= 2) {
        read_entry(self, list.first);
        self->state = SS_LISTS_FIND;
    } else if (place == 1 && list.some) {
        read_entry(self, list.last);
        self->state = SS_LISTS_LAST;
    } else {
        put_first(self, c);
    }
}

/* Behind an entry. */
static inline void put_behind(struct ss_lists *self, const struct ss_command *c,
                              struct ss_me before, ss_entry_index at)
{
    self->me.next = before.next;
    self->me.has_next = before.has_next;
    self->list.last = before.has_next ? self->list.last : local_index(c);
    before.next = local_index(c);
    before.has_next = 1;
    work_write_entry(&self->out.work, at, before);
    self->state = SS_LISTS_WRITE;
}

static inline void write_new(struct ss_lists *self, const struct ss_command *c)
{
    work_write_entry(&self->out.work, local_index(c), self->me);
    write_list(self, c);
    self->out.count.more = 1;
    finish(self, local_made(c, self->me.use));
}

/* ---- a walk: to a place, or to what is removed --------------------------------------------------- */

static inline void find(struct ss_lists *self, const struct ss_local_in *in)
{
    const struct ss_command *c = &in->command;
    u1 removes = ss_command_op(c) == SS_OP_UNLINK;
    u1 before = (u2)(c->word[0] >> 22) == 2;
    ss_entry_index wanted = removes ? local_index(c) : (ss_entry_index)(c->word[0] >> 24);
    struct ss_me here = ss_cells_me(in->cells.pair);
    u1 arrives = self->at == wanted;
    u1 moves = !arrives || (!removes && !before); /* the entry stands before the place */
    struct ss_me prev = moves ? here : self->prev;
    ss_entry_index prev_at = moves ? self->at : self->prev_at;

    if (arrives && removes) {
        self->me = here;
    }
    self->prev = prev;
    self->prev_at = prev_at;
    self->has_prev = self->has_prev || moves;
    if (!arrives && here.has_next) {
        read_entry(self, here.next);
    } else if (!arrives) {
        refuse(self);
    } else if (removes) {
        self->state = SS_LISTS_REMOVE;
    } else if (self->has_prev) {
        put_behind(self, c, prev, prev_at);
    } else {
        put_first(self, c);
    }
}

/* ---- UNLINK ---------------------------------------------------------------------------------- */

static inline void unlink(struct ss_lists *self, const struct ss_local_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_me me = ss_cells_me(in->cells.pair);

    self->list = ss_cell_list(in->cells.third);
    self->has_prev = 0;
    if (!local_handle_fits(c, me.valid, me.use) || !self->list.some) {
        refuse(self);
    } else if (me.has_md) {
        work_read_md(&self->out.work, local_index(c));
        self->wait = SS_LOCAL_WAIT;
        self->state = SS_LISTS_MD;
    } else {
        read_entry(self, self->list.first);
        self->state = SS_LISTS_FIND;
    }
}

/* The entry takes its descriptor along. */
static inline void look_at_md(struct ss_lists *self, const struct ss_local_in *in)
{
    struct ss_md md = ss_cells_md(in->cells.pair);

    self->md = md;
    self->md.valid = 0;
    self->md.use++;
    if (!md.valid) {
        refuse(self);
    } else if (md.pending != 0) {
        finish(self, local_end(SS_IN_USE));
    } else {
        read_entry(self, self->list.first);
        self->state = SS_LISTS_FIND;
    }
}

/* The entry before it, or the list, leads to the one behind it. */
static inline void remove_entry(struct ss_lists *self, const struct ss_command *c)
{
    struct ss_me prev = self->prev;

    prev.next = self->me.next;
    prev.has_next = self->me.has_next;
    if (self->has_prev) {
        work_write_entry(&self->out.work, self->prev_at, prev);
    } else {
        self->list.first = self->me.next;
        self->list.some = self->me.has_next;
    }
    self->list.last = self->me.has_next ? self->list.last : self->prev_at;
    write_list(self, c);
    self->state = SS_LISTS_FREE;
}

/* Its descriptor is freed, then it. */
static inline void free_entry(struct ss_lists *self, const struct ss_command *c)
{
    self->out.count.less = 1;
    if (self->me.has_md) {
        self->me.has_md = 0;
        work_write_md(&self->out.work, local_index(c), self->md);
    } else {
        self->me.valid = 0;
        self->me.use++;
        work_write_entry(&self->out.work, local_index(c), self->me);
        finish(self, local_end(SS_OK));
    }
}

/* ---- the program ------------------------------------------------------------------------------- */

/* States in which the cells that were read are here. */
static inline u1 reads(const struct ss_lists *self)
{
    enum ss_lists_state s = self->state;

    return s == SS_LISTS_ENTRY || s == SS_LISTS_LAST || s == SS_LISTS_UNLINK || s == SS_LISTS_MD ||
           s == SS_LISTS_FIND;
}

static inline void step(struct ss_lists *self, const struct ss_local_in *in)
{
    const struct ss_command *c = &in->command;

    switch (self->state) {
    case SS_LISTS_IDLE:
        if (in->turn) {
            begin(self, c);
        }
        break;
    case SS_LISTS_ENTRY:
        entry(self, in);
        break;
    case SS_LISTS_LAST:
        put_behind(self, c, ss_cells_me(in->cells.pair), self->at);
        break;
    case SS_LISTS_WRITE:
        write_new(self, c);
        break;
    case SS_LISTS_UNLINK:
        unlink(self, in);
        break;
    case SS_LISTS_MD:
        look_at_md(self, in);
        break;
    case SS_LISTS_FIND:
        find(self, in);
        break;
    case SS_LISTS_REMOVE:
        remove_entry(self, c);
        break;
    case SS_LISTS_FREE:
        free_entry(self, c);
        break;
    }
}

HLS_MODULE void ss_lists(struct ss_lists *self, const struct ss_lists_in *in)
{
    work_rest(&self->out.work);
    self->out.end = (struct ss_local_end){};
    self->out.count = (struct ss_local_count){};
    if (self->wait != 0) {
        self->wait--;
    } else if (reads(self) && in->local.cells.pair_fatal) {
        refuse(self);
    } else {
        step(self, &in->local);
    }
}
