// SPDX-License-Identifier: Apache-2.0
/*
 * bte.c - joins of the block transfer engine: each half sees the registers of the other, so the order of calls does not matter.
 */
#include "nic/bte/bte.h"

HLS_RESET void bte_reset(struct bte *self)
{
    self->out = (struct bte_out){};
    bte_ring_reset(&self->ring);
    bte_send_reset(&self->send);
}

static inline void forward(struct bte *self)
{
    const struct bte_ring_out *ring = &self->ring.out;

    self->out.beat = self->send.out.beat;
    self->out.local = self->send.out.local;
    self->out.room_reply = self->send.out.room_reply;
    self->out.fetch = ring->fetch;
    self->out.word = ring->word;
    self->out.launch = ring->launch;
    self->out.noted = ring->noted;
    self->out.owned = ring->owned;
    self->out.tells = ring->tells;
    self->out.count = ring->count;
    self->out.idle = ring->idle;
}

HLS_MODULE void bte(struct bte *self, const struct bte_in *in)
{
    struct bte_ring_in to_ring = {
        .write = in->write,
        .reply = in->reply_ring,
        .done = in->done,
        .fetch_taken = in->fetch_taken,
        .room_word = in->room_word,
        .sent = self->send.out.sent,
        .over = in->over,
        .launch = in->launch,
        .noted_taken = in->noted_taken,
        .read = in->read,
        .config = in->config,
    };
    struct bte_send_in to_send = {
        .words = self->ring.out.words,
        .refusal = in->refusal,
        .reply = in->reply_local,
        .descriptor = in->reply_ring.valid & in->reply_ring.head & !in->reply_ring.tail,
        .local_taken = in->local_taken,
        .room = in->room,
        .tags = in->tags,
        .over = in->over,
        .fault = in->fault,
        .write = in->write,
        .wipe = in->wipe,
    };

    for (int c = 0; c < BTE_CHANNELS; c++) {
        to_send.limit[c] = self->ring.out.limit[c];
    }
    bte_ring(&self->ring, &to_ring);
    bte_send(&self->send, &to_send);
    forward(self);
}
