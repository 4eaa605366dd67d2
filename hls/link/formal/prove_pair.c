// SPDX-License-Identifier: Apache-2.0
/*
 * prove_pair.c - two halves of a link over a channel that loses and corrupts, for proofs.
 *
 * near_tx sends flits to far_rx; far_tx brings the acknowledgements back to near_rx. In both directions the
 * channel may drop any micropacket or corrupt it (in the small machine of config/formal.h the CRC is a
 * bit that is set in no good micropacket). Lanes and bring-up are left out: the link is in data
 * mode for ever, one word per clock. The flits carry consecutive numbers, of which the receiver must
 * see every one, once, in order, marked bad if it was sent so: 16 of them are more than can be under way.
 *
 * The covers say that the proof's depth is enough to see what it is about.
 */
#include "link/micropacket/lcb_rx.h"
#include "link/micropacket/lcb_tx.h"

enum {
    PAIR_HOLD = 6,     /* slots until the same nak counts again */
    PAIR_TIMEOUT = 14, /* slots without progress before a replay */
    PAIR_UNDER_WAY = (LCB_SLOTS - 1) * ((1 << LCB_WINDOW_LOG2) + 1)
};

struct prove_pair_in {
    u1 offer;         /* a flit is offered to near_tx */
    u1 mark;          /* it is marked bad */
    u1 drop_forth;    /* the micropacket that begins now is lost */
    u1 corrupt_forth; /* the micropacket whose tail passes now is corrupted */
    u1 drop_back;
    u1 corrupt_back;
};

struct prove_pair_out {
    lcb_flit sent;     /* number of the next flit */
    lcb_flit received; /* number that the receiver must see next */
    u16 marks;         /* bit n: flit number n was sent marked */
};

/* One direction of the channel. */
struct prove_channel {
    lcb_slot slot;
    u1 dropping;
};

struct prove_pair {
    struct prove_pair_out out;
    struct lcb_tx near_tx;
    struct lcb_rx near_rx;
    struct lcb_tx far_tx;
    struct lcb_rx far_rx;
    struct prove_channel forth;
    struct prove_channel back;

    /* How far each sequence of events has come that a cover asks for. */
    u1 nak_taken;
    u1 nak_replayed;
    u1 ack_lost;
    u1 timed_out;
    u1 timeout_replayed;
};

HLS_RESET void prove_pair_reset(struct prove_pair *self)
{
    lcb_tx_reset(&self->near_tx);
    lcb_rx_reset(&self->near_rx);
    lcb_tx_reset(&self->far_tx);
    lcb_rx_reset(&self->far_rx);
    self->out = (struct prove_pair_out){};
    self->forth = (struct prove_channel){};
    self->back = (struct prove_channel){};
    self->nak_taken = 0;
    self->nak_replayed = 0;
    self->ack_lost = 0;
    self->timed_out = 0;
    self->timeout_replayed = 0;
}

/* What the receiver sees of a word that was sent. */
static inline struct lcb_rx_in channel(struct prove_channel *self, u1 valid, lcb_word word, u1 drop,
                                       u1 corrupt)
{
    struct lcb_rx_in rx = {.run = 1};

    if (valid) {
        if (self->slot == 0) {
            self->dropping = drop;
        }
        rx.valid = !self->dropping;
        rx.word = word ^ (lcb_word)(self->slot == LCB_TAIL && corrupt);
        self->slot = self->slot == LCB_TAIL ? 0 : self->slot + 1;
    }
    return rx;
}

static inline struct lcb_tx_in acks(const struct lcb_rx_out *rx)
{
    return (struct lcb_tx_in){
        .advance = 1,
        .run = 1,
        .ack_valid = rx->ack_valid,
        .ack = rx->ack,
        .nak = rx->nak,
        .expected = rx->expected,
        .gap = rx->gap,
        .hold = PAIR_HOLD,
        .timeout = PAIR_TIMEOUT,
    };
}

/* What the channel does to the direction back in this clock. */
static inline void follow(struct prove_pair *self, const struct lcb_rx_in *back)
{
    const struct lcb_tx_out *near = &self->near_tx.out;
    const struct lcb_rx_out *rx = &self->far_rx.out;
    u1 tail_back = self->far_tx.out.valid && self->back.slot == 0;

    hls_cover(self->nak_replayed && rx->accepted);
    hls_cover(self->timeout_replayed && rx->repeated);
    hls_cover(rx->accepted && rx->expected == 0);
    self->nak_replayed |= self->nak_taken && near->replayed;
    self->nak_taken |= near->nak_taken;
    self->timeout_replayed |= self->timed_out && near->replayed;
    self->timed_out |= self->ack_lost && near->timed_out && !self->nak_taken;
    self->ack_lost |= tail_back && rx->expected != 0 && (!back->valid || (u1)back->word);
}

HLS_MODULE void prove_pair(struct prove_pair *self, const struct prove_pair_in *in)
{
    struct lcb_tx_in near = acks(&self->near_rx.out);
    struct lcb_tx_in far = acks(&self->far_rx.out);
    struct lcb_rx_in forth = channel(&self->forth, self->near_tx.out.valid, self->near_tx.out.word,
                                     in->drop_forth, in->corrupt_forth);
    struct lcb_rx_in back = channel(&self->back, self->far_tx.out.valid, self->far_tx.out.word,
                                    in->drop_back, in->corrupt_back);

    near.flit_valid = in->offer;
    near.flit_bad = in->mark;
    near.flit = self->out.sent;
    follow(self, &back);
    hls_assert(!self->near_tx.out.ack_bad && !self->far_tx.out.ack_bad);
    if (self->far_rx.out.flit_valid) {
        hls_assert(self->far_rx.out.flit == self->out.received);
        hls_assert(self->far_rx.out.bad == (u1)(self->out.marks >> (u4)self->out.received));
        self->out.received++;
    }
    if (in->offer && self->near_tx.out.flit_ready) {
        self->out.marks &= (u16) ~((u16)1 << (u4)self->out.sent);
        self->out.marks |= (u16)((u16)in->mark << (u4)self->out.sent);
        self->out.sent++;
    }
    hls_assert((lcb_flit)(self->out.sent - self->out.received) <= PAIR_UNDER_WAY);

    lcb_tx(&self->near_tx, &near);
    lcb_rx(&self->near_rx, &back);
    lcb_tx(&self->far_tx, &far);
    lcb_rx(&self->far_rx, &forth);
}
