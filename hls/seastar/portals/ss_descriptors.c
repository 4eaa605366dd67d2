// SPDX-License-Identifier: Apache-2.0
/*
 * ss_descriptors.c - memory descriptors: made, changed, freed. A descriptor of an entry has the entry's index.
 */
#include "seastar/portals/ss_descriptors.h"

HLS_RESET void ss_descriptors_reset(struct ss_descriptors *self)
{
    *self = (struct ss_descriptors){};
}

static inline void finish(struct ss_descriptors *self, struct ss_local_end end)
{
    self->out.end = end;
    self->state = SS_DESCRIPTORS_IDLE;
}

static inline void refuse(struct ss_descriptors *self)
{
    finish(self, local_end(SS_ILLEGAL));
}

static inline void begin(struct ss_descriptors *self, const struct ss_command *c)
{
    u4 op = ss_command_op(c);

    for (int w = 0; w < 4; w++) {
        self->out.values[w] = 0;
    }
    self->wait = SS_LOCAL_WAIT;
    work_read_md(&self->out.work, local_index(c));
    self->state = op == SS_OP_MD       ? SS_DESCRIPTORS_NEW
                  : op == SS_OP_UPDATE ? SS_DESCRIPTORS_UPDATE
                                       : SS_DESCRIPTORS_UNLINK;
}

static inline void read_entry(struct ss_descriptors *self, const struct ss_command *c)
{
    work_read_entry(&self->out.work, local_index(c));
    self->wait = SS_LOCAL_WAIT;
}

/* ---- MD, UPDATE -------------------------------------------------------------------------------- */

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

    return local_in_range((u12)c->word[0]) && !list && queue;
}

static inline void write_new(struct ss_descriptors *self, const struct ss_command *c)
{
    work_write_md(&self->out.work, local_index(c), self->md);
    self->out.count.more = 1;
    finish(self, local_made(c, self->md.use));
}

static inline void new_md(struct ss_descriptors *self, const struct ss_local_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_md old = ss_cells_md(in->cells.pair);
    u1 of_me = (u1)(c->word[0] >> 24);

    self->md = with_values(
        c,
        (struct ss_md){.slot = (ss_slot)local_slot(c), .use = old.use, .of_me = of_me, .valid = 1});
    if (!values_known(c) || old.valid || !local_is_open(in)) {
        refuse(self);
    } else if (of_me) {
        read_entry(self, c);
        self->state = SS_DESCRIPTORS_OF_ENTRY;
    } else {
        self->state = SS_DESCRIPTORS_WRITE;
    }
}

/* The entry that the descriptor is of. */
static inline void of_entry(struct ss_descriptors *self, const struct ss_local_in *in)
{
    struct ss_me me = ss_cells_me(in->cells.pair);

    if (!me.valid || me.has_md) {
        refuse(self);
    } else {
        me.has_md = 1;
        work_write_entry(&self->out.work, local_index(&in->command), me);
        self->state = SS_DESCRIPTORS_WRITE;
    }
}

static inline void update(struct ss_descriptors *self, const struct ss_descriptors_in *in)
{
    const struct ss_command *c = &in->local.command;
    struct ss_md md = ss_cells_md(in->local.cells.pair);
    u1 tests = (u1)(c->word[0] >> 46);
    ss_queue_index queue = (ss_queue_index)(c->word[0] >> 38);

    if (!in->event_idle) {
        return;
    }
    self->out.values[0] = (u64)md.start;
    self->out.values[1] = (u64)md.length;
    self->out.values[2] = (u64)md.threshold | ((u64)md.options << 32);
    self->out.values[3] = (u64)md.offset;
    if (!values_known(c) || !md.valid || md.ends || md.slot != (ss_slot)local_slot(c)) {
        refuse(self);
    } else if (tests && (u1)(in->some >> queue)) {
        finish(self, local_end(SS_NO_UPDATE));
    } else {
        work_write_md(&self->out.work, local_index(c), with_values(c, md));
        finish(self, local_made(c, md.use));
    }
}

/* ---- UNLINK ---------------------------------------------------------------------------------- */

static inline void unlink(struct ss_descriptors *self, const struct ss_local_in *in)
{
    const struct ss_command *c = &in->command;
    struct ss_md md = ss_cells_md(in->cells.pair);

    if (!local_handle_fits(c, md.valid, md.use) || md.slot != (ss_slot)local_slot(c)) {
        refuse(self);
    } else if (md.pending != 0) {
        finish(self, local_end(SS_IN_USE));
    } else {
        u1 of_me = md.of_me;

        md.valid = 0;
        md.use++;
        work_write_md(&self->out.work, local_index(c), md);
        self->out.count.less = 1;
        if (of_me) {
            read_entry(self, c);
            self->state = SS_DESCRIPTORS_FORGET;
        } else {
            finish(self, local_end(SS_OK));
        }
    }
}

/* Its entry is without a descriptor from now on. */
static inline void forget(struct ss_descriptors *self, const struct ss_local_in *in)
{
    struct ss_me me = ss_cells_me(in->cells.pair);

    me.has_md = 0;
    work_write_entry(&self->out.work, local_index(&in->command), me);
    finish(self, local_end(SS_OK));
}

static inline void step(struct ss_descriptors *self, const struct ss_descriptors_in *in)
{
    switch (self->state) {
    case SS_DESCRIPTORS_IDLE:
        if (in->local.turn) {
            begin(self, &in->local.command);
        }
        break;
    case SS_DESCRIPTORS_NEW:
        new_md(self, &in->local);
        break;
    case SS_DESCRIPTORS_OF_ENTRY:
        of_entry(self, &in->local);
        break;
    case SS_DESCRIPTORS_WRITE:
        write_new(self, &in->local.command);
        break;
    case SS_DESCRIPTORS_UPDATE:
        update(self, in);
        break;
    case SS_DESCRIPTORS_UNLINK:
        unlink(self, &in->local);
        break;
    case SS_DESCRIPTORS_FORGET:
        forget(self, &in->local);
        break;
    }
}

HLS_MODULE void ss_descriptors(struct ss_descriptors *self, const struct ss_descriptors_in *in)
{
    u1 reads = self->state != SS_DESCRIPTORS_IDLE && self->state != SS_DESCRIPTORS_WRITE;

    work_rest(&self->out.work);
    self->out.end = (struct ss_local_end){};
    self->out.count = (struct ss_local_count){};
    if (self->wait != 0) {
        self->wait--;
    } else if (reads && in->local.cells.pair_fatal) {
        refuse(self);
    } else {
        step(self, in);
    }
}
