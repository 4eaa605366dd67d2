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
#if NIC_CE
    beat_queue_reset(&self->of_ce);
#endif
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

/* The beats of NOTE: head, {flag[31:0], event 64, count 32}, the rest of the flag. */
static inline struct beat note_beat(const struct ssid_notice *note, u1 head, u1 tail)
{
    beat_word first =
        ((beat_word)note->event << END_EVENT_AT) | ((beat_word)(u32)note->flag << END_FLAG_AT);
    beat_word data = tail ? (beat_word)(u32)(note->flag >> 32) : first;

    return (struct beat){.valid = 1, .head = head, .tail = tail, .word = head ? note->head : data};
}

/* Whose packet is next: of those that have one, in turn. */
static inline tarb_source next_of(tarb_source last, u1 fma, u1 bte, u1 ce)
{
#if NIC_CE
    u1 after_fma = bte | ce, after_bte = ce | fma, after_ce = fma | bte;
    tarb_source of_fma = bte ? (tarb_source)TARB_BTE : (tarb_source)TARB_CE;
    tarb_source of_bte = ce ? (tarb_source)TARB_CE : (tarb_source)TARB_FMA;
    tarb_source of_ce = fma ? (tarb_source)TARB_FMA : (tarb_source)TARB_BTE;

    return last == TARB_FMA   ? (after_fma ? of_fma : (tarb_source)TARB_FMA)
           : last == TARB_BTE ? (after_bte ? of_bte : (tarb_source)TARB_BTE)
                              : (after_ce ? of_ce : (tarb_source)TARB_CE);
#else
    (void)ce;
    return fma & bte ? (tarb_source)!last : bte;
#endif
}

HLS_MODULE void tarb(struct tarb *self, const struct tarb_in *in)
{
    u1 fma = self->queue.out.front.valid, bte = self->of_bte.out.front.valid;
#if NIC_CE
    u1 ce = self->of_ce.out.front.valid;
#else
    u1 ce = 0;
#endif
    tarb_source from = self->inside ? self->from : next_of(self->from, fma, bte, ce);
    struct beat front = from == TARB_BTE ? self->of_bte.out.front : self->queue.out.front;
#if NIC_CE
    front = from == TARB_CE ? self->of_ce.out.front : front;
#endif
    u1 tag = count_promised(self->promised) < in->tags;
    u1 may = in->orb_room & tag;
    u1 waits = in->note.valid & !self->out.note_taken;
    u1 noting = self->noting != 0;
    u1 begins = waits & !self->inside & !noting & may;
    u1 go = front.valid & !noting & !begins & (self->inside | may);
    struct beat_queue_in to = {.push = in->fma, .pop = go & (from == TARB_FMA)};
    struct beat_queue_in to_bte = {.push = in->bte, .pop = go & (from == TARB_BTE)};
#if NIC_CE
    struct beat_queue_in to_ce = {.push = in->ce, .pop = go & (from == TARB_CE)};
#endif

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

#if NIC_CE
    fatal |= self->of_ce.out.fatal;
    corrected |= self->of_ce.out.corrected;
#endif
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
#if NIC_CE
    self->out.idle = self->out.idle & self->of_ce.out.empty & !in->ce.valid;
    hls_cover(go & fma & bte & ce);
    beat_queue(&self->of_ce, &to_ce);
    self->out.room_ce = self->of_ce.out.room;
#endif
    hls_cover(go & fma & bte);
    beat_queue(&self->queue, &to);
    beat_queue(&self->of_bte, &to_bte);
    self->out.room = self->queue.out.room;
    self->out.room_bte = self->of_bte.out.room;
}
