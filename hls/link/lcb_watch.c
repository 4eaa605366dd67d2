// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_watch.c - the watchdog of a link that runs.
 *
 * A peer that is only slow acknowledges, and holds something of ours: it is left alone for ever. What is
 * counted are good micropackets, so a silent cable is lcb_link's affair.
 */
#include "link/lcb_watch.h"

HLS_RESET void lcb_watch_reset(struct lcb_watch *self)
{
    *self = (struct lcb_watch){};
}

/* What the peer says in its idle micropackets; it counts from when it has all that was sent. */
static inline void hear_peer(struct lcb_watch *self, const struct lcb_watch_in *in)
{
    if (!in->run || in->waits) {
        self->peer_empty = 0;
    } else if (in->good && side_flits(in->side) == 0) {
        self->peer_empty = side_count(in->side) == SIDE_EMPTY;
    }
}

/* A peer that waits for room is to hear now and then that we are empty, even when we send all the time. */
static inline void tell_peer(struct lcb_watch *self, const struct lcb_watch_in *in)
{
    if (!in->run || in->idle || !in->empty) {
        self->unsaid = 0;
        self->out.hush = 0;
    } else {
        self->out.hush |= self->unsaid == (1 << HUSH_LOG2) - 1;
        self->unsaid++;
    }
}

HLS_MODULE void lcb_watch(struct lcb_watch *self, const struct lcb_watch_in *in)
{
    u1 fruitless = in->waits || (in->short_of && self->peer_empty);

    self->out.stuck = 0;
    if (!in->run || in->acked || !fruitless || in->waits != self->waited) {
        self->fruitless = 0;
    } else if (in->good) {
        self->out.stuck = self->fruitless == (1 << WATCH_LOG2) - 1;
        self->fruitless++;
    }
    self->waited = in->waits;
    hear_peer(self, in);
    tell_peer(self, in);
}
