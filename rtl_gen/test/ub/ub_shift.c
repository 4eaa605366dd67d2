// SPDX-License-Identifier: Apache-2.0
/*
 * ub_shift: shifts by the width or more on purpose: of several widths, by amounts narrower and wider
 * than the value, also where C itself would cut the amount. The hardware's answer is zero.
 */
#include "hls.h"

struct ub_shift_in {
    u8 octet;
    u33 word;
    sint(12) number;
    uint(100) wide;
    u10 amount;
};
struct ub_shift_out {
    u8 byte_left, byte_right;
    u33 word_left, word_right;
    sint(12) number_right;
    uint(100) wide_left, wide_right;
    u32 plain; /* 1u << amount */
};
struct ub_shift {
    struct ub_shift_out out;
};

HLS_RESET void ub_shift_reset(struct ub_shift *self)
{
    *self = (struct ub_shift){0};
}

HLS_MODULE void ub_shift(struct ub_shift *self, const struct ub_shift_in *in)
{
    self->out.byte_left = in->octet << in->amount;
    self->out.byte_right = in->octet >> in->amount;
    self->out.word_left = in->word << in->amount;
    self->out.word_right = in->word >> in->amount;
    self->out.number_right = in->number >> in->amount;
    self->out.wide_left = in->wide << in->amount;
    self->out.wide_right = in->wide >> in->amount;
    self->out.plain = 1u << in->amount;
}
