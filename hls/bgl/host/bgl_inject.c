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
    self->read_fifo = 0;
    self->slot = 0;
    self->ready = 0;
    self->resets = 0;
    self->summed = 0;
    self->clears = 0xFF;
    for (int f = 0; f < BGL_INJECTION; f++) {
        self->wr[f] = 0;
        self->rd[f] = 0;
        self->cur[f] = (struct inj_quad){0};
        self->ahead[f] = (struct inj_quad){0};
        self->quads[f] = 0;
        self->hints[f] = 0;
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

/* The quad that was read in the clock before. */
static inline void store_read(struct bgl_inject *self)
{
    struct quad_result quad = quad_decode(self->read);
    struct inj_quad got = {.valid = 1, .bad = quad.fatal, .data = quad.data};

    self->out.corrected = self->reads && quad.corrected;
    self->out.fatal = self->reads && quad.fatal;
    self->out.fatal_fifo = self->read_fifo;
    for (int f = 0; f < BGL_INJECTION; f++) {
        if (self->reads && self->read_fifo == f) {
            if (!self->cur[f].valid) {
                self->cur[f] = got;
            } else {
                self->ahead[f] = got;
            }
        }
    }
    self->reads = 0;
}

static inline void read_quad(struct bgl_inject *self)
{
    u3 f = self->slot;

    if (self->rd[f] != self->wr[f] && !self->ahead[f].valid && !(u1)(self->resets >> f)) {
        self->read = self->memory[(u9)((u9)((u9)f << 6) | (u6)self->rd[f])];
        self->reads = 1;
        self->read_fifo = f;
        self->rd[f]++;
    }
}

/* ---- the packet in front --------------------------------------------------------------------- */

/* Looks at the packet of the slot's FIFO, once it is whole. */
static inline void look(struct bgl_inject *self, const struct bgl_inject_in *in)
{
    u3 f = self->slot;
    u64 header = quad_header(self->cur[f].data);
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
        self->out.refused = head.refused;
        if (head.refused == REFUSED_NOT) {
            self->ready |= (u8)((u8)1 << f);
        } else {
            self->skip[f] = quads;
        }
    }
}

/* The quad in front has gone. */
static inline void next_quad(struct bgl_inject *self, int f)
{
    self->cur[f] = self->ahead[f];
    self->ahead[f].valid = 0;
    self->quads[f]--;
    self->summed &= (u8) ~((u8)1 << f);
}

static inline void begin_stream(struct bgl_inject *self, const struct bgl_inject_in *in, int f)
{
    u3 port = in->start[f].port;
    u64 header = quad_header(self->cur[f].data);
    u6 near = header_near(header, &in->at);
    u6 left = (u6)(self->hints[f] & ~(near & (u6)((u8)1 << port)));

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

/* Byte i of a quad. */
static inline u8 byte_of(bgl_quad quad, u4 i)
{
    u64 half = (u1)(i >> 3) ? (u64)(quad >> 64) : (u64)quad;
    u32 word = (u1)(i >> 2) ? (u32)(half >> 32) : (u32)half;
    u16 pair = (u1)(i >> 1) ? (u16)(word >> 16) : (u16)word;

    return (u1)i ? (u8)(pair >> 8) : (u8)pair;
}

/* The next byte of a stream, or a quad of a refused packet less; returns whether the quad in front has gone. */
static inline u1 run_stream(struct bgl_inject *self, int f)
{
    struct inj_stream *s = &self->stream[f];
    u3 n = self->out.front[f].n;
    u1 last = s->index == (u9)((u9)((u9)n << 5) + 32);
    u1 skips = !s->on && self->skip[f] != 0 && self->cur[f].valid;
    u1 gone = (s->on && !last && (u4)s->index == 15) || skips;
    u8 byte = s->index == 1 ? s->first : byte_of(self->cur[f].data, (u4)s->index);

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
    return gone;
}

/* ---- checksums ------------------------------------------------------------------------------- */

static inline u32 rotl(u32 word, int by)
{
    return (u32)(word << by) | (u32)(word >> (32 - by));
}

/* What a quad adds, but for its first `skip` halves. */
static inline u32 fold(bgl_quad quad, u7 skip)
{
    u32 sum = 0;

#pragma clang loop unroll(full)
    for (int w = 0; w < 4; w++) {
        u32 word = 0;

#pragma clang loop unroll(full)
        for (int i = 0; i < 4; i++) {
            int at = 4 * w + i;

            word = (u32)(word << 8) | (skip > at / 2 ? (u8)0 : (u8)(quad >> (8 * at)));
        }
        sum ^= w == 0 ? word : rotl(word, 8 * w);
    }
    return sum;
}

/* The slot's FIFO: a quad that is leaving is added once; it stands in front for sixteen clocks. */
static inline void add_quad(struct bgl_inject *self, const struct bgl_inject_in *in)
{
    u3 f = self->slot;
    u8 one = (u8)((u8)1 << f);
    const struct inj_stream *s = &self->stream[f];
    u5 quad = (u5)(s->index >> 4);
    u7 gone = (u7)((u7)quad << 3);
    u1 last = quad == (u5)((u5)((u5)self->out.front[f].n << 1) + 2);
    u1 due = s->on && !last && self->cur[f].valid && !(u1)(self->summed >> f);
    u32 sum = (u1)(self->clears >> f) ? (u32)0 : self->sums[f];

    if (due && !s->skips) {
        sum = (u32)(rotl(sum, 5) +
                    fold(self->cur[f].data, s->skip > gone ? (u7)(s->skip - gone) : (u7)0));
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
        self->quads[f] = 0;
        self->skip[f] = 0;
        self->cur[f].valid = 0;
        self->ahead[f].valid = 0;
    }
}

static inline void show(struct bgl_inject *self, int f)
{
    u64 header = quad_header(self->cur[f].data);
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
        if (run_stream(self, f)) {
            next_quad(self, f);
        }
    }
    store_read(self);
    for (int f = 0; f < BGL_INJECTION; f++) {
        if (in->start[f].go) {
            begin_stream(self, in, f);
        }
    }
    read_quad(self);
    look(self, in);
    add_quad(self, in);
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
