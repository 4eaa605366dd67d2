// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_inject.c - the injection FIFOs.
 */
#include "bgl/host/bgl_inject.h"

#define GRANT_WAIT 4 /* clocks in which a packet that was offered may still be granted */

HLS_RESET void bgl_inject_reset(struct bgl_inject *self)
{
    self->out = (struct bgl_inject_out){0};
    self->read = (struct quad_word){0};
    self->reads = 0;
    self->reads_upper = 0;
    self->read_fifo = 0;
    self->slot = 0;
    self->upper = 0;
    self->ready = 0;
    self->resets = 0;
    self->summed = 0;
    self->clears = 0xFF;
    for (int f = 0; f < BGL_INJECTION; f++) {
        self->wr[f] = 0;
        self->rd[f] = 0;
        self->cur[f] = (struct inj_half){0};
        self->ahead[f] = (struct inj_half){0};
        self->quads[f] = 0;
        self->hints[f] = 0;
        self->near[f] = 0;
        self->skip[f] = 0;
        self->stream[f] = (struct inj_stream){0};
        self->ends[f] = 0;
    }
}

/* ---- in -------------------------------------------------------------------------------------- */

static inline void take_quad(struct bgl_inject *self, const struct bgl_push *push)
{
    u3 f = push->fifo;
    u1 takes = push->valid && !push->spoiled && !(u1)(self->out.full >> f);

    if (push->valid && !takes) {
        self->out.stopped |= (u8)((u8)1 << f);
    }
    if (takes) {
        self->memory[(u9)((u9)((u9)f << 6) | (u6)self->wr[f])] = quad_encode(push->data);
        self->wr[f]++;
        self->quads[f]++;
    }
}

/* Byte 0 on top. */
static inline u64 turned(u64 half)
{
    u64 data = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < 8; i++) {
        data = (u64)(data << 8) | (u8)(half >> (8 * i));
    }
    return data;
}

/* The half that was read in the clock before: its place ahead is free. */
static inline void store_read(struct bgl_inject *self)
{
    struct word_ecc_result half =
        word_decode(self->reads_upper ? self->read.upper : self->read.lower);

    self->out.corrected = self->reads && half.corrected;
    self->out.fatal = self->reads && half.fatal;
    self->out.fatal_fifo = self->read_fifo;
    for (int f = 0; f < BGL_INJECTION; f++) {
        if (self->reads && self->read_fifo == f) {
            self->ahead[f] =
                (struct inj_half){.valid = 1, .bad = half.fatal, .data = turned(half.data)};
        }
    }
    self->reads = 0;
}

/* The next half of the slot's FIFO, if its place ahead is free in the next clock. */
static inline void read_half(struct bgl_inject *self)
{
    u3 f = self->slot;
    u1 leaves = self->stream[f].on && (u3)self->stream[f].index == 7;
    u1 free = !self->ahead[f].valid || leaves;

    if (self->rd[f] != self->wr[f] && free && !(u1)(self->resets >> f)) {
        u1 upper = (u1)(self->upper >> f);

        self->read = self->memory[(u9)((u9)((u9)f << 6) | (u6)self->rd[f])];
        self->reads = 1;
        self->reads_upper = upper;
        self->read_fifo = f;
        self->rd[f] += upper;
        self->upper ^= (u8)((u8)1 << f);
    }
}

/* ---- the packet in front --------------------------------------------------------------------- */

/* Looks at the packet of the slot's FIFO, once it is whole. */
static inline void look(struct bgl_inject *self, const struct bgl_inject_in *in)
{
    u3 f = self->slot;
    u64 header = self->cur[f].data;
    u5 quads = (u5)((u5)((u5)header_n(header) << 1) + 2);
    u1 whole = self->cur[f].valid && self->quads[f] >= quads;
    u1 idle = !(u1)(self->ready >> f) && !self->stream[f].on && self->skip[f] == 0;
    struct bgl_injected head = look_at_header(header, (u2)f == 3, &in->at);

    self->out.refused = REFUSED_NOT;
    self->out.refused_fifo = f;
    if (self->cur[f].valid && idle && self->cur[f].bad) {
        self->out.stopped |= (u8)((u8)1 << f); /* n is not to be believed */
    } else if (whole && idle && !(u1)(self->resets >> f)) {
        self->hints[f] = head.hints;
        self->near[f] = header_near(header, &in->at);
        self->out.refused = head.refused;
        if (head.refused == REFUSED_NOT) {
            self->ready |= (u8)((u8)1 << f);
        } else {
            self->skip[f] = (u6)((u6)quads << 1);
        }
    }
}

/* What is ahead moves to the front, if the half there has gone or there is none. */
static inline void next_half(struct bgl_inject *self, int f, u1 gone)
{
    if (gone || !self->cur[f].valid) {
        self->cur[f] = self->ahead[f];
        self->ahead[f].valid = 0;
        self->summed &= (u8) ~((u8)1 << f);
    }
}

static inline void begin_stream(struct bgl_inject *self, const struct bgl_inject_in *in, int f)
{
    u64 header = self->cur[f].data;
    u6 taken = (u6)((u8)1 << in->start[f].port);
    u6 left = (u6)(self->hints[f] & ~(self->near[f] & taken));

    self->stream[f] = (struct inj_stream){
        .on = 1,
        .bad = !(u1)(self->ready >> f),
        .first = header_hint_byte(left) | ((u8)(header >> 48) & 3),
        .skip = header_skip(header),
        .skips = header_skips(header),
    };
    self->summed &= (u8) ~((u8)1 << f);
    self->ready &= (u8) ~((u8)1 << f);
}

/* Byte i of a half. */
static inline u8 byte_of(u64 half, u3 i)
{
    u32 word = (u1)(i >> 2) ? (u32)half : (u32)(half >> 32);
    u16 pair = (u1)(i >> 1) ? (u16)word : (u16)(word >> 16);

    return (u1)i ? (u8)pair : (u8)(pair >> 8);
}

/* The next byte of a stream, or a half of a refused packet less; returns whether the half in front has gone. */
static inline u1 run_stream(struct bgl_inject *self, int f)
{
    struct inj_stream *s = &self->stream[f];
    u3 n = self->out.front[f].n;
    u1 last = s->index == (u9)((u9)((u9)n << 5) + 32);
    u1 skips = !s->on && self->skip[f] != 0 && self->cur[f].valid;
    u1 leaves = s->on && !last && (u3)s->index == 7;
    u8 byte = s->index == 1 ? s->first : byte_of(self->cur[f].data, (u3)s->index);

    self->quads[f] -= (leaves && (u1)(s->index >> 3)) || (skips && (u1)self->skip[f]);
    self->out.bus[f] = bus_byte(0, BUS_NONE);
    if (s->on) {
        s->bad |= !last && (self->cur[f].bad || !self->cur[f].valid);
        if (last) {
            byte = s->bad ? (u8)BGL_BAD : (u8)BGL_GOOD;
        }
        self->out.bus[f] = bus_byte(byte, s->index == 0 ? BUS_FIRST : last ? BUS_LAST : BUS_INNER);
        s->on = !last;
        s->index++;
    }
    self->skip[f] -= skips;
    return leaves || skips;
}

/* ---- checksums ------------------------------------------------------------------------------- */

static inline u32 rotl(u32 word, int by)
{
    return (u32)(word << by) | (u32)(word >> (32 - by));
}

/* What two words add, but for their first `skip` pairs of bytes. */
static inline u32 fold(u64 half, u7 skip)
{
    u64 kept = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) {
        kept |= skip > i ? (u64)0 : half & ((u64)0xFFFF << (48 - 16 * i));
    }
    return (u32)(kept >> 32) ^ rotl((u32)kept, 8);
}

/* The slot's FIFO: a half that is leaving is added once; it stands in front for eight clocks. */
static inline void add_half(struct bgl_inject *self, const struct bgl_inject_in *in)
{
    u3 f = self->slot;
    u8 one = (u8)((u8)1 << f);
    const struct inj_stream *s = &self->stream[f];
    u6 half = (u6)(s->index >> 3);
    u1 upper = (u1)half;
    u8 gone = (u8)((u8)half << 2);
    u1 last = half == (u6)((u6)((u6)self->out.front[f].n << 2) + 4);
    u1 due = s->on && !last && self->cur[f].valid && !(u1)(self->summed >> f);
    u32 sum = (u1)(self->clears >> f) ? (u32)0 : self->sums[f];
    u32 part = fold(self->cur[f].data, s->skip > gone ? (u7)(s->skip - gone) : (u7)0);

    if (due && upper && !s->skips) {
        sum = (u32)(rotl(sum, 5) + (self->parts[f] ^ rotl(part, 16)));
    }
    if (due && !upper) {
        self->parts[f] = part;
    }
    self->sums[f] = sum;
    self->summed |= due ? one : (u8)0;
    self->clears = (u8)(self->clears & ~one) | in->clear_sums;
    self->out.sum_fifo = f;
    self->out.sum = sum;
}

/* ---- resets, and what others see ------------------------------------------------------------- */

/* Empties a FIFO, when what is on its bus has gone out to its end. */
static inline void empty(struct bgl_inject *self, const struct bgl_inject_in *in, int f)
{
    u1 asked = (u1)(in->reset >> f);
    u1 resets = (u1)(self->resets >> f);

    if (asked && !resets) {
        self->resets |= (u8)((u8)1 << f);
        self->ready &= (u8) ~((u8)1 << f);
        self->ends[f] = GRANT_WAIT;
    } else if (resets && self->ends[f] != 0) {
        self->ends[f]--;
    } else if (resets && !self->stream[f].on) {
        self->resets &= (u8) ~((u8)1 << f);
        self->out.stopped &= (u8) ~((u8)1 << f);
        self->wr[f] = 0;
        self->rd[f] = 0;
        self->upper &= (u8) ~((u8)1 << f);
        self->quads[f] = 0;
        self->skip[f] = 0;
        self->cur[f].valid = 0;
        self->ahead[f].valid = 0;
    }
}

static inline void show(struct bgl_inject *self, int f)
{
    u64 header = self->cur[f].data;
    u1 ready = (u1)(self->ready >> f);

    if (!self->stream[f].on) {
        self->out.front[f] = front_of(header, self->hints[f], ready);
    }
    self->out.front[f].valid = ready;
    self->out.held[f] = (u6)((u7)(self->quads[f] + 1) >> 1);
}

HLS_MODULE void bgl_inject(struct bgl_inject *self, const struct bgl_inject_in *in)
{
    for (int f = 0; f < BGL_INJECTION; f++) {
        next_half(self, f, run_stream(self, f));
    }
    store_read(self);
    for (int f = 0; f < BGL_INJECTION; f++) {
        if (in->start[f].go) {
            begin_stream(self, in, f);
        }
    }
    read_half(self);
    look(self, in);
    add_half(self, in);
    take_quad(self, &in->push);
    self->slot++;
    self->out.full = self->out.stopped | self->resets;
    self->out.busy = 0;
    for (int f = 0; f < BGL_INJECTION; f++) {
        empty(self, in, f);
        show(self, f);
        self->out.full |= (u8)((u8)(self->quads[f] == BGL_QUADS) << f);
        self->out.busy |= (u8)((u8)self->stream[f].on << f);
    }
    hls_cover(self->out.refused != REFUSED_NOT);
}
