// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_fault.c - which lane corrupts packets.
 *
 * Copies every packet into one of two banks. The copy of one that was cut is kept until a packet is accepted, which then is its
 * replay: the parts that differ belong to the lanes at fault. A packet whose head was not recognised has no copy.
 */
#include "link/packet/pkt_fault.h"

#include "link/lane/lanes.h"

HLS_RESET void pkt_fault_reset(struct pkt_fault *self)
{
    self->out = (struct pkt_fault_out){};
    self->bank = 0;
    self->count = 0;
    self->place = 0;
    self->odd = 0;
    self->held = 0;
    self->held_count = 0;
    self->held_place = 0;
    self->held_odd = 0;
    self->even_chunks = 0;
    self->odd_chunks = 0;
}

/* One flag per part of 8 bits. */
static inline u3 parts_set(phit_bits parts)
{
    u1 top = (u8)(parts >> 16) != 0;
    u1 middle = (u8)(parts >> 8) != 0;
    u1 bottom = (u8)parts != 0;

    return (u3)((u3)((u3)top << 2) | (u3)((u3)middle << 1) | bottom);
}

static inline void take_phit(struct pkt_fault *self, const struct pkt_fault_in *in)
{
    u5 index = in->head ? (u5)0 : (u5)self->count;
    u6 place = (u6)((u6)((u6)self->bank << 5) | index);
    u3 differ = parts_set(in->parts ^ self->copy[(u6)(place ^ 32)]);
    u1 compared = self->held && (lcb_phits)index < self->held_count;
    /* words since the bad copy's first one */
    u1 odd = self->held_odd ^ (u1)((lcb_phits)(self->held_place + index) >> 1);

    differ = compared ? differ : (u3)0;
    self->even_chunks = (in->head ? (u3)0 : self->even_chunks) | (odd ? (u3)0 : differ);
    self->odd_chunks = (in->head ? (u3)0 : self->odd_chunks) | (odd ? differ : (u3)0);
    self->place = in->head ? in->second : self->place;
    self->odd = in->head ? in->odd : self->odd;
    self->copy[place] = in->parts;
    self->count = (lcb_phits)((lcb_phits)index + 1);
}

HLS_MODULE void pkt_fault(struct pkt_fault *self, const struct pkt_fault_in *in)
{
    u1 found = in->accepted && self->held;
    u1 keeps = in->cut && !self->held;

    self->out.lanes = found ? lanes_of(in->lane_map, self->even_chunks, self->odd_chunks) : (u3)0;
    if (keeps) {
        self->held_count = self->count;
        self->held_place = self->place;
        self->held_odd = self->odd;
        self->bank = !self->bank;
    }
    self->held = in->run && ((self->held && !found) || keeps);
    if (in->seen) {
        take_phit(self, in);
    }
}
