// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_framer.c - gap words, acks and packets onto the wire, with their CRCs.
 */
#include "bgl/link/bgl_framer.h"

#define GAP_BYTES 2
#define CRC_BYTES 3

HLS_RESET void bgl_framer_reset(struct bgl_framer *self)
{
    self->out = (struct bgl_framer_out){0};
    self->write = 0;
    self->count = 0;
    self->n = 0;
    self->waits = 0;
    self->bad = 0;
    self->spoke = 0;
    self->state = FRAMER_UPPER;
    self->lower = 0;
    self->ack_follows = 0;
    self->packet_follows = 0;
    self->index = 0;
    self->ack = 0;
    self->ack_crc = 0;
    self->crc = 0;
    self->left = 0;
    self->due = 0;
    self->silence = 0;
    for (int v = 0; v < BGL_VCS; v++) {
        self->freed[v] = 0;
    }
}

/* Whether an ack of this clock would say of freed chunks what the last one did not. */
static inline u1 tells_tokens(const struct bgl_framer *self, const struct bgl_framer_in *in)
{
    u1 news = 0;

    for (int v = 0; v < BGL_VCS; v++) {
        news |= self->freed[v] != in->freed[v];
    }
    return news;
}

static inline void make_ack(struct bgl_framer *self, const struct bgl_framer_in *in)
{
    self->out.token_ack = tells_tokens(self, in);
    self->out.acked = 1;
    self->ack = ack_word(in->expected, in->freed);
    self->ack_crc = CRC8_ACK;
    self->due = in->due;
    self->silence = 0;
    for (int v = 0; v < BGL_VCS; v++) {
        self->freed[v] = in->freed[v];
    }
}

/* The upper byte of a gap word, which says what follows. */
static inline void begin_gap(struct bgl_framer *self, const struct bgl_framer_in *in)
{
    u1 packet = self->waits || in->bus.ctl == BUS_FIRST;
    u3 n = self->waits ? self->n : in->n;
    u1 ack = self->due && in->odd && in->data && !(packet && self->spoke);
    u5 m = (u5)(((u5)ack << 4) | (packet ? (u5)(GAP_DATA | n) : (u5)GAP_IDLE));
    u16 word = gap_word(m);

    self->index = 0;
    self->crc = CRC24_START;
    self->ack_follows = 0;
    self->packet_follows = 0;
    if (in->odd && in->data) {
        self->ack_follows = ack;
        self->spoke = ack && !packet;
        self->packet_follows = packet;
        self->lower = (u8)word;
        self->out.send = (u8)(word >> 8);
        self->state = FRAMER_LOWER;
        self->waits = 0;
        if (packet) {
            self->left = (u9)((u9)((u9)n << 5) + (u9)(32 + 1 + CRC_BYTES + 2 * GAP_BYTES) +
                              (u9)((u9)ack << 3));
        }
        if (ack) {
            make_ack(self, in);
        }
    } else {
        self->out.send = (u8)gap_word(GAP_IDLE);
    }
}

static inline void send_ack(struct bgl_framer *self)
{
    u8 byte = self->index == 7 ? self->ack_crc : (u8)(self->ack >> 48);

    self->out.send = byte;
    self->ack_crc = crc8_step(self->ack_crc, byte);
    self->ack <<= 8;
    self->index++;
    if (self->index == 0) {
        self->state = self->packet_follows ? FRAMER_PACKET : FRAMER_UPPER;
    }
}

static inline void send_crc(struct bgl_framer *self)
{
    self->out.send = (u8)(self->crc >> 16);
    self->crc <<= 8;
    self->index++;
    if (self->index == CRC_BYTES) {
        self->state = FRAMER_UPPER;
    }
}

/* A byte of the packet whose turn it is; returns whether one was taken. */
static inline u1 send_packet(struct bgl_framer *self, u8 held, u3 marks)
{
    u1 wrong = (u1)__builtin_parityll((u64)held) != (u1)(marks >> 2);
    u1 bad = self->bad || wrong;
    u1 last = (u2)marks == BUS_LAST;
    u8 byte = last && bad ? (u8)BGL_BAD : held;

    self->out.send = byte;
    self->out.parity = wrong && !self->bad;
    self->crc = crc24_step(self->crc, byte);
    self->bad = bad && !last;
    if (last) {
        self->state = FRAMER_CRC;
    }
    return 1;
}

/* An ack is due: somebody asks for it, or the link has been silent for long. */
static inline void want_ack(struct bgl_framer *self, const struct bgl_framer_in *in)
{
    self->due |= in->due || self->silence == BGL_ACK_EVERY;
    self->silence += self->silence != BGL_ACK_EVERY;
}

HLS_MODULE void bgl_framer(struct bgl_framer *self, const struct bgl_framer_in *in)
{
    u4 read = (u4)(self->write - (u4)self->count);
    u8 held = self->held[read];
    u3 marks = self->held_marks[read];
    u1 taken = 0;

    self->out.acked = 0;
    self->out.token_ack = 0;
    self->out.parity = 0;
    want_ack(self, in);
    self->left -= self->left != 0;
    switch (self->state) {
    case FRAMER_UPPER:
        begin_gap(self, in);
        break;
    case FRAMER_LOWER:
        self->out.send = self->lower;
        self->state = self->ack_follows      ? FRAMER_ACK
                      : self->packet_follows ? FRAMER_PACKET
                                             : FRAMER_UPPER;
        break;
    case FRAMER_ACK:
        send_ack(self);
        break;
    case FRAMER_PACKET:
        taken = send_packet(self, held, marks);
        break;
    case FRAMER_CRC:
        send_crc(self);
        break;
    }
    /* resend: a packet comes without bubbles, and none before `soon` */
    hls_assume(!taken || self->count != 0);
    self->out.overflow = in->bus.ctl != BUS_NONE && self->count == 16 && !taken;
    hls_assume(!self->out.overflow);
    if (in->bus.ctl == BUS_FIRST) {
        self->n = in->n;
        self->waits = self->state != FRAMER_LOWER || !self->packet_follows || self->count != 0;
    }
    if (in->bus.ctl != BUS_NONE) {
        self->held[self->write] = in->bus.data;
        self->held_marks[self->write] = (u3)((u3)((u3)in->bus.parity << 2) | in->bus.ctl);
        self->write++;
    }
    self->count += (u5)((u5)(in->bus.ctl != BUS_NONE) - (u5)taken);
    self->out.soon = self->left <= FRAMER_LEAD && !self->waits;
    if (!in->data) {
        self->state = FRAMER_UPPER;
        self->count = 0;
        self->left = 0;
        self->waits = 0;
        self->bad = 0;
    }
}
