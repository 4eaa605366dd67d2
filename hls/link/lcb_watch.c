// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_watch.c - the watchdog of a link that runs.
 *
 * A peer that is only slow acknowledges and holds flits of ours, and is never reset. Good micropackets are counted, not
 * clocks: a silent cable is left to lcb_link.
 */
#include "link/lcb_watch.h"

HLS_RESET void lcb_watch_reset(struct lcb_watch *self)
{
    *self = (struct lcb_watch){};
}

/* Whether the peer says in its idle micropackets that it is empty, once all that was sent is acknowledged. */
static inline void hear_peer(struct lcb_watch *self, const struct lcb_watch_in *in)
{
    if (!in->run || in->waits) {
        self->peer_empty = 0;
#if LCB_PACKET
    } else if (in->said) {
        self->peer_empty = in->heard;
    }
#else
    } else if (in->good && side_flits(in->side) == 0) {
        self->peer_empty = side_count(in->side) == SIDE_EMPTY;
    }
#endif
}

/* A peer that waits for credits must hear now and then that we are empty, even if we have flits in every clock. */
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
