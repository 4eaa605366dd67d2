// SPDX-License-Identifier: Apache-2.0
/*
 * array_one: dimensions of one element, whose stride is that of the dimension around them, and
 * pointers that walk along an array.
 */
#include "hls.h"

struct array_one_in {
    u2 at;
    u8 value[3][1];
};
struct array_one_out {
    u8 picked, walked;
    u8 held_one[1];
};
struct array_one {
    struct array_one_out out;
    struct {
        u8 byte[1];
    } held[4];
    u8 after[4];
};

HLS_RESET void array_one_reset(struct array_one *self)
{
    *self = (struct array_one){.after = {1, 2, 3, 4}};
}

static u8 total(const u8 *p, unsigned n)
{
    u8 sum = 0;
    for (const u8 *end = p + n; p != end; p++) {
        sum += *p;
    }
    return sum;
}

HLS_MODULE void array_one(struct array_one *self, const struct array_one_in *in)
{
    const u8 *here = &self->after[in->at];
    self->out.picked = in->value[in->at == 3 ? 0 : in->at][0] ^ self->held[in->at].byte[0];
    self->out.walked = total(self->after, 3) + *here + *(here - in->at);
    self->out.held_one[0] += in->value[1][0];
    self->held[in->at].byte[0] += in->value[0][0];
    self->after[(u2)(in->at + 1)] ^= self->held[(u2)~in->at].byte[0];
}
