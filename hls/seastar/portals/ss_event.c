// SPDX-License-Identifier: Apache-2.0
/*
 * ss_event.c - event queues: an event at a time, word by word. A full queue drops it, and the next one that it takes says so.
 */
#include "seastar/portals/ss_event.h"

typedef uint(SS_QUEUES) queue_set;

HLS_RESET void ss_event_reset(struct ss_event *self)
{
    self->out = (struct ss_event_out){.room = 1};
    self->busy = 0;
    self->at = 0;
    for (int w = 0; w < 8; w++) {
        self->words[w] = 0;
    }
    self->word = 0;
    self->there = 0;
    self->missed = 0;
    self->index = (struct ss_index_write){};
}

static inline queue_set queue_bit(ss_queue_index q)
{
    return (queue_set)((queue_set)1 << q);
}

/* A word of the event goes to memory; with the first it is seen whether its queue has a place. Returns whether it is whole. */
static inline u1 write_word(struct ss_event *self, const struct ss_event_in *in,
                            struct ss_queue queue, u32 number, u32 read)
{
    u32 index = number & (u32)(((u32)1 << queue.log2) - 1);
    u1 full = (u32)(number - read) >> queue.log2 != 0;
    u1 there = (u1)(self->there >> self->at);
    u1 missed = (u1)(self->missed >> self->at);
    u64 mark = self->word == 0   ? (u64)missed << 14
               : self->word == 7 ? (u64)(u24)(number + 1) << 40
                                 : (u64)0;
    u1 whole = 0;

    if (self->word == 0 && (full || !there)) {
        self->missed |= there ? queue_bit(self->at) : (queue_set)0;
        self->out.lost = there;
        self->busy = 0;
    } else if (in->write_room) {
        self->out.write = (struct ss_write){
            .valid = 1,
            .addr = (u48)(queue.base + ((u48)index << 6) + ((u48)self->word << 3)),
            .data = self->words[self->word] | mark,
            .strb = 0xFF,
        };
        whole = self->word == 7;
        self->word++;
    }
    if (whole) {
        self->missed &= ~queue_bit(self->at);
        self->out.some |= queue_bit(self->at);
        self->busy = 0;
    }
    return whole;
}

HLS_MODULE void ss_event(struct ss_event *self, const struct ss_event_in *in)
{
    ss_queue_index named = (ss_queue_index)self->index.queue;
    struct ss_queue queue = self->queues[self->at];
    struct ss_queue other = self->queues[named];
    u32 number = self->written[self->at], last = self->written[named];
    u32 read = self->read[self->at], before = self->read[named];
    u1 whole = 0;
    u32 step = self->index.index - before;
    u1 sets = in->set.valid;
    /* An index that is none is ignored, and one of another process. */
    u1 moves = self->index.valid && !sets && self->index.queue < SS_QUEUES &&
               (u1)(self->there >> named) && other.slot == self->index.slot &&
               step <= (u32)(last - before);

    /* The engine pushes, and makes queues, where there is room. */
    hls_assume(!(self->busy && (in->push.valid || sets)));
    hls_assume(!(in->push.valid && sets));
    hls_assume(queue.log2 <= 16);
    self->out.write.valid = 0;
    self->out.lost = 0;
    if (self->busy) {
        whole = write_word(self, in, queue, number, read);
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
        self->written[whole ? self->at : in->set.queue] = whole ? number + 1 : (u32)0;
    }
    if (moves || sets) {
        self->read[moves ? named : in->set.queue] = moves ? self->index.index : (u32)0;
    }
    if (moves && self->index.index == last && !(whole && named == self->at)) {
        self->out.some &= ~queue_bit(named);
    }
    if (in->push.valid) {
        self->busy = 1;
        self->at = in->push.queue;
        self->word = 0;
        for (int w = 0; w < 8; w++) {
            self->words[w] = in->push.word[w];
        }
    }
    self->index.valid = self->index.valid && sets;
    if (in->index.valid) {
        self->index = in->index;
    }
    self->out.room = !self->busy;
}
