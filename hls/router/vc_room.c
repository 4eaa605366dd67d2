// SPDX-License-Identifier: Apache-2.0
/*
 * vc_room.c - the accounts for one buffer, an entry per VC.
 *
 * Counts are cumulative modulo the depth of the buffer. Of each VC a register says whether there is more than one place, and
 * another whether there is none: only a flit that is sent can take the last place but one, so counts are read for that VC
 * alone.
 */
#include "router/vc_room.h"

#include "router/masks.h"

HLS_RESET void vc_room_reset(struct vc_room *self)
{
    self->out = (struct vc_room_out){.room = (rtr_vcs)-1};
    self->full = 0;
}

static inline void count(struct vc_room *self, const struct vc_room_in *in)
{
    rtr_vcs sent = vc_bit(in->sent_vc);
    rtr_vcs back = in->freed.valid ? vc_bit(in->freed.vc) : (rtr_vcs)0;
    vc_room_count used = self->used[in->sent_vc];
    vc_room_count known = self->known[in->sent_vc];
    vc_room_count more = self->known[in->freed.vc] + 1;
    u1 last = in->sent && (vc_room_count)(used + 2) == known; /* but one */
    rtr_vcs full = self->full | (in->sent ? sent & ~self->out.room : (rtr_vcs)0);

    /* inq_store and input_queue check room, a clock before at most. */
    hls_assume(!in->sent || (self->full & sent) == 0);
    self->out.room &= last ? (rtr_vcs)~sent : (rtr_vcs)-1;
    self->out.room |= back & ~full;
    self->full = full & ~back;
    if (in->sent) {
        self->used[in->sent_vc] = used + 1;
    }
    if (in->wipe || in->freed.valid) {
        self->known[in->wipe ? in->sent_vc : in->freed.vc] = in->wipe ? used : more;
    }
}

HLS_MODULE void vc_room(struct vc_room *self, const struct vc_room_in *in)
{
    if (hls_seldom(in->sent || in->freed.valid || in->wipe)) {
        count(self, in);
    }
}
