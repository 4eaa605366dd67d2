// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_sender.c - the third phase of arbitration, and the bus that it leads to.
 */
#include "bgl/torus/bgl_sender.h"

#include "bgl/torus/bgl_pick.h"

#define RECEIVERS 0x3F       /* of a set of sources */
#define HOLD      9          /* clocks from a grant until the framer's `soon` knows of it */
#define LATE      (HOLD - 2) /* what is left of them when the first byte is due */

HLS_RESET void bgl_sender_reset(struct bgl_sender *self)
{
    *self = (struct bgl_sender){0};
}

/* What a source offers for this port. */
struct source {
    u1 valid;
    u1 high;
    u1 bus;
    u2 vc;
    u3 n;
    u2 fullness;
};

static inline struct source source_of(const struct bgl_sender_in *in, int s)
{
    if (s < BGL_PORTS) {
        const struct bgl_offer *o = &in->offer[s];

        return (struct source){.valid = o->valid && o->port == in->own_port,
                               .high = o->high,
                               .bus = o->bus,
                               .vc = o->vc,
                               .n = o->n,
                               .fullness = o->fullness};
    }
    const struct bgl_request *r = &in->inject[s - BGL_PORTS];

    return (struct source){.valid = r->valid && r->port == in->own_port,
                           .high = r->high,
                           .vc = r->vc,
                           .n = r->n,
                           .fullness = in->inject_fullness[s - BGL_PORTS]};
}

/* One-hot: whom the port is granted. */
static inline u16 choose(const struct bgl_sender *self, const struct bgl_sender_in *in,
                         const struct source *source)
{
    u2 range[BGL_SOURCES];
    u16 set = 0;
    u16 high = 0;

    for (int s = 0; s < BGL_SOURCES; s++) {
        range[s] = source[s].fullness;
        set |= (u16)((u16)source[s].valid << s);
        high |= (u16)((u16)(source[s].valid && source[s].high) << s);
    }
    u16 best = high != 0 ? high : set;
    u5 clocks = high != 0 ? in->high_clocks : in->inject_clocks;
    u16 first = self->clock < clocks ? (u16)(best & ~RECEIVERS) : (u16)(best & RECEIVERS);
    u16 of = first != 0 ? first : best;
    u16 fullest = in->slq ? pick_fullest(of, range, BGL_SOURCES) : of;

    return pick_random(fullest, in->random, BGL_SOURCES);
}

static inline void grant(struct bgl_sender *self, u16 one, const struct source *source)
{
    self->out.grant = (u6)one;
    self->out.grant_inject = (u8)(one >> BGL_PORTS);
    for (int s = 0; s < BGL_SOURCES; s++) {
        if ((u1)(one >> s)) {
            self->source = (u4)s;
            self->source_bus = source[s].bus;
            self->out.tx_vc = source[s].vc;
            self->out.tx_n = source[s].n;
        }
    }
}

/* The byte of the packet that was granted. */
static inline struct bgl_byte select_byte(const struct bgl_sender *self,
                                          const struct bgl_sender_in *in)
{
    struct bgl_byte byte = bus_byte(0, BUS_NONE);

    for (int p = 0; p < BGL_PORTS; p++) {
        byte = self->source == p ? in->bus[p][self->source_bus] : byte;
    }
    for (int i = 0; i < BGL_INJECTION; i++) {
        byte = self->source == BGL_PORTS + i ? in->inject_bus[i] : byte;
    }
    return byte;
}

static inline struct bgl_avail available(const struct bgl_sender_in *in, u1 free)
{
    u4 always = in->drop ? (u4)0xC : (u4)0;
    u4 mask = free ? (u4)0xF : (u4)0;

    return (struct bgl_avail){
        .one = in->drop ? always & mask : in->one & mask,
        .two = in->drop ? always & mask : in->two & mask,
        .range = {in->ranges[0], in->ranges[1]},
        .soon = (u2)((u2)(u1)(in->one >> 3) | (u2)((u2)(u1)(in->two >> 3) << 1)) &
                (in->running ? (u2)3 : (u2)0),
    };
}

/* A clock of the packet that was granted; without its first byte in time the grant lapses. */
static inline void take_byte(struct bgl_sender *self, const struct bgl_sender_in *in)
{
    struct bgl_byte byte = self->coming ? select_byte(self, in) : bus_byte(0, BUS_NONE);

    self->first |= byte.ctl == BUS_FIRST;
    self->out.lapsed = self->coming && !self->first && self->hold == LATE;
    self->out.dropped = self->throws && byte.ctl == BUS_LAST;
    self->out.tx = self->throws ? bus_byte(0, BUS_NONE) : byte;
    self->hold -= self->hold != 0;
    if (byte.ctl == BUS_LAST || self->out.lapsed) {
        self->coming = 0;
    }
    if (self->out.lapsed) {
        self->hold = 0;
    }
}

HLS_MODULE void bgl_sender(struct bgl_sender *self, const struct bgl_sender_in *in)
{
    struct source source[BGL_SOURCES];

    for (int s = 0; s < BGL_SOURCES; s++) {
        source[s] = source_of(in, s);
    }
    u1 free = self->hold == 0 && !self->coming && (in->drop || (in->soon && in->room));
    u16 one = free ? choose(self, in, source) : (u16)0;

    take_byte(self, in);
    grant(self, one, source);
    if (one != 0) {
        self->coming = 1;
        self->first = 0;
        self->hold = HOLD;
        self->throws = in->drop;
        free = 0;
    }
    self->out.flowing = self->coming;
    self->out.avail = available(in, free);
    self->out.avail_inject = available(in, free && self->free == 7);
    self->free = free ? (u3)((u3)(self->free << 1) | 1) : (u3)0;
    self->clock++;
    hls_cover(self->out.dropped);
    hls_cover(self->out.lapsed);
}
