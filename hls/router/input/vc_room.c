// SPDX-License-Identifier: Apache-2.0
/*
 * vc_room.c - the accounts for one buffer, an entry per VC.
 *
 * Counts are cumulative modulo the depth of the buffer. Of each VC a register says whether there is more than one place: only a
 * flit that is sent can take the last place but one, and only one that is freed gives it back, so counts are read for
 * those two VCs alone.
 */
#include "router/input/vc_room.h"

#include "router/flit/masks.h"

HLS_RESET void vc_room_reset(struct vc_room *self)
{
    self->out = (struct vc_room_out){.room = (rtr_vcs)-1};
}

static inline void count(struct vc_room *self, const struct vc_room_in *in)
{
    rtr_vcs sent = in->sent ? vc_bit(in->sent_vc) : (rtr_vcs)0;
    rtr_vcs back = in->freed.valid ? vc_bit(in->freed.vc) : (rtr_vcs)0;
    vc_room_count used = self->used[in->sent_vc];
    vc_room_count known = self->known[in->sent_vc];
    vc_room_count freed = self->known[in->freed.vc];
    u1 last = (vc_room_count)(used + 2) == known; /* but one */
    u1 first = (vc_room_count)(self->used[in->freed.vc] + 1) == freed;

    /* inq_store and input_queue check room, a clock before at most. */
    hls_assume(!in->sent || used != known || (self->out.room & sent) != 0);
    /* Of a VC that loses a place and gets one nothing changes. */
    self->out.room &= last ? (rtr_vcs) ~(sent & ~back) : (rtr_vcs)-1;
    self->out.room |= first ? (rtr_vcs)(back & ~sent) : (rtr_vcs)0;
    if (in->sent) {
        self->used[in->sent_vc] = used + 1;
    }
    if (in->wipe || in->freed.valid) {
        self->known[in->wipe ? in->sent_vc : in->freed.vc] =
            in->wipe ? used : (vc_room_count)(freed + 1);
    }
}

HLS_MODULE void vc_room(struct vc_room *self, const struct vc_room_in *in)
{
    if (hls_seldom(in->sent || in->freed.valid || in->wipe)) {
        count(self, in);
    }
}
