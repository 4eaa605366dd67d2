// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_resend.c - what is not acknowledged is kept, and sent again.
 *
 * Numbers modulo 256: base <= acked <= sent <= next. What is acknowledged gives its space back one packet a clock, as the length of each
 * is in `info`: base follows acked.
 */
#include "bgl/link/bgl_resend.h"

HLS_RESET void bgl_resend_reset(struct bgl_resend *self)
{
    self->out = (struct bgl_resend_out){.crc = CRC32_START};
    self->read = 0;
    self->open = 0;
    self->live = 0;
    self->bad = 0;
    self->at = 0;
    self->n = 0;
    self->vc = 0;
    self->crc8 = 0;
    self->gather = 0;
    self->write = 0;
    self->ahead = 0;
    self->acked = 0;
    self->sent = 0;
    self->used = 0;
    self->base_at = 0;
    self->timer = 0;
    self->limit = 0;
    self->retries = 0;
    self->state = RESEND_WAIT;
    self->again = 0;
    self->send = 0;
    self->send_at = 0;
    self->index = 0;
    self->send_n = 0;
    self->send_vc = 0;
    self->send_crc8 = 0;
    self->send_bad = 0;
    self->fetch = 0;
    self->word = 0;
    self->ahead_word = 0;
}

/* A new epoch; BRAM and what has no meaning without a packet stay. */
static inline void forget(struct bgl_resend *self)
{
    self->out.base = 0;
    self->out.number = 0;
    self->open = 0;
    self->live = 0;
    self->write = 0;
    self->acked = 0;
    self->sent = 0;
    self->used = 0;
    self->base_at = 0;
    self->timer = 0;
    self->retries = 0;
    self->state = RESEND_WAIT;
    self->again = 0;
}

/* ---- acks ------------------------------------------------------------------------------------ */

static inline void take_ack(struct bgl_resend *self, const struct bgl_resend_in *in)
{
    u8 expected = ack_expected(in->ack_bytes);
    u8 more = expected - self->acked;
    u1 right = ack_in_window(expected, self->acked, self->sent);

    self->out.ack_right = in->ack && right;
    self->out.ack_wrong = in->ack && !right;
    self->out.right_bytes = in->ack_bytes;
    self->out.acked = self->out.ack_right && more != 0;
    if (self->out.ack_right) {
        self->acked = expected;
    }
}

/* The oldest packet is acknowledged: its space is free. */
static inline void free_base(struct bgl_resend *self, info_ecc_word word)
{
    struct info_ecc_result info = info_ecc_decode(word);
    u4 chunks = info.fatal ? (u4)0 : (u4)((u4)(u3)(info.data >> 3) + 1); /* an epoch follows */

    if (self->out.base != self->acked) {
        self->used -= chunks;
        self->base_at += (u8)((u8)chunks << 2);
        self->out.base++;
        self->out.corrected |= info.corrected;
        self->out.lost |= info.fatal;
    }
}

/* ---- the packet that comes ------------------------------------------------------------------- */

/* A byte of a header as it goes onto the wire. */
static inline u8 written_anew(u9 at, u8 byte, u3 n, u2 vc, u8 number, u8 crc8)
{
    switch (at) {
    case 2:
        return header_byte2(n, byte, vc);
    case 6:
        return number;
    case 7:
        return crc8;
    default:
        return byte;
    }
}

static inline void keep_info(struct bgl_resend *self, u8 number, u1 valid)
{
    info_ecc_data data =
        (info_ecc_data)(((info_ecc_data)self->n << 3) | ((info_ecc_data)self->vc << 1) | valid);

    self->info[(u6)number] = info_ecc_encode(data);
}

static inline void begin_packet(struct bgl_resend *self, const struct bgl_resend_in *in)
{
    self->open = 1;
    self->live = self->state == RESEND_LIVE && in->run;
    self->bad = 0;
    self->at = 0;
    self->n = in->n;
    self->vc = in->vc;
    self->crc8 = CRC8_HEADER;
    self->ahead = 0;
    self->used += (u4)((u4)in->n + 1);
    self->out.number++;
}

/* A byte, written anew; words of eight are kept. */
static inline void take_byte(struct bgl_resend *self, const struct bgl_resend_in *in)
{
    u1 last = in->bus.ctl == BUS_LAST;
    u8 number = (u8)(self->out.number - 1);
    u1 wrong = bus_wrong(in->bus);
    u8 byte = written_anew(self->at, in->bus.data, self->n, self->vc, number, self->crc8);

    self->out.parity = wrong && !self->bad;
    self->out.escapes = self->at == 2 && self->vc == 2 && (u1)(byte >> 2);
    self->bad |= wrong;
    if (last) {
        byte = !self->bad && in->bus.data == BGL_GOOD ? (u8)BGL_GOOD : (u8)BGL_BAD;
    }
    if (last || in->bus.ctl == BUS_FIRST) {
        keep_info(self, number, last && byte == BGL_GOOD);
    }
    if ((u3)self->at == 7) {
        self->memory[self->write] = bgl_ecc_word((u64)((u64)self->gather << 8) | byte);
        self->write++;
        self->ahead += self->ahead != 2;
    }
    self->gather = (u56)(self->gather << 8) | byte;
    self->crc8 = crc8_step(self->crc8, byte);
    self->out.crc = crc32_step(self->out.crc, byte);
    self->at++;
    if (self->live) {
        self->out.tx = bus_byte(byte, in->bus.ctl);
        self->out.tx_n = self->n;
    }
    if (last) {
        self->open = 0;
        self->sent += self->live;
        self->live = 0;
        self->ahead = 2;
    }
}

/* ---- repetition ------------------------------------------------------------------------------ */

/* The clock in which a repetition may begin, and with which packet. */
static inline void choose(struct bgl_resend *self, const struct bgl_resend_in *in,
                          info_ecc_word word)
{
    struct info_ecc_result info = info_ecc_decode(word);
    u1 coming = self->open && self->send == (u8)(self->out.number - 1);

    if (self->again || self->acked != self->out.base) {
        self->state = RESEND_WAIT;
    } else if (self->send == self->out.number) {
        self->state = RESEND_LIVE;
    } else if (in->soon && (!coming || self->ahead == 2)) {
        self->state = RESEND_FETCH;
        self->send_n = (u3)(info.data >> 3);
        self->send_vc = (u2)(info.data >> 1);
        self->out.corrected |= info.corrected;
        self->out.lost |= info.fatal;
        self->fetch = 0;
        self->index = 0;
        self->send_bad = info.fatal;
        self->send_crc8 = CRC8_HEADER;
        self->out.repeated = 1;
    }
}

/* What the read register holds, corrected, behind the word that is being sent. */
static inline void check_word(struct bgl_resend *self)
{
    struct word_ecc_result word = word_decode(self->read);

    self->ahead_word = word.data;
    self->out.corrected |= word.corrected;
    self->out.fatal |= word.fatal;
    self->send_bad |= word.fatal;
}

static inline void fetch_first(struct bgl_resend *self)
{
    if (self->fetch == 0) {
        check_word(self);
    } else {
        self->word = self->ahead_word;
        self->state = RESEND_STREAM;
    }
    self->fetch = 1;
}

static inline void stream(struct bgl_resend *self, u1 valid)
{
    u1 last = self->index == (u9)((u9)((u9)self->send_n << 5) + 32);
    u8 byte = written_anew(self->index, (u8)(self->word >> 56), self->send_n, self->send_vc,
                           self->send, self->send_crc8);

    if (last) {
        byte = valid && !self->send_bad ? (u8)BGL_GOOD : (u8)BGL_BAD;
    }
    self->send_crc8 = crc8_step(self->send_crc8, byte);
    self->out.tx = bus_byte(byte, self->index == 0 ? BUS_FIRST : last ? BUS_LAST : BUS_INNER);
    self->out.tx_n = self->send_n;
    if ((u3)self->index == 3) {
        check_word(self);
    }
    self->word = (u3)self->index == 7 ? self->ahead_word : (u64)(self->word << 8);
    self->index++;
    if (last) {
        self->sent = sent_after(self->sent, self->send);
        self->send++;
        self->state = RESEND_NEXT;
    }
}

/* One clock of going back: `word` is the info of the packet that is sent again, of a clock ago. */
static inline void repeat(struct bgl_resend *self, const struct bgl_resend_in *in,
                          info_ecc_word word)
{
    switch (self->state) {
    case RESEND_LIVE:
        if (self->again && !self->live) {
            self->state = RESEND_WAIT;
        }
        break;
    case RESEND_WAIT:
        if (in->run && self->out.base == self->acked && !self->live) {
            self->send = self->acked;
            self->send_at = self->base_at;
            self->again = 0;
            self->state = RESEND_NEXT;
        }
        break;
    case RESEND_NEXT:
        choose(self, in, word);
        break;
    case RESEND_FETCH:
        fetch_first(self);
        break;
    case RESEND_STREAM:
        stream(self, (u1)info_ecc_decode(word).data);
        break;
    }
}

/* Reads the word that is needed next: the first in FETCH, the others while the byte before last goes out. */
static inline void read_word(struct bgl_resend *self)
{
    u1 first = self->state == RESEND_FETCH && !self->fetch;
    u9 end = (u9)((u9)((u9)self->send_n << 5) + 24);
    u1 more = self->state == RESEND_STREAM && (u3)self->index == 1 && self->index < end;

    if (first || more) {
        self->read = self->memory[self->send_at];
        self->send_at++;
    }
}

/* The time-out: of nothing but what is not acknowledged, anew with progress and with each going back. */
static inline void watch(struct bgl_resend *self, const struct bgl_resend_in *in)
{
    u1 waits = self->acked != self->out.number && in->run;
    u1 over = self->timer >= self->limit;

    self->limit = (u17)((u17)in->timeout + (u17)in->round_trip);
    self->out.timed_out = 0;
    self->out.spent = 0;
    if (!waits || self->out.acked) {
        self->timer = 0;
    } else if (over) {
        self->timer = 0;
        self->again = 1;
        self->out.timed_out = 1;
        self->out.spent = self->retries == in->retry_limit;
        self->retries++;
    } else {
        self->timer++;
    }
    if (self->out.acked || self->out.spent) {
        self->retries = 0;
    }
}

HLS_MODULE void bgl_resend(struct bgl_resend *self, const struct bgl_resend_in *in)
{
    info_ecc_word base_info = self->info[(u6)self->out.base];
    info_ecc_word send_info = self->info[(u6)self->send];

    self->out.corrected = 0;
    self->out.fatal = 0;
    self->out.lost = 0;
    self->out.parity = 0;
    self->out.escapes = 0;
    self->out.repeated = 0;
    self->out.tx = bus_byte(0, BUS_NONE);
    watch(self, in);
    free_base(self, base_info);
    take_ack(self, in);
    repeat(self, in, send_info);
    read_word(self);
    if (in->bus.ctl == BUS_FIRST) {
        begin_packet(self, in);
    }
    if (in->bus.ctl != BUS_NONE) {
        take_byte(self, in);
    }
    if (!in->run) {
        self->state = RESEND_WAIT;
        self->live = 0;
        self->again = 0;
    }
    if (in->clear) {
        forget(self);
    }
    if (in->clear || in->crc_clear) {
        self->out.crc = CRC32_START;
    }
    self->out.flowing = self->open;
    self->out.room = self->used <= BGL_WINDOW - BGL_FULL &&
                     window_open(self->out.base, self->out.number) && self->state == RESEND_LIVE &&
                     !self->again;
    hls_assume(self->used <= BGL_WINDOW); /* the sender begins a packet only while there is room */
    hls_cover(self->out.repeated);
    hls_cover(self->out.spent);
}
