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
#if LANES == 4
    self->chunks = 0;
    self->thirds = 0;
    self->third = 0;
    self->turn = 0;
    self->held_turn = 0;
#else
    self->even = 0;
    self->odd = 0;
#endif
    self->lanes = 0;
}

#if LANES == 4

/* One flag per chunk of 16 bits. */
static inline u4 chunks_set(lcb_word word)
{
    u4 set = 0;

    for (int c = 0; c < 4; c++) {
        set |= (u4)((u4)((u16)(word >> (16 * c)) != 0) << c);
    }
    return set;
}

static inline u2 next_third(u2 third)
{
    return third == 2 ? (u2)0 : (u2)(third + 1);
}

/* Places of three lanes to which these chunks go, if the word's number is `third` modulo 3. */
static inline u3 thirds_set(u4 chunks, u2 third)
{
    u3 set = (u3)((u3)((u3)(u1)(chunks >> 1) << 2) | (u3)((u3)(u1)(chunks >> 2) << 1) |
                  ((u1)(chunks >> 3) | (u1)chunks));

    return third == 0   ? set
           : third == 1 ? (u3)((u3)(set << 1) | (u1)(set >> 2))
                        : (u3)((u3)(set << 2) | (u2)(set >> 1));
}

#else

/* One flag per chunk of 16 bits. */
static inline u3 chunks_set(u48 word)
{
    u1 top = (u16)(word >> 32) != 0;
    u1 middle = (u16)(word >> 16) != 0;
    u1 bottom = (u16)word != 0;

    return (u3)((u3)((u3)top << 2) | (u3)((u3)middle << 1) | bottom);
}

#endif

static inline void take_word(struct lcb_fault *self, const struct lcb_fault_in *in)
{
    u1 start = self->slot == 0;
    copy_index place = (copy_index)((copy_index)self->bank << LCB_SLOT_LOG2) | self->slot;
    copy_index other = place ^ (copy_index)(1 << LCB_SLOT_LOG2);
#if LANES == 4
    u4 differ = chunks_set(in->word ^ self->copy[other]);

    static_assert(LCB_SLOTS % 3 == 1);
    if (self->slot == LCB_TAIL) {
        self->lanes = lanes_of(in->lane_map, self->chunks, self->thirds, self->held_turn);
        self->held_turn = self->held ? self->held_turn : self->turn;
        self->turn = next_third(self->turn);
        self->third = 0;
        self->bank ^= !self->held;
    } else {
        self->chunks = (start ? (u4)0 : self->chunks) | differ;
        self->thirds = (start ? (u3)0 : self->thirds) | thirds_set(differ, self->third);
        self->third = next_third(self->third);
    }
#else
    u3 differ = chunks_set(in->word ^ self->copy[other]);

    if (self->slot == LCB_TAIL) {
        self->lanes = lanes_of(in->lane_map, self->even, self->odd);
        self->bank ^= !self->held;
    } else {
        self->even = (start ? (u3)0 : self->even) | ((u1)self->slot ? (u3)0 : differ);
        self->odd = (start ? (u3)0 : self->odd) | ((u1)self->slot ? differ : (u3)0);
    }
#endif
    self->copy[place] = in->word;
    self->slot = self->slot == LCB_TAIL ? 0 : self->slot + 1;
}

HLS_MODULE void lcb_fault(struct lcb_fault *self, const struct lcb_fault_in *in)
{
    u1 plausible = side_seq(in->side) == in->expected && side_flits(in->side) != 0;

    self->out.lanes = in->accepted && self->held ? self->lanes : (lcb_lanes)0;
    if (in->accepted) {
        self->held = 0;
    } else {
        self->held |= in->crc_error && plausible;
    }
    if (!in->run) {
        self->slot = 0;
        self->held = 0;
#if LANES == 4
        self->third = 0;
        self->turn = 0;
#endif
    } else if (in->valid) {
        take_word(self, in);
    }
}
