// SPDX-License-Identifier: Apache-2.0
/*
 * beat_skid.h - four beats in registers, for a stream that its receiver may stop at any beat.
 *
 * `room` of such a stream is a register of the receiver that says that two more beats fit; the sender drives one from
 * its own register in the clock behind each in which it saw 1. So one beat a clock passes, also right behind a stop.
 */
#ifndef BEAT_SKID_H
#define BEAT_SKID_H

#include "nic/beat.h"

#define SKID_BEATS 4

struct beat_skid {
    struct beat slot[SKID_BEATS]; /* the oldest at `at`; valid is not looked at */
    u2 at;
    u3 count;
};

static inline void skid_reset(struct beat_skid *self)
{
    for (int i = 0; i < SKID_BEATS; i++) {
        self->slot[i] = (struct beat){};
    }
    self->at = 0;
    self->count = 0;
}

/* The oldest beat, if there is one. */
static inline struct beat skid_front(const struct beat_skid *self)
{
    struct beat front = self->slot[self->at];

    front.valid = self->count != 0;
    return front;
}

/* pop: the oldest beat is taken. The value is the new room. */
static inline u1 skid_step(struct beat_skid *self, const struct beat *push, u1 pop)
{
    hls_assume(!push->valid || self->count != SKID_BEATS || pop); /* the sender heeds room */
    if (push->valid) {
        self->slot[(u2)(self->at + self->count)] = *push;
    }
    self->at += pop;
    self->count = (u3)(self->count + push->valid - pop);
    return self->count <= SKID_BEATS - 2;
}

#endif
