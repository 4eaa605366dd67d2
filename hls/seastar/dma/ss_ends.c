// SPDX-License-Identifier: Apache-2.0
/*
 * ss_ends.c - ends of messages, in the order of their marks. Memory answers in the order of writes, so a mark's turn comes when as many have been
 * answered as were in front of it.
 */
#include "seastar/dma/ss_ends.h"

#define SLACK 8 /* writes that may come behind the clock in which there is no room */

typedef uint(SS_PLACES) place_set;

HLS_RESET void ss_ends_reset(struct ss_ends *self)
{
    self->out = (struct ss_ends_out){.room = 1, .quiet = 1, .idle = 1};
    self->writes = 0;
    self->answered = 0;
    self->put = 0;
    self->get = 0;
}

static inline place_set place_bit(ss_place place)
{
    return (place_set)((place_set)1 << place);
}

/* The oldest mark whose writes are answered goes to the engine or to the ring, unless nobody hears of it. */
static inline void show(struct ss_ends *self, struct ss_ending mark)
{
    u1 fails = (u1)(self->out.failed >> mark.place);
    u1 ready = self->put != self->get && (u10)(self->answered - mark.at) < 512;
    ss_status status = fails && mark.status == SS_OK ? (ss_status)SS_MEMORY : mark.status;

    self->out.freed = 0;
    if (ready && !self->out.end.valid && !self->out.end_tell.valid) {
        self->out.end =
            (struct ss_end){.valid = mark.engine, .place = mark.place, .status = status};
        self->out.end_tell.valid = !mark.engine;
        self->out.end_tell.kind = SS_KIND_RECEIVED;
        self->out.end_tell.stream = (u2)mark.key;
        self->out.end_tell.use = mark.use;
        self->out.end_tell.status = status;
        self->out.end_tell.word[0] = (u64)mark.key;
        self->out.end_tell.word[1] = (u64)mark.written;
        self->out.failed &= ~place_bit(mark.place);
        self->out.freed = place_bit(mark.place);
        self->get++;
    }
}

static inline struct ss_ending marked(const struct ss_ends *self, const struct ss_mark *m)
{
    return (struct ss_ending){.at = self->writes,
                              .engine = m->engine,
                              .place = m->place,
                              .status = m->status,
                              .key = m->key,
                              .use = m->use,
                              .written = m->written};
}

/* The record of a place has left with its failure, or has come with one. */
static inline void take_note(struct ss_ends *self, const struct ss_fail_note *note)
{
    place_set bit = place_bit(note->place);

    if (note->valid) {
        self->out.failed = note->fails ? self->out.failed | bit : self->out.failed & ~bit;
    }
}

HLS_MODULE void ss_ends(struct ss_ends *self, const struct ss_ends_in *in)
{
    struct ss_ending mark = self->marks[(ss_place)self->get];
    ss_place owner = self->owners[(uint(SS_UNDER_WAY))self->answered];

    if (in->ended) {
        self->out.end.valid = 0;
    }
    if (in->end_told) {
        self->out.end_tell.valid = 0;
    }
    show(self, mark);
    take_note(self, &in->note);
    self->out.failed |= in->done && in->fail ? place_bit(owner) : (place_set)0;
    self->answered += in->done;
    if (in->wrote) {
        self->owners[(uint(SS_UNDER_WAY))self->writes] = in->place;
    }
    self->writes += in->wrote;
    if (in->mark.valid) {
        self->marks[(ss_place)self->put] = marked(self, &in->mark);
    }
    self->put += in->mark.valid;
    self->out.room = (u10)(self->writes - self->answered) < (1 << SS_UNDER_WAY) - SLACK;
    self->out.quiet = self->writes == self->answered;
    self->out.idle = self->put == self->get && !self->out.end.valid && !self->out.end_tell.valid;
}
