// SPDX-License-Identifier: Apache-2.0
/*
 * wide_shift: a shift register of 512 bits with slices by constant and dynamic shift.
 */
#include "hls.h"

struct wide_shift_in {
    u48 data;
    u1 push;
    u9 at;
};
struct wide_shift_out {
    u48 oldest;
    u20 window;
    u1 parity;
};
struct wide_shift {
    struct wide_shift_out out;
    uint(512) line;
};

HLS_RESET void wide_shift_reset(struct wide_shift *self)
{
    *self = (struct wide_shift){.line = (uint(512))0x123456789abcdef << 400};
}

HLS_MODULE void wide_shift(struct wide_shift *self, const struct wide_shift_in *in)
{
    self->out.oldest = (u48)(self->line >> 464);
    self->out.window = (u20)(self->line >> in->at);
    self->out.parity = (u1)(self->line >> 511) ^ (u1)(self->line >> 255) ^ (u1)self->line;
    if (in->push) {
        self->line = self->line << 48 | in->data;
    } else {
        self->line ^= (uint(512))in->data << in->at;
    }
}
