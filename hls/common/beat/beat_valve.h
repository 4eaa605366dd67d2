// SPDX-License-Identifier: Apache-2.0
/*
 * beat_valve.h - in front of a queue of packets from the network: when nothing has left it for half an epoch or more and it is full, what comes
 * is taken and dropped, packet by packet, until there is room again; and while the NIC is closed, because it wipes its memories.
 *
 * A network without losses stands still for all behind one that takes nothing. A host memory that does not answer any more, or a NIC that was
 * reset, must not do that to other nodes: what was asked of it times out where it was asked, after an epoch or two; what waits behind it does not.
 */
#ifndef BEAT_VALVE_H
#define BEAT_VALVE_H

#include "common/beat/beat.h"

struct beat_valve {
    u2 waited; /* times that half an epoch ended since the front of the queue moved, 2 at most */
    u1 shut;   /* packets are dropped */
    u1 drops;  /* the one that is coming in is */
};

static inline void valve_reset(struct beat_valve *self)
{
    self->waited = 0;
    self->shut = 0;
    self->drops = 0;
}

/* A beat from the network, once a clock: what of it goes into the queue. */
static inline struct beat valve_pass(struct beat_valve *self, const struct beat *beat)
{
    struct beat passes = *beat;

    if (beat->valid && beat->head) {
        self->drops = self->shut;
    }
    passes.valid = beat->valid && !self->drops;
    return passes;
}

/*
 * After valve_pass, before the queue's call, which gets `shut` as `takes_all`. closed: nothing is let in; waits: the queue has a front, and it
 * stays; fits: the queue's, so a packet that it has no place for is never let in. half: half an epoch ends.
 */
static inline void valve_watch(struct beat_valve *self, u1 closed, u1 waits, u1 fits, u1 half)
{
    self->shut = closed || (!fits && (self->shut || self->waited == 2));
    hls_cover(self->shut);
    self->waited = waits ? (u2)(self->waited + (u1)(half && self->waited != 2)) : (u2)0;
}

#endif
