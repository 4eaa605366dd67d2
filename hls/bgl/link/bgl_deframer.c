// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_deframer.c - acks and packets off the wire, and what they are worth.
 *
 * The state is that of the byte that lane_rx gave two clocks ago (`held`): a gap word is decoded while the first byte behind it is held.
 */
#include "bgl/link/bgl_deframer.h"

#include "bgl/link/bgl_sequence.h"

#define HEAD_LAST   7 /* byte of the CRC-8 */
#define BAD_HEADERS 4 /* in a row: a byte slipped */

HLS_RESET void bgl_deframer_reset(struct bgl_deframer *self)
{
    *self = (struct bgl_deframer){
        .out.crc = CRC32_START,
    };
}

static inline void lose_framing(struct bgl_deframer *self)
{
    self->out.lost = 1;
    if (self->state == DEFRAMER_PACKET || self->state == DEFRAMER_CRC) {
        self->out.over = self->taken;
    }
    self->taken = 0;
    self->state = DEFRAMER_GAP;
}

/* The first byte of what a gap word announces. */
static inline void begin_ack(struct bgl_deframer *self)
{
    self->state = DEFRAMER_ACK;
    self->index = 1;
    self->ack = self->held;
    self->crc8 = crc8_step((u8)CRC8_ACK, self->held);
}

static inline void begin_packet(struct bgl_deframer *self)
{
    u8 byte = self->held;

    self->state = DEFRAMER_PACKET;
    self->index = 1;
    self->taken = 0;
    self->again = 0;
    self->crc8 = crc8_step((u8)CRC8_HEADER, byte);
    self->crc24 = crc24_step(CRC24_START, byte);
    self->crc32 = crc32_step(self->out.crc, byte);
    self->out.bus = bus_byte(byte, BUS_FIRST);
}

/* What the gap word in `word` says; the byte behind it is held. */
static inline void decode_gap(struct bgl_deframer *self)
{
    u5 distance = gap_distance(self->word, self->m);
    u1 high = distance >= 8; /* m[4] */
    u1 right = distance <= 2 || distance >= 14;
    u1 packet = (u1)(self->m >> 3);
    u1 known = packet || self->m == GAP_IDLE;

    self->out.gap_corrected = right && known && distance != 0 && distance != 16;
    if (!right || !known) {
        self->out.gap_lost = 1;
        lose_framing(self);
    } else if (packet || high) {
        if (packet) {
            self->out.n = (u3)self->m;
        }
        self->packet_follows = packet;
        if (high) {
            begin_ack(self);
        } else {
            begin_packet(self);
        }
    } else {
        self->upper = self->held;
        self->state = DEFRAMER_GAP;
    }
}

static inline void take_ack(struct bgl_deframer *self)
{
    u1 right = self->crc8 == self->held && ack_right(self->ack);

    if (self->index == HEAD_LAST) {
        self->out.ack = right;
        self->out.good = right;
        self->out.ack_wrong = !right;
        self->out.ack_bytes = self->ack;
        self->state = self->packet_follows ? DEFRAMER_PACKET : DEFRAMER_GAP;
        self->index = 0;
    } else {
        self->ack = (u56)(self->ack << 8) | self->held;
        self->crc8 = crc8_step(self->crc8, self->held);
        self->index++;
    }
}

/* The header is whole: is the packet the one that is expected? */
static inline void judge_header(struct bgl_deframer *self)
{
    u1 right = self->crc8 == self->held && (u3)(self->length >> 5) == self->out.n;
    struct bgl_arrival arrival = arrival_of(self->out.expected, self->number);

    self->taken = right && arrival.next;
    self->again = right && arrival.again;
    self->out.head = self->taken;
    self->out.head_wrong = !right;
    self->out.gap = right && arrival.gap;
    self->out.repeated = self->again;
    self->in_a_row = right ? (u2)0 : (u2)(self->in_a_row + 1);
    if (!right && self->in_a_row == 0) {
        lose_framing(self);
    }
}

static inline void take_packet(struct bgl_deframer *self)
{
    u8 byte = self->held;
    u1 last = self->index == (u9)((u9)((u9)self->out.n << 5) + 32);

    self->out.bus = bus_byte(byte, last ? BUS_LAST : BUS_INNER);
    self->crc24 = crc24_step(self->crc24, byte);
    self->crc32 = crc32_step(self->crc32, byte);
    if (self->index == 2) {
        self->length = byte;
    }
    if (self->index == 6) {
        self->number = byte;
    }
    if (self->index == HEAD_LAST) {
        judge_header(self);
    }
    self->crc8 = crc8_step(self->crc8, byte);
    self->index++;
    if (last) {
        self->out.whole = byte == BGL_GOOD;
        self->state = DEFRAMER_CRC;
        self->index = 0;
        self->wrong = 0;
    }
}

static inline void take_crc(struct bgl_deframer *self)
{
    u1 wrong = self->wrong || self->held != (u8)(self->crc24 >> 16);

    self->wrong = wrong;
    self->crc24 <<= 8;
    self->index++;
    if (self->index == 3) {
        self->state = DEFRAMER_GAP;
        self->out.over = self->taken;
        self->out.accepted = self->taken && !wrong;
        self->out.crc_wrong = wrong;
        self->out.good = !wrong;
        self->out.due = !wrong && (self->taken || self->again);
        if (self->taken && !wrong) {
            self->out.expected++;
            self->out.crc = self->crc32;
        }
    }
}

static inline void take_byte(struct bgl_deframer *self)
{
    switch (self->state) {
    case DEFRAMER_GAP:
        if (self->held_lower) {
            self->word = (u16)((u16)self->upper << 8) | self->held;
            self->m = gap_votes(self->word);
            self->state = DEFRAMER_DECODE;
        } else {
            self->upper = self->held;
        }
        break;
    case DEFRAMER_DECODE:
        decode_gap(self);
        break;
    case DEFRAMER_ACK:
        take_ack(self);
        break;
    case DEFRAMER_PACKET:
        if (self->index == 0) {
            begin_packet(self);
        } else {
            take_packet(self);
        }
        break;
    case DEFRAMER_CRC:
        take_crc(self);
        break;
    }
}

static inline void no_events(struct bgl_deframer *self)
{
    self->out.bus = bus_byte(0, BUS_NONE);
    self->out.head = 0;
    self->out.over = 0;
    self->out.accepted = 0;
    self->out.due = 0;
    self->out.ack = 0;
    self->out.good = 0;
    self->out.repeated = 0;
    self->out.gap = 0;
    self->out.head_wrong = 0;
    self->out.crc_wrong = 0;
    self->out.ack_wrong = 0;
    self->out.gap_corrected = 0;
    self->out.gap_lost = 0;
}

HLS_MODULE void bgl_deframer(struct bgl_deframer *self, const struct bgl_deframer_in *in)
{
    no_events(self);
    if (self->held_valid && !self->out.lost) {
        take_byte(self);
    }
    if ((in->hole || !in->run) && !self->out.lost) {
        lose_framing(self);
    }
    if (!in->run) {
        self->out.lost = 0;
        self->in_a_row = 0;
    }
    self->held = in->data;
    self->held_lower = in->lower;
    self->held_valid = in->valid && in->run;
    if (in->clear) {
        self->out.expected = 0;
    }
    if (in->clear || in->crc_clear) {
        self->out.crc = CRC32_START;
    }
    hls_cover(self->out.accepted);
    hls_cover(self->out.repeated);
    hls_cover(self->out.gap);
    hls_cover(self->out.gap_corrected);
    hls_cover(self->out.gap_lost);
}
