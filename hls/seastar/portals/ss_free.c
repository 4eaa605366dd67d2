// SPDX-License-Identifier: Apache-2.0
/*
 * ss_free.c - a descriptor is freed, its process told by an UNLINK event; its entry goes with it, or is without a descriptor from now on.
 */
#include "seastar/portals/ss_free.h"

HLS_RESET void ss_free_reset(struct ss_free *self)
{
    *self = (struct ss_free){};
}

/* The descriptor is here: it is freed, and its entry read. */
static inline void free_md(struct ss_free *self, const struct ss_free_in *in)
{
    struct ss_md md = ss_cells_md(in->cells.pair);
    u16 handle = (u16)((u16)self->at | ((u16)md.use << 12));

    self->md = md;
    self->tells = md_tells(&md, SS_MD_END_OFF);
    self->out.event = event_part(self->tells, md.queue, 0,
                                 event_first(SS_EVENT_UNLINK, SS_OK, 0, 0, handle, self->link), 0);
    md.valid = 0;
    md.ends = 0;
    md.use++;
    work_write_md(&self->out.work, self->at, md);
    work_read_entry(&self->out.work, self->at);
    self->out.held = (struct ss_held){.slot = md.slot, .less = 1};
}

static inline void free_entry(struct ss_free *self, const struct ss_free_in *in)
{
    struct ss_me me = ss_cells_me(in->cells.pair);

    me.has_md = 0;
    me.valid = !self->md.entry_ends;
    me.use += self->md.entry_ends;
    if (self->md.of_me) {
        work_write_entry(&self->out.work, self->at, me);
        self->out.held = (struct ss_held){.slot = self->md.slot, .less = (u2)self->md.entry_ends};
    }
}

HLS_MODULE void ss_free(struct ss_free *self, const struct ss_free_in *in)
{
    u64 threshold = self->step == 4 ? (u64)self->md.threshold << 32 : (u64)0;

    work_rest(&self->out.work);
    self->out.event.valid = 0;
    self->out.held = (struct ss_held){};
    self->out.done = 0;
    if (in->turn) {
        self->works = 1;
        self->step = 1;
        self->at = in->unlink.at;
        self->link = in->unlink.link;
        work_read_md(&self->out.work, in->unlink.at);
    } else if (self->works && self->step < 3) {
        self->step++;
    } else if (self->works && self->step == 3) {
        if (in->event_room) {
            free_md(self, in);
            self->step++;
        }
    } else if (self->works) {
        self->out.event =
            event_part(self->tells, self->md.queue, (u2)(self->step - 3), threshold, 0);
        if (self->step == 6) {
            free_entry(self, in);
            self->out.done = 1;
            self->works = 0;
        }
        self->step++;
    }
}
