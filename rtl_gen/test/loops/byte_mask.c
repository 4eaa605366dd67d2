// SPDX-License-Identifier: Apache-2.0
/*
 * Bytes where a bit is set, of one word, and where it is not, of another: the mask is copies of the bits, the other its inverse.
 * Inverses that a loop gives, one by one, are one inverse too.
 */
#include "hls.h"

enum { LANES = 8 };

struct byte_mask_in {
    u64 older, newer;
    u8 lanes;
};

struct byte_mask_out {
    u64 word;
    u1 tail[LANES];
    u4 ends;
};

struct byte_mask {
    struct byte_mask_out out;
    u1 inside[LANES];
};

HLS_RESET void byte_mask_reset(struct byte_mask *self)
{
    *self = (struct byte_mask){};
}

/* Byte i of the result is byte i of data where lane i of lanes is 1. */
static inline u64 only(u64 data, u8 lanes)
{
    u64 mask = 0;

    for (int i = 0; i < LANES; i++) {
        u8 byte = (u1)(lanes >> i) ? (u8)0xFF : (u8)0;

        mask |= (u64)((u64)byte << (8 * i));
    }
    return data & mask;
}

HLS_MODULE void byte_mask(struct byte_mask *self, const struct byte_mask_in *in)
{
    u4 ends = 0;

    self->out.word = only(in->older, in->lanes) | only(in->newer, (u8)~in->lanes);
    for (int i = 0; i < LANES; i++) {
        u1 tail = !self->inside[i];

        self->out.tail[i] = tail;
        ends += tail;
        self->inside[i] = (u1)(in->lanes >> i);
    }
    self->out.ends = ends;
}
