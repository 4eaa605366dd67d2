// SPDX-License-Identifier: Apache-2.0
/*
 * beat_skid.h - four beats in a LUTRAM, for a stream that its receiver may stop at any beat.
 *
 * `room` of such a stream is a register of the receiver that says that two more beats fit; the sender drives one from
 * its own register in the clock behind each in which it saw 1. So one beat a clock passes, also right behind a stop.
 */
#ifndef BEAT_SKID_H
#define BEAT_SKID_H

#include "common/beat/beat.h"

#define SKID_BEATS 4

typedef uint(BEAT_BITS + 3) skid_word; /* {head, tail, bad, word} */

struct beat_skid {
    HLS_LUTRAM(1) skid_word slot[SKID_BEATS]; /* the oldest at `at` */
    u2 at;
    u3 count;
};

static inline void skid_reset(struct beat_skid *self)
{
    self->at = 0;
    self->count = 0;
}

/* The oldest beat, if there is one; read once a clock, before skid_step. */
static inline struct beat skid_front(const struct beat_skid *self)
{
    skid_word word = self->slot[self->at];

    return (struct beat){
        .valid = self->count != 0,
        .head = (u1)(word >> (BEAT_BITS + 2)),
        .tail = (u1)(word >> (BEAT_BITS + 1)),
        .bad = (u1)(word >> BEAT_BITS),
        .word = (beat_word)word,
    };
}

/* pop: the oldest beat is taken. The value is the new room. */
static inline u1 skid_step(struct beat_skid *self, const struct beat *push, u1 pop)
{
    hls_assume(!push->valid || self->count != SKID_BEATS || pop); /* the sender heeds room */
    if (push->valid) {
        u3 marks = (u3)((u3)((u3)push->head << 2) | (u3)((u3)push->tail << 1) | push->bad);

        self->slot[(u2)(self->at + self->count)] =
            ((skid_word)marks << BEAT_BITS) | (skid_word)push->word;
    }
    self->at += pop;
    self->count = (u3)(self->count + push->valid - pop);
    return self->count <= SKID_BEATS - 2;
}

#endif
