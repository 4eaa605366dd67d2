// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_fault.c - which lane corrupts micropackets.
 *
 * Copies every micropacket into one of two banks. When the CRC of one is wrong and its number is still
 * the expected one, its copy is kept until a micropacket is accepted, which then is its replay: the
 * chunks that differ belong to the lanes at fault. A replay has a new tail, so tails are not compared; an
 * error in the tail alone is charged to no lane.
 */
#include "link/lcb_fault.h"

#include "link/lane/lanes.h"

typedef uint(LCB_SLOT_LOG2 + 1) copy_index;

HLS_RESET void lcb_fault_reset(struct lcb_fault *self)
{
    self->out = (struct lcb_fault_out){};
    self->slot = 0;
    self->bank = 0;
    self->held = 0;
    self->even = 0;
    self->odd = 0;
    self->lanes = 0;
}

/* One flag per chunk of 16 bits. */
static inline u3 chunks_set(u48 word)
{
    u1 top = (u16)(word >> 32) != 0;
    u1 middle = (u16)(word >> 16) != 0;
    u1 bottom = (u16)word != 0;

    return (u3)((u3)((u3)top << 2) | (u3)((u3)middle << 1) | bottom);
}

static inline void take_word(struct lcb_fault *self, const struct lcb_fault_in *in)
{
    u1 start = self->slot == 0;
    copy_index place = (copy_index)((copy_index)self->bank << LCB_SLOT_LOG2) | self->slot;
    copy_index other = place ^ (copy_index)(1 << LCB_SLOT_LOG2);
    u3 differ = chunks_set(in->word ^ self->copy[other]);

    if (self->slot == LCB_TAIL) {
        self->lanes = lanes_of(in->lane_map, self->even, self->odd);
        self->bank ^= !self->held;
    } else {
        self->even = (start ? (u3)0 : self->even) | ((u1)self->slot ? (u3)0 : differ);
        self->odd = (start ? (u3)0 : self->odd) | ((u1)self->slot ? differ : (u3)0);
    }
    self->copy[place] = in->word;
    self->slot = self->slot == LCB_TAIL ? 0 : self->slot + 1;
}

HLS_MODULE void lcb_fault(struct lcb_fault *self, const struct lcb_fault_in *in)
{
    u1 plausible = side_seq(in->side) == in->expected && side_flits(in->side) != 0;

    self->out.lanes = in->accepted && self->held ? self->lanes : (u3)0;
    if (in->accepted) {
        self->held = 0;
    } else {
        self->held |= in->crc_error && plausible;
    }
    if (!in->run) {
        self->slot = 0;
        self->held = 0;
    } else if (in->valid) {
        take_word(self, in);
    }
}
