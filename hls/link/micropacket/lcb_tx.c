// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_tx.c - the sending half of the link control block.
 *
 * Takes flits from the router, sends micropackets of LCB_SLOTS words and keeps their flits in a
 * replay buffer until the peer has acknowledged them (go-back-N). One slot per clock with go; reading
 * the replay buffer is a pipeline of three slots: the memory's register, one behind it, decoded flit.
 */
#include "link/micropacket/lcb_tx.h"

#include "link/micropacket/crc.h"

#define WINDOW     (1 << LCB_WINDOW_LOG2)
#define FETCH_SLOT ((lcb_slot)(LCB_SLOTS - 4)) /* the count of the next micropacket is read here */
#define TURN_CLOCK ((1 << LCB_TURN_BITS) - 1)

HLS_RESET void lcb_tx_reset(struct lcb_tx *self)
{
    self->out = (struct lcb_tx_out){};
    self->base = 0;
    self->resend = 0;
    self->sent = 0;
    self->next = 0;
    self->went_back_to = 0;
    self->heard = (struct tx_heard){};
    self->holding = 0;
    self->timer = 0;
    self->expired = 0;
    self->go = 0;
    self->closed = 1;
    self->dump = 0;
    self->slot = 0;
    self->at_tail = 0;
    self->repeats = 0;
    self->turn = 0;
    self->was_urgent = 0;
    self->replay = 0;
    self->open = 0;
    self->poison = 0;
    self->bad = 0;
    self->count = 0;
    self->seq = 0;
    self->crc = LCB_CRC_START;
    self->left = 0;
    self->replay_next = 0;
    self->fetch = 0;
    self->stored = 0;
    self->fixed = (struct secded_result){};
}

static inline uint(LCB_WINDOW_LOG2 + LCB_SLOT_LOG2) buffer_index(lcb_seq seq, lcb_slot slot)
{
    uint(LCB_WINDOW_LOG2 + LCB_SLOT_LOG2) entry = (lcb_entry)seq;

    return (uint(LCB_WINDOW_LOG2 + LCB_SLOT_LOG2))(entry << LCB_SLOT_LOG2) | slot;
}

#define WINDOW_OF lcb_tx
#include "link/flit/lcb_window.inc"

/* The word in the slot of the tail in the replay buffer: flits of the micropacket, and whether the last one is marked. */
static inline lcb_flit stored_count(u1 bad, lcb_count count)
{
    return (lcb_flit)(((lcb_flit)bad << LCB_COUNT_BITS) | count);
}

/*
 * A payload slot: the router's flit if it offers one, or one of the replay buffer, or nothing. A
 * marked flit is the last one of its micropacket.
 */
static inline lcb_flit payload(struct lcb_tx *self, const struct lcb_tx_in *in, u1 take)
{
    u1 repeat = self->repeats;
    u1 marked = self->bad && (lcb_count)(self->slot + 1) == self->count;

    self->out.reports = self->dump && (repeat || take);
    self->out.report_bad =
        self->dump && (repeat ? self->fixed.fatal || self->poison || marked : take && in->flit_bad);
    self->out.ecc_corrected = repeat && self->fixed.corrected;
    self->out.ecc_fatal = repeat && self->fixed.fatal && !self->dump;
    self->poison |= repeat && self->fixed.fatal;
    self->open &= take && !in->flit_bad;
    if (take) {
        self->bad = in->flit_bad;
        self->left = packet_left(self->left, in->flit);
        self->count++;
    }
    return take ? in->flit : repeat ? self->fixed.data : (lcb_flit)0;
}

/*
 * The tail is made anew for every transmission, so what it says is never stale. A gap that the last tail did not report
 * makes this one an ack, out of turn, and so does a mark; the credit or clock part that it displaces is sent next.
 */
static inline lcb_side sideband(struct lcb_tx *self, const struct lcb_tx_in *in)
{
    u1 other = (u1)self->turn && (self->was_urgent || !in->gap) && !self->bad;
    u1 last = self->turn == TURN_CLOCK;
    lcb_type type = self->bad ? SIDE_BAD : !other ? SIDE_ACK : last ? SIDE_CLOCK : SIDE_CREDIT;
    lcb_body ack = body_ack(in->expected, in->gap, in->load);
    lcb_body credit = body_credit(in->credit_vc, in->credit_steps);
    lcb_body body = !other ? ack : last ? in->clock_part : credit;
    lcb_count count = self->count == 0 && in->empty ? SIDE_EMPTY : self->count;

    if (!self->dump) {
        self->out.credit_sent = other && !last;
        self->out.clock_sent = other && last;
        self->out.replayed = self->replay;
        self->out.idle = self->count == 0;
        self->turn = (self->turn | 1) + other;
        self->was_urgent = in->gap || self->bad;
    }
    return side_pack(self->seq, type, count, load_high(in->load), body);
}

/*
 * Sends a word. The CRC is updated with every word and replaces the zeros at the end of the tail; of a micropacket
 * with an uncorrectable flit one bit of it is inverted, so that the peer does not accept it.
 */
static inline void send(struct lcb_tx *self, lcb_word word, u1 tail)
{
    lcb_crc crc = crc_step(self->crc, word);

    self->out.valid = !self->dump;
    self->out.word = word | (tail ? (lcb_crc)(crc ^ self->poison) : (lcb_crc)0);
    self->crc = tail ? (lcb_crc)LCB_CRC_START : crc;
}

/*
 * Begins the next micropacket: of the replay buffer, or a new one. A new one behind a mark is idle, so that a stream
 * of marked flits cannot keep credits and time from being sent. `full`: the window was before this clock.
 */
static inline void turn_to_next(struct lcb_tx *self, u1 full, u1 hush, u1 drained)
{
    self->replay = self->replay_next;
    self->replay_next = 0;
    self->seq = self->replay ? self->fetch : self->next;
    self->count = self->replay ? (lcb_count)self->fixed.data : 0;
    self->poison = self->replay && self->fixed.fatal;
    self->out.ecc_fatal = self->poison && !self->dump;
    self->out.ecc_corrected = self->replay && self->fixed.corrected;
    self->open = !self->replay && (self->dump || !full) && !self->bad && !hush;
    self->bad = self->replay && (u1)(self->fixed.data >> LCB_COUNT_BITS);
    self->dump &= self->replay || !drained;
}

/*
 * Reads ahead for a replay: in slot s the flit of slot s + 3; at FETCH_SLOT the count of the next micropacket.
 * replay: this slot's. From FETCH_SLOT on more often than needed: replay_next is decided too late to enable the read.
 */
static inline void fetch_ahead(struct lcb_tx *self, u1 replay)
{
    lcb_slot ahead = self->slot > FETCH_SLOT ? self->slot - (FETCH_SLOT + 1) : self->slot + 3;

    if (replay || self->slot >= FETCH_SLOT) {
        self->fixed = secded_decode(self->stored);
        self->stored = self->read;
        self->read = self->buffer[buffer_index(self->fetch, ahead)];
    }
    self->slot = self->at_tail ? 0 : self->slot + 1;
}

/* The link went down: the open micropacket is complete with the flits it has, and all from base on is sent again. */
static inline void put_away(struct lcb_tx *self)
{
    self->resend = self->base;
    self->sent = 0;
    self->seq = self->next;
    self->replay = 0;
    self->replay_next = 0;
    self->open = 0;
    self->poison = 0;
    self->bad = 0;
    self->count = 0;
    self->crc = LCB_CRC_START;
    self->slot = 0;
    self->closed = 1;
}

static inline void new_epoch(struct lcb_tx *self)
{
    self->base = 0;
    self->resend = 0;
    self->sent = 0;
    self->next = 0;
    self->seq = 0;
    self->went_back_to = 0;
    self->holding = 0;
    self->timer = 0;
    self->expired = 0;
    self->turn = 0;
    self->was_urgent = 0;
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
    u1 tail = self->at_tail;
    u1 replay = self->replay;
    u1 take = in->flit_valid && self->out.flit_ready;
    u1 close = !self->go && !in->run && !self->closed;
    u1 ends = close || (self->go && tail && !self->dump);
    u1 numbered = ends && !self->replay && self->count != 0;
    lcb_seq entry = self->next;
    lcb_slot place = close ? LCB_TAIL : self->slot;
    lcb_flit stored = take ? in->flit : stored_count(self->bad, self->count);
    u1 store = (take && !self->dump) || numbered;
    u1 pending = self->resend != self->next;
    u1 decide = self->go && self->slot == FETCH_SLOT;
    u1 drained = !in->flush && !pending && self->left == 0;
    lcb_seq last = self->base ^ WINDOW;
    u1 full = numbered ? (lcb_seq)(self->next + 1) == last : self->next == last;

    clear_pulses(self);
    if (decide) {
        self->fetch = self->resend;
        self->replay_next = pending;
    }
    (void)move_window(self, in, pending ? (lcb_seq)decide : (lcb_seq)numbered);
    self->next += numbered;
    if (self->go) {
        lcb_word word;

        if (tail) {
            word = tail_pack(sideband(self, in), 0);
        } else {
            word = payload(self, in, take);
        }
        send(self, word, tail);
        if (tail) {
            turn_to_next(self, full, in->hush, drained);
        }
        fetch_ahead(self, replay);
    } else if (close) {
        put_away(self);
    }
    if (store) {
        self->buffer[buffer_index(entry, place)] = secded_encode(stored);
    }

    if (in->run) {
        self->closed = 0;
    }
    if (in->flush && self->closed) {
        self->dump = 1;
    }
    if (in->clear) {
        /* lcb_link waits for flushing to end, and run is 0 since it began */
        hls_assume(!self->go && !in->run && !in->flush);
        new_epoch(self);
    }
    self->at_tail = self->slot == LCB_TAIL;
    self->repeats = self->replay && self->slot < self->count;
    self->go = self->dump || (in->run && in->advance);
    self->out.flit_ready =
        self->go && self->open && !self->at_tail && (!self->dump || in->flush || self->left != 0);
    self->out.flushing = self->dump;

    hls_assert((lcb_seq)(self->next - self->base) <= WINDOW);
    hls_assert((lcb_seq)(self->resend - self->base) == self->sent);
    hls_assert(self->sent <= (lcb_seq)(self->next - self->base));
    hls_assert(!self->heard.came || (lcb_seq)(self->heard.ack - self->base) == self->heard.step);
    hls_assert(self->slot < LCB_SLOTS);
    hls_assert(self->count < LCB_SLOTS || self->poison);
    hls_cover(self->out.nak_taken);
    hls_cover(self->out.timed_out);
    hls_cover(self->out.replayed && self->seq == 0);
    hls_cover(self->out.acked && self->base == 0);
}
