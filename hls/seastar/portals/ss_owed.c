// SPDX-License-Identifier: Apache-2.0
/*
 * ss_owed.c - an ack or a reply: the five cells of its place are read, a clock each, and become a header.
 */
#include "seastar/portals/ss_owed.h"

HLS_RESET void ss_owed_reset(struct ss_owed *self)
{
    *self = (struct ss_owed){};
}

/* Words 0 and 1 of the event: types below PUT are those of a GET, whose reply has no status. */
static inline void take_first(struct ss_owed *self, u64 first, u64 from)
{
    struct ss_send_push *s = &self->out.send;
    u1 gets = (u4)first < SS_EVENT_PUT;

    self->gets = gets;
    s->dst = (ss_node)from;
    s->header[0] = (gets ? (u64)SS_REPLY : (u64)SS_ACK) | ((u64)(u6)(first >> 8) << 8) |
                   ((u64)(u16)(from >> 16) << 16);
    s->header[4] = (u64)(gets ? (ss_status)SS_OK : (ss_status)(first >> 4)) << 40;
    s->header[5] = from >> 32 << 32;
    work_read_md(&self->out.work, (ss_entry_index)(first >> 16));
}

static inline void take_cell(struct ss_owed *self, const struct ss_owed_in *in)
{
    struct ss_send_push *s = &self->out.send;
    u64 low = (u64)in->cells.third, high = (u64)(in->cells.third >> 64);
    struct ss_md md = ss_cells_md(in->cells.pair);

    switch (self->step) {
    case 3:
        take_first(self, low, high);
        break;
    case 4:
        s->header[5] |= (u64)(u32)low;
        s->header[1] = high;
        break;
    case 5:
        s->header[3] = high | ((u64)in->node << 40);
        break;
    case 6:
        s->header[2] = self->gets ? (u64)0 : low;
        s->header[3] = self->gets ? low | ((u64)in->node << 40) : s->header[3];
        s->header[4] |= high;
        s->bytes = self->gets ? (ss_length)low : (ss_length)0;
        self->pid = in->process[md.slot].pid;
        break;
    case 7:
        s->valid = 1;
        s->class = 1;
        s->header[0] |= ((u64)self->pid << 32) | ((u64)(u16)(low >> 48) << 48);
        s->addr = (u48)low;
        s->teller = self->gets ? SS_TELLS_PLACE : SS_TELLS_NOBODY;
        s->who = (u16)self->out.freed_place;
        self->out.freed = !self->gets;
        self->out.done = 1;
        self->works = 0;
        break;
    default:
        break;
    }
}

HLS_MODULE void ss_owed(struct ss_owed *self, const struct ss_owed_in *in)
{
    work_rest(&self->out.work);
    self->out.send.valid = 0;
    self->out.done = 0;
    self->out.freed = 0;
    if (in->turn) {
        self->works = 1;
        self->out.freed_place = in->owed;
        self->step = 1;
        work_read_third(&self->out.work, open_at(in->owed, 0));
    } else if (self->works) {
        if (self->step < 5) {
            work_read_third(&self->out.work, open_at(self->out.freed_place, (u3)self->step));
        }
        take_cell(self, in);
        self->step++;
    }
}
