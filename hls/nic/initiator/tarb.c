// SPDX-License-Identifier: Apache-2.0
/*
 * tarb.c - whole packets of the initiators' sources onto the one request stream.
 *
 * A packet is begun when orb has room for it, and then nothing behind stops it: ntt, ssid and orb take what comes. A request needs a tag
 * beside those that may be taken by requests on their way: each is counted from here until orb must have taken it. A NOTE of ssid goes
 * before the packets of others.
 */
#include "nic/initiator/tarb.h"

HLS_RESET void tarb_reset(struct tarb *self)
{
    self->out = (struct tarb_out){};
    beat_queue_reset(&self->queue);
    beat_queue_reset(&self->of_bte);
    self->inside = 0;
    self->from = 0;
    self->noting = 0;
    self->promised = 0;
}

/* Requests have two beats and more, so at most three of five clocks began one. */
static inline u3 count_promised(uint(TARB_TAG_CLOCKS) promised)
{
    u3 count = 0;

    for (int i = 0; i < TARB_TAG_CLOCKS; i++) {
        count += (u1)(promised >> i);
    }
    return count;
}

/* The beats of NOTE: head, {event 64, count 32}, the rest of a flag. */
static inline struct beat note_beat(const struct ssid_notice *note, u1 head, u1 tail)
{
    beat_word data = tail ? (beat_word)0 : (beat_word)((beat_word)note->event << END_EVENT_AT);

    return (struct beat){.valid = 1, .head = head, .tail = tail, .word = head ? note->head : data};
}

HLS_MODULE void tarb(struct tarb *self, const struct tarb_in *in)
{
    u1 fma = self->queue.out.front.valid, bte = self->of_bte.out.front.valid;
    u1 from = self->inside ? self->from : fma & bte ? (u1)!self->from : bte;
    struct beat front = from ? self->of_bte.out.front : self->queue.out.front;
    u1 tag = count_promised(self->promised) < in->tags;
    u1 may = in->orb_room & tag;
    u1 waits = in->note.valid & !self->out.note_taken;
    u1 noting = self->noting != 0;
    u1 begins = waits & !self->inside & !noting & may;
    u1 go = front.valid & !noting & !begins & (self->inside | may);
    struct beat_queue_in to = {.push = in->fma, .pop = go & !from};
    struct beat_queue_in to_bte = {.push = in->bte, .pop = go & from};

    hls_assert(!front.valid || front.head == !self->inside);
    hls_assert(!self->out.beat.valid || self->out.beat.tail == !(self->inside | noting));
    hls_assert(!self->inside || !noting);
    self->out.beat = front;
    self->out.beat.valid = go;
    if (begins | noting) {
        self->out.beat = note_beat(&in->note, begins, self->noting == 1);
    }
    self->out.note_taken = self->noting == 1;
    self->noting = begins ? (u2)2 : noting ? (u2)(self->noting - 1) : (u2)0;
    u1 fatal = self->queue.out.fatal | self->of_bte.out.fatal;
    u1 corrected = self->queue.out.corrected | self->of_bte.out.corrected;

    self->out.count = (uint(TARB_COUNTS))(((uint(TARB_COUNTS))(front.valid & !go) << TARB_STALLED) |
                                          ((uint(TARB_COUNTS))fatal << TARB_FATAL) |
                                          ((uint(TARB_COUNTS))corrected << TARB_CORRECTED));
    self->promised =
        (uint(TARB_TAG_CLOCKS))((self->promised << 1) | ((go & front.head & !front.tail) | begins));
    if (go) {
        self->inside = !front.tail;
        self->from = from;
    }
    hls_cover(front.valid && !go); /* orb has no room */
    hls_cover(go && front.bad);
    hls_cover(begins && front.valid);
    self->out.idle = self->queue.out.empty & self->of_bte.out.empty & !in->fma.valid &
                     !in->bte.valid & !noting & !begins; /* and so no beat goes out */
    hls_cover(go & fma & bte);
    beat_queue(&self->queue, &to);
    beat_queue(&self->of_bte, &to_bte);
    self->out.room = self->queue.out.room;
    self->out.room_bte = self->of_bte.out.room;
}
