// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_tx.c - the sending half of the link control block.
 *
 * Takes flits from the router, sends micropackets of LCB_SLOTS words and keeps their flits in a
 * replay buffer until the peer has acknowledged them (go-back-N). One slot per clock with go; the
 * way out of the replay buffer is two slots long: read register, corrected flit.
 */
#include "link/lcb_tx.h"

#include "link/crc.h"

#define WINDOW     (1 << LCB_WINDOW_LOG2)
#define FETCH_SLOT ((lcb_slot)(LCB_SLOTS - 3)) /* the count of the next micropacket is read here */
#define TURN_CLOCK ((1 << LCB_TURN_BITS) - 1)

/* What goes into the replay buffer in this clock. */
struct tx_store {
    u1 valid;
    lcb_seq seq;
    lcb_slot slot;
    lcb_flit flit;
};

HLS_RESET void lcb_tx_reset(struct lcb_tx *self)
{
    self->out = (struct lcb_tx_out){};
    self->base = 0;
    self->resend = 0;
    self->next = 0;
    self->went_back_to = 0;
    self->holding = 0;
    self->timer = 0;
    self->go = 0;
    self->closed = 1;
    self->dump = 0;
    self->slot = 0;
    self->turn = 0;
    self->replay = 0;
    self->open = 0;
    self->poison = 0;
    self->count = 0;
    self->seq = 0;
    self->crc = 0;
    self->left = 0;
    self->replay_next = 0;
    self->fetch = 0;
    self->fixed = (struct secded_result){};
}

static inline uint(LCB_WINDOW_LOG2 + LCB_SLOT_LOG2) buffer_index(lcb_seq seq, lcb_slot slot)
{
    uint(LCB_WINDOW_LOG2 + LCB_SLOT_LOG2) entry = (lcb_entry)seq;

    return (uint(LCB_WINDOW_LOG2 + LCB_SLOT_LOG2))(entry << LCB_SLOT_LOG2) | slot;
}

static inline void go_back(struct lcb_tx *self, lcb_seq seq, u12 hold)
{
    self->resend = seq;
    self->went_back_to = seq;
    self->holding = hold;
    self->timer = 0;
}

/* The peer's acknowledgement: the window moves, a nak sends us back once per round trip. */
static inline void acknowledge(struct lcb_tx *self, const struct lcb_tx_in *in)
{
    lcb_seq span = self->next - self->base;
    lcb_seq step = in->ack - self->base;
    u1 inside = step <= span;
    u1 news = self->holding == 0 || in->ack != self->went_back_to;

    self->out.ack_bad = !inside;
    if (inside) {
        if ((lcb_seq)(self->resend - self->base) < step) {
            self->resend = in->ack;
        }
        if (step != 0) {
            self->out.acked = 1;
            self->timer = 0;
        }
        self->base = in->ack;
        if (in->nak && news && in->ack != self->next && in->ack != self->resend) {
            go_back(self, in->ack, in->hold);
            self->out.nak_taken = 1;
        }
    }
}

/* A payload slot: a flit of the replay buffer, or the router's if it offers one, or nothing. */
static inline struct tx_store send_payload(struct lcb_tx *self, const struct lcb_tx_in *in)
{
    u1 take = in->flit_valid && self->out.flit_ready;
    u1 repeat = self->replay && self->slot < self->count;
    lcb_flit fresh = take ? in->flit : 0;
    lcb_flit data = repeat ? self->fixed.flit : fresh;
    lcb_crc crc = self->slot == 0 ? (lcb_crc)LCB_CRC_INIT : self->crc;

    self->out.word = data;
    self->out.valid = !self->dump;
    self->out.report = self->dump && (repeat || take);
    self->out.report_bad = self->dump && repeat && (self->fixed.fatal || self->poison);
    self->out.ecc_corrected = repeat && self->fixed.corrected;
    self->out.ecc_fatal = repeat && self->fixed.fatal && !self->dump;
    self->crc = crc_flit(crc, data);
    if (repeat) {
        self->poison |= self->fixed.fatal;
    } else if (take) {
        self->left = packet_left(self->left, in->flit);
        self->count++;
    } else {
        self->open = 0;
    }
    return (struct tx_store){
        .valid = take && !self->dump, .seq = self->next, .slot = self->slot, .flit = in->flit};
}

/* The tail is made anew for every transmission, so what it says is never stale. */
static inline lcb_word make_tail(const struct lcb_tx *self, const struct lcb_tx_in *in,
                                 lcb_type type)
{
    lcb_body ack = body_ack(in->expected, in->gap, in->load);
    lcb_body credit = body_credit(in->credit_vc, in->credit_count);
    lcb_body body = type == SIDE_ACK ? ack : type == SIDE_CREDIT ? credit : in->clock_part;
    lcb_side side = side_pack(self->seq, type, self->dump ? 0 : self->count, body);
    lcb_crc crc = crc_side(self->crc, side);

    return tail_pack(side, self->poison ? (lcb_crc)~crc : crc);
}

static inline struct tx_store send_tail(struct lcb_tx *self, const struct lcb_tx_in *in)
{
    u1 odd = (u1)self->turn;
    u1 clock = self->turn == TURN_CLOCK;
    lcb_type type = clock ? SIDE_CLOCK : odd ? SIDE_CREDIT : SIDE_ACK;
    u1 fresh = !self->dump && !self->replay && self->count != 0;
    struct tx_store store = {
        .valid = fresh, .seq = self->next, .slot = LCB_TAIL, .flit = self->count};

    self->out.word = make_tail(self, in, type);
    self->out.valid = !self->dump;
    if (!self->dump) {
        self->out.credit_sent = odd && !clock;
        self->out.clock_sent = clock;
        self->out.replayed = self->replay;
        self->turn++;
    }
    if (fresh) {
        if (self->resend == self->next) {
            self->resend++;
        }
        self->next++;
    }
    return store;
}

/* What follows the tail: a micropacket of the replay buffer, or a new one. */
static inline void turn_to_next(struct lcb_tx *self, const struct lcb_tx_in *in)
{
    u1 room = (lcb_seq)(self->next - self->base) != WINDOW;

    self->replay = self->replay_next;
    self->replay_next = 0;
    self->seq = self->replay ? self->fetch : self->next;
    self->count = self->replay ? (lcb_count)self->fixed.flit : 0;
    self->poison = self->replay && self->fixed.fatal;
    self->out.ecc_fatal = self->poison && !self->dump;
    self->out.ecc_corrected = self->replay && self->fixed.corrected;
    self->open = !self->replay && (self->dump || room);
    if (!in->flush && !self->replay && self->resend == self->next && self->left == 0) {
        self->dump = 0;
    }
}

/* Reads ahead: in slot s the flit of slot s + 2, so the count two slots before the tail. */
static inline void fetch_ahead(struct lcb_tx *self)
{
    lcb_slot ahead = self->slot >= FETCH_SLOT + 1 ? self->slot - (FETCH_SLOT + 1) : self->slot + 2;

    if (self->slot == FETCH_SLOT) {
        self->fetch = self->resend;
        if (self->resend != self->next) {
            self->replay_next = 1;
            self->resend++;
        }
    }
    self->fixed = secded_decode(self->stored);
    self->stored = self->buffer[buffer_index(self->fetch, ahead)];
    self->slot = self->slot == LCB_TAIL ? 0 : self->slot + 1;
}

/* The link went down: the open micropacket keeps the flits it has, and all is sent again. */
static inline struct tx_store put_away(struct lcb_tx *self)
{
    u1 fresh = !self->replay && self->count != 0;
    struct tx_store store = {
        .valid = fresh, .seq = self->next, .slot = LCB_TAIL, .flit = self->count};

    if (fresh) {
        self->next++;
    }
    self->resend = self->base;
    self->seq = self->next;
    self->replay = 0;
    self->replay_next = 0;
    self->open = 0;
    self->poison = 0;
    self->count = 0;
    self->slot = 0;
    self->closed = 1;
    return store;
}

static inline void new_epoch(struct lcb_tx *self)
{
    self->base = 0;
    self->resend = 0;
    self->next = 0;
    self->seq = 0;
    self->went_back_to = 0;
    self->holding = 0;
    self->timer = 0;
    self->turn = 0;
}

/* Pulses last one clock; word holds its value. */
static inline void clear_pulses(struct lcb_tx *self)
{
    lcb_word word = self->out.word;
    u1 ready = self->out.flit_ready;

    self->out = (struct lcb_tx_out){.word = word, .flit_ready = ready};
}

HLS_MODULE void lcb_tx(struct lcb_tx *self, const struct lcb_tx_in *in)
{
    struct tx_store store = {};

    clear_pulses(self);
    if (in->run && in->ack_valid) {
        acknowledge(self, in);
    }
    if (in->run && self->base != self->next && self->timer == in->timeout) {
        go_back(self, self->base, in->hold);
        self->out.timed_out = 1;
    }

    if (self->go) {
        self->holding -= self->holding != 0;
        self->timer = self->base == self->next ? 0 : self->timer + 1;
        if (self->slot != LCB_TAIL) {
            store = send_payload(self, in);
        } else {
            store = send_tail(self, in);
            turn_to_next(self, in);
        }
        fetch_ahead(self);
    } else if (!in->run && !self->closed) {
        store = put_away(self);
    }
    if (store.valid) {
        self->buffer[buffer_index(store.seq, store.slot)] = secded_encode(store.flit);
    }

    if (in->run) {
        self->closed = 0;
    }
    if (in->flush && self->closed) {
        self->dump = 1;
    }
    if (in->clear) {
        hls_assert(!self->go);
        new_epoch(self);
    }
    self->go = self->dump || (in->run && in->advance);
    self->out.flit_ready = self->go && self->open && self->slot != LCB_TAIL &&
                           (!self->dump || in->flush || self->left != 0);
    self->out.flushing = self->dump;

    hls_assert((lcb_seq)(self->next - self->base) <= WINDOW);
    hls_assert((lcb_seq)(self->resend - self->base) <= (lcb_seq)(self->next - self->base));
    hls_assert(self->slot < LCB_SLOTS);
    hls_assert(self->count < LCB_SLOTS || self->poison);
    hls_cover(self->out.nak_taken);
    hls_cover(self->out.timed_out);
    hls_cover(self->out.replayed && self->seq == 0);
    hls_cover(self->out.acked && self->base == 0);
}
