// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_reception.c - the reception FIFOs.
 *
 * Bus b writes half a quad in clock b of eight: as much comes in eight.
 */
#include "bgl/host/bgl_reception.h"

HLS_RESET void bgl_reception_reset(struct bgl_reception *self)
{
    self->out = (struct bgl_reception_out){0};
    self->read = (struct quad_word){0};
    self->reads = 0;
    self->read_fifo = 0;
    self->reads_none = 0;
    self->slot = 0;
    self->turn = 0;
    self->resets = 0;
    for (int r = 0; r < BGL_RECEPTION; r++) {
        self->wr[r] = 0;
        self->rd[r] = 0;
    }
    for (int b = 0; b < REC_BUSES; b++) {
        self->bus[b] = (struct rec_bus){0};
    }
}

static inline void take_byte(struct bgl_reception *self, struct bgl_byte byte, u4 fifo, u3 from,
                             int b)
{
    struct rec_bus *bus = &self->bus[b];
    u1 wrong = bus_wrong(byte);

    if (byte.ctl == BUS_FIRST) {
        bus->on = 1;
        bus->fifo = fifo;
        bus->from = from;
        bus->at = self->wr[fifo];
        bus->count = 0;
        bus->wrong = wrong;
    }
    bus->wrong |= wrong;
    if (byte.ctl == BUS_LAST) {
        bus->ends = 1;
        bus->wrong |= byte.data != BGL_GOOD;
    } else if (byte.ctl != BUS_NONE) {
        bus->shift = (u64)(bus->shift >> 8) | ((u64)byte.data << 56);
        if ((u3)bus->count == 7) {
            bus->held = bus->shift;
            bus->upper = (u1)(bus->count >> 3);
            bus->holds = 1;
        }
        bus->count++;
    }
}

/* The group is known with byte 1; the receiver says it with the first one. */
static inline void take_bytes(struct bgl_reception *self, const struct bgl_reception_in *in)
{
    for (int p = 0; p < BGL_PORTS; p++) {
        u1 group = (u1)(in->normal_group >> p);

        take_byte(self, in->normal[p], (u4)((u4)((u4)group << 3) | p), (u3)p, p);
    }
    for (int g = 0; g < 2; g++) {
        struct bgl_byte byte = bus_byte(0, BUS_NONE);
        u3 from = 0;

        for (int p = 0; p < BGL_PORTS; p++) {
            if (in->high[p].ctl != BUS_NONE && (u1)(in->high_group >> p) == g) {
                byte = in->high[p];
                from = (u3)p;
            }
        }
        take_byte(self, byte, (u4)(g * 8 + 6), from, 6 + g);
    }
}

/* The slot's bus writes what it holds; at the end of a packet the FIFO has it, or it has never been. */
static inline void write_half(struct bgl_reception *self)
{
    struct rec_bus *bus = &self->bus[self->slot];
    u10 at = (u10)((u10)((u10)bus->fifo << 6) | (u6)bus->at);
    word_ecc_word word = bgl_ecc_word(bus->held);

    self->out.refused = 0;
    if (bus->holds && !bus->upper) {
        self->lower[at] = word;
    }
    if (bus->holds && bus->upper) {
        self->upper[at] = word;
        bus->at++;
    }
    bus->holds = 0;
    if (bus->ends) {
        bus->ends = 0;
        bus->on = 0;
        self->out.refused = bus->wrong;
        if (!bus->wrong) {
            self->wr[bus->fifo] = bus->at;
        }
    }
}

static inline void read_quad(struct bgl_reception *self, const struct bgl_pop *pop)
{
    u4 r = pop->fifo;
    u1 there = self->rd[r] != self->wr[r];

    self->reads = pop->valid;
    self->read_fifo = r;
    self->reads_none = !there;
    if (pop->valid && there) {
        u10 at = (u10)((u10)((u10)r << 6) | (u6)self->rd[r]);

        self->read = (struct quad_word){.lower = self->lower[at], .upper = self->upper[at]};
        self->rd[r]++;
    }
}

static inline void answer(struct bgl_reception *self)
{
    struct quad_result quad = quad_decode(self->read);
    u1 there = self->reads && !self->reads_none;

    self->out.popped = self->reads;
    self->out.fifo = self->read_fifo;
    self->out.none = self->reads_none;
    self->out.spoiled = there && quad.fatal;
    self->out.corrected = there && quad.corrected;
    self->out.quad = there && !quad.fatal ? quad.data : (bgl_quad)0;
}

/* Numbers of FIFOs that are being written, or whose bus still has a packet of the other group to end. */
static inline u16 writing(const struct bgl_reception *self)
{
    u16 set = 0;

    for (int b = 0; b < BGL_PORTS; b++) {
        set |= (u16)((u16)(self->bus[b].on ? 0x101 : 0) << b);
    }
    for (int g = 0; g < 2; g++) {
        set |= (u16)((u16)self->bus[BGL_PORTS + g].on << (8 * g + 6));
    }
    return set;
}

/* Whether each FIFO takes a full packet. A high-priority FIFO is offered to one receiver at a time, for four clocks of sixteen. */
static inline void show(struct bgl_reception *self, const struct bgl_reception_in *in)
{
    u16 busy = writing(self);
    u16 room = 0;

    self->resets |= in->reset;
    for (int r = 0; r < BGL_RECEPTION; r++) {
        u7 held = self->wr[r] - self->rd[r];
        u1 resets = (u1)(self->resets >> r) && !(u1)(busy >> r);

        if (resets) {
            self->rd[r] = self->wr[r];
            held = 0;
        }
        self->out.held[r] = (u6)(held >> 1);
        room |= (u16)((u16)(held <= BGL_QUADS - 2 * BGL_FULL) << r);
    }
    self->resets &= busy;
    self->out.full = (u16)~room;
    room &= (u16)~busy;
    for (int g = 0; g < 2; g++) {
        u1 high = (u1)(room >> (8 * g + 6)) && (u4)self->turn < 4;

        self->out.room[g] = (u6)(room >> (8 * g));
        self->out.room_high[g] = high ? (u6)((u6)1 << (u3)(self->turn >> 4)) : (u6)0;
    }
    self->turn = self->turn == 16 * BGL_PORTS - 1 ? (u7)0 : (u7)(self->turn + 1);
}

HLS_MODULE void bgl_reception(struct bgl_reception *self, const struct bgl_reception_in *in)
{
    answer(self);
    read_quad(self, &in->pop);
    write_half(self);
    take_bytes(self, in);
    show(self, in);
    self->slot++;
    hls_cover(self->out.refused);
}
