// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_rx.c - the receiving half of the link control block.
 *
 * Words come in one per slot and stand in the receive buffer behind the flits already accepted;
 * with a right CRC and the expected number they become flits for the router, else the next
 * micropacket overwrites them. The verdict falls one clock after the tail.
 *
 * What is accepted is acknowledged, so nobody repeats it: a flit with an error in the buffer is corrected, or marked bad.
 */
#include "link/micropacket/lcb_rx.h"

#define BEHIND (1 << LCB_WINDOW_LOG2) /* seq - expected from here on: it was accepted before */

typedef uint(LCB_RX_LOG2) rx_index;

HLS_RESET void lcb_rx_reset(struct lcb_rx *self)
{
    self->out = (struct lcb_rx_out){};
    self->slot = 0;
    self->crc = LCB_CRC_START;
    self->complete = 0;
    self->residue = 0;
    self->side = 0;
    self->came = 0;
    self->place = 0;
    self->payload = 0;
    self->read = 0;
    self->commit = 0;
    self->marked = 0;
    self->fetched = 0;
    self->fetched_bad = 0;
    self->raw = 0;
    self->syndrome = 0;
    self->left = 0;
    self->lost = 0;
}

/* Load and sideband body of a micropacket with a right CRC, accepted or not. */
static inline void take_body(struct lcb_rx_out *out, lcb_side side)
{
    lcb_type type = side_type(side);
    lcb_body body = side_body(side);
    u1 ack = type == SIDE_ACK || type == SIDE_BAD;

    out->ack_valid = ack;
    out->credit_valid = type == SIDE_CREDIT;
    out->clock_valid = type == SIDE_CLOCK;
    out->ack = body_ack_seq(body);
    out->nak = body_ack_nak(body);
    out->credit_vc = body_credit_vc(body);
    out->credit_steps = body_credit_steps(body);
    out->clock_part = body;
    out->load = ack ? side_whole_load(side) : side_near_load(side, out->load);
}

/* The sequence rules. */
static inline void judge(struct lcb_rx *self)
{
    lcb_count count = side_flits(self->side);
    lcb_seq ahead = side_seq(self->side) - self->out.expected;
    u1 numbered = count != 0;

    self->out.good = 1;
    self->out.accepted = numbered && ahead == 0 && !self->lost;
    self->out.repeated = numbered && ahead >= BEHIND;
    if (self->out.accepted) {
        self->commit += (rx_index)count;
        self->marked = side_type(self->side) == SIDE_BAD;
        self->out.expected++;
        self->out.holds = 1;
    }
    if (!self->out.repeated) {
        self->out.gap = ahead != 0;
    }
    take_body(&self->out, self->side);
}

/*
 * Reads a flit of those that were accepted before this clock. All flits of a micropacket are read before the next one
 * is judged, so one mark is enough.
 */
static inline void fetch(struct lcb_rx *self)
{
    lcb_stored stored = self->buffer[self->read];

    self->fetched = self->read != self->commit;
    self->fetched_bad = self->marked && (rx_index)(self->read + 1) == self->commit;
    self->raw = (lcb_flit)stored;
    self->syndrome = secded_inspect(stored);
    self->read += self->fetched;
}

/*
 * Hands up the flit that was read; fills up a packet that a dead link has cut. Behind an uncorrectable
 * head nobody knows where the next packet begins, and all flits are lost.
 */
static inline void hand_up(struct lcb_rx *self, u1 close)
{
    struct secded_result fixed = secded_correct(self->raw, self->syndrome);
    u1 ready = self->fetched;
    u1 holds = ready || self->read != self->commit;
    u1 none = !holds && !self->complete;
    u1 known = ready && !self->lost;
    u1 fills = close && none && self->left != 0;
    u1 ends = fills && self->left == 1;

    self->out.ecc_corrected = known && fixed.corrected;
    self->out.ecc_fatal = known && fixed.fatal;
    self->out.lost = self->out.ecc_fatal && self->left == 0;
    self->lost |= self->out.lost;
    self->out.holds = holds;
    self->out.closed = close && none && self->left == 0;
    self->out.flit_valid = ready ? !self->lost : fills;
    self->out.flit = ready ? fixed.data : 0;
    self->out.head = self->out.flit_valid && self->left == 0;
#if LCB_WHOLE
    self->out.whole = known && (lcb_length)(flit_length(fixed.data) - 1) <=
                                   (lcb_length)(self->commit - self->read);
#endif
    if (self->out.flit_valid) {
        self->left = packet_left(self->left, fixed.data);
    }
    self->out.tail = self->out.flit_valid && self->left == 0;
    self->out.bad = ready ? self->fetched_bad || fixed.fatal : ends;
}

/*
 * Writes the payload word of the clock before. By then the micropacket before it is judged: `commit` is a register, and
 * the verdict is not in front of the address.
 */
static inline void store(struct lcb_rx *self)
{
    if (self->came) {
        self->buffer[(rx_index)(self->commit + self->place)] = secded_encode(self->payload);
    }
    self->came = 0;
}

static inline void take_word(struct lcb_rx *self, lcb_word word)
{
    u1 tail = self->slot == LCB_TAIL;
    lcb_crc crc = crc_step(self->crc, word);

    if (tail) {
        self->side = tail_side(word);
        self->residue = crc;
    }
    self->came = !tail;
    self->place = self->slot;
    self->payload = (lcb_flit)word;
    self->complete = tail;
    self->crc = tail ? (lcb_crc)LCB_CRC_START : crc;
    self->slot = tail ? (lcb_slot)0 : (lcb_slot)(self->slot + 1);
}

HLS_MODULE void lcb_rx(struct lcb_rx *self, const struct lcb_rx_in *in)
{
    self->out.good = 0;
    self->out.crc_error = 0;
    self->out.accepted = 0;
    self->out.repeated = 0;
    self->out.ack_valid = 0;
    self->out.credit_valid = 0;
    self->out.clock_valid = 0;
    hand_up(self, in->close);
    fetch(self);
    store(self);
    if (self->complete) {
        self->out.side = self->side;
        if (self->residue == 0) {
            judge(self);
        } else {
            self->out.crc_error = 1;
            self->out.gap = 1;
        }
    }
    self->complete = 0;

    if (!in->run) {
        self->slot = 0;
        self->crc = LCB_CRC_START;
        self->out.gap = 0;
    } else if (in->valid) {
        take_word(self, in->word);
    }
    if (in->clear) {
        /* lcb_link waits for closed */
        hls_assume(self->read == self->commit && !self->fetched);
        self->out.expected = 0;
        self->out.load = 0;
        self->left = 0;
        self->lost = 0;
    }

    hls_assert((rx_index)(self->commit - self->read) < LCB_SLOTS);
    hls_assert(self->slot < LCB_SLOTS);
    hls_cover(self->out.repeated);
    hls_cover(self->out.accepted && self->out.expected == 0);
}
