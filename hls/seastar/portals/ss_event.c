// SPDX-License-Identifier: Apache-2.0
/*
 * ss_event.c - event queues: events that wait are written word by word. A full queue drops its event, and the next one that it takes says so.
 */
#include "seastar/portals/ss_event.h"

typedef uint(SS_QUEUES) queue_set;
typedef uint(SS_EVENTS_LOG2 + 1) event_count;
typedef uint(SS_EVENTS_LOG2) event_index;
typedef uint(SS_EVENTS_LOG2 + 2) part_index;

HLS_RESET void ss_event_reset(struct ss_event *self)
{
    self->out = (struct ss_event_out){.room = 1, .idle = 1};
    self->put = 0;
    self->get = 0;
    self->word = 0;
    self->there = 0;
    self->missed = 0;
    self->index = (struct ss_index_write){};
}

static inline queue_set queue_bit(ss_queue_index q)
{
    return (queue_set)((queue_set)1 << q);
}

/* What is known of the queue of the event in front. */
struct front {
    ss_queue_index at;
    struct ss_queue queue;
    u32 number, read; /* events: written, read by the process */
    u64 word;
};

/* A word of the event goes to memory; with the first it is seen whether its queue has a place. Returns whether it is whole. */
static inline u1 write_word(struct ss_event *self, const struct ss_event_in *in,
                            const struct front *f)
{
    u32 index = f->number & (u32)(((u32)1 << f->queue.log2) - 1);
    u1 full = (u32)(f->number - f->read) >> f->queue.log2 != 0;
    u1 there = (u1)(self->there >> f->at);
    u1 missed = (u1)(self->missed >> f->at);
    u64 mark = self->word == 0   ? (u64)missed << 14
               : self->word == 7 ? (u64)(u24)(f->number + 1) << 40
                                 : (u64)0;
    u1 whole = 0;

    if (self->word == 0 && (full || !there)) {
        self->missed |= there ? queue_bit(f->at) : (queue_set)0;
        self->out.lost = there;
        self->get++;
    } else if (in->write_room) {
        self->out.write = (struct ss_write){
            .valid = 1,
            .addr = (u48)(f->queue.base + ((u48)index << 6) + ((u48)self->word << 3)),
            .data = f->word | mark,
            .strb = 0xFF,
        };
        whole = self->word == 7;
        self->word++;
    }
    if (whole) {
        self->missed &= ~queue_bit(f->at);
        self->out.some |= queue_bit(f->at);
        self->get++;
    }
    return whole;
}

static inline void take_part(struct ss_event *self, const struct ss_event_part *part)
{
    if (part->valid) {
        self->parts[((part_index)(event_index)self->put << 2) | part->step] =
            (uint(128))part->word[0] | ((uint(128))part->word[1] << 64);
        self->whose[(event_index)self->put] = part->queue;
        self->put += part->step == 3;
    }
}

HLS_MODULE void ss_event(struct ss_event *self, const struct ss_event_in *in)
{
    u1 some = self->put != self->get;
    ss_queue_index at = self->whose[(event_index)self->get];
    uint(128) part = self->parts[((part_index)(event_index)self->get << 2) | (u2)(self->word >> 1)];
    ss_queue_index named = (ss_queue_index)self->index.queue;
    struct ss_queue other = self->queues[named];
    u32 last = self->written[named], before = self->read[named];
    struct front front = {.at = at,
                          .queue = self->queues[at],
                          .number = self->written[at],
                          .read = self->read[at],
                          .word = (u1)self->word ? (u64)(part >> 64) : (u64)part};
    u1 whole = 0;
    u32 step = self->index.index - before;
    u1 sets = in->set.valid;
    /* An index that is none is ignored, and one of another process. */
    u1 moves = self->index.valid && !sets && self->index.queue < SS_QUEUES &&
               (u1)(self->there >> named) && other.slot == self->index.slot &&
               step <= (u32)(last - before);

    /* Queues are made while nothing is here, events pushed where there is room. */
    hls_assume(!(sets && (some || in->part.valid)));
    hls_assume((event_count)(self->put - self->get) < 1 << SS_EVENTS_LOG2 || !in->part.valid);
    hls_assume(front.queue.log2 <= 16);
    self->out.write.valid = 0;
    self->out.lost = 0;
    if (some) {
        whole = write_word(self, in, &front);
    }
    if (sets) {
        self->there = in->set.log2 != 0 ? self->there | queue_bit(in->set.queue)
                                        : self->there & ~queue_bit(in->set.queue);
        self->missed &= ~queue_bit(in->set.queue);
        self->out.some &= ~queue_bit(in->set.queue);
        self->queues[in->set.queue] =
            (struct ss_queue){.base = in->set.base, .log2 = in->set.log2, .slot = in->set.slot};
    }
    if (whole || sets) {
        self->written[whole ? at : in->set.queue] = whole ? front.number + 1 : (u32)0;
    }
    if (moves || sets) {
        self->read[moves ? named : in->set.queue] = moves ? self->index.index : (u32)0;
    }
    if (moves && self->index.index == last && !(whole && named == at)) {
        self->out.some &= ~queue_bit(named);
    }
    self->index.valid = self->index.valid && sets;
    if (in->index.valid) {
        self->index = in->index;
    }
    take_part(self, &in->part);
    self->out.room = (event_count)(self->put - self->get) <= (1 << SS_EVENTS_LOG2) - 2;
    self->out.idle = self->put == self->get && !in->part.valid;
}
