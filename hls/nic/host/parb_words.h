// SPDX-License-Identifier: Apache-2.0
/*
 * parb_words.h - words to be written that wait in a LUTRAM, as writes of two beats.
 */
#ifndef PARB_WORDS_H
#define PARB_WORDS_H

#include "axi/memory.h"

#define PARB_WORDS 16

typedef uint(66) parb_word_head; /* {space, wide, place, address} */

struct parb_words {
    HLS_LUTRAM(1) parb_word_head head[PARB_WORDS];
    HLS_LUTRAM(1) u64 data[PARB_WORDS];
    u4 read, write;
    u5 count;
};

static inline void words_reset(struct parb_words *self)
{
    self->read = 0;
    self->write = 0;
    self->count = 0;
}

/* The oldest word as the beat of it that goes next: its data if `open`. */
static inline struct beat words_front(const struct parb_words *self, u4 client, u1 open)
{
    parb_word_head word = self->head[self->read];
    u64 data = self->data[self->read];
    u6 bytes = (u1)(word >> 60) ? (u6)7 : (u6)3;
    beat_word head = ((beat_word)client << MEM_CLIENT_AT) |
                     ((beat_word)(u12)(word >> 48) << MEM_PLACE_AT) |
                     ((beat_word)bytes << MEM_BYTES_AT) | ((beat_word)1 << MEM_WRITE_AT) |
                     ((beat_word)(mem_space)(word >> 61) << MEM_SPACE_AT) |
                     ((beat_word)(u48)word << MEM_ADDR_AT);

    return (struct beat){
        .valid = self->count != 0,
        .head = !open,
        .tail = open,
        .word = open ? (beat_word)data : head,
    };
}

/* pop: the oldest word's data is taken. The value is whether `ahead` more fit. */
static inline u1 words_step(struct parb_words *self, const struct mem_word *push, u1 pop, u5 ahead)
{
    hls_assert((u4)(self->write - self->read) == (u4)self->count);
    hls_assume(!push->valid || self->count != PARB_WORDS); /* the sender heeds room */
    if (push->valid) {
        self->head[self->write] =
            (parb_word_head)(((parb_word_head)push->space << 61) |
                             ((parb_word_head)push->wide << 60) |
                             ((parb_word_head)push->place << 48) | push->addr);
        self->data[self->write] = push->data;
        self->write++;
    }
    self->read += pop;
    self->count = (u5)(self->count + push->valid - pop);
    return self->count <= (u5)(PARB_WORDS - ahead);
}

#endif
