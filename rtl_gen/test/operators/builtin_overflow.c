// SPDX-License-Identifier: Apache-2.0
/*
 * builtin_overflow: arithmetic that says whether it overflowed, unsigned and signed.
 */
#include "hls.h"

struct builtin_overflow_in {
    unsigned a, b;
    int s, t;
    unsigned char c, d;
};
struct builtin_overflow_out {
    unsigned sum, difference;
    int signed_sum, signed_difference;
    unsigned char octet;
    bool carry, borrow, over, under, byte_carry;
    u16 events;
};
struct builtin_overflow {
    struct builtin_overflow_out out;
};

HLS_RESET void builtin_overflow_reset(struct builtin_overflow *self)
{
    *self = (struct builtin_overflow){0};
}

HLS_MODULE void builtin_overflow(struct builtin_overflow *self,
                                 const struct builtin_overflow_in *in)
{
    unsigned sum;
    unsigned difference;
    int signed_sum;
    int signed_difference;
    unsigned char octet;
    self->out.carry = __builtin_add_overflow(in->a, in->b, &sum);
    self->out.borrow = __builtin_sub_overflow(in->a, in->b, &difference);
    self->out.over = __builtin_add_overflow(in->s, in->t, &signed_sum);
    self->out.under = __builtin_sub_overflow(in->s, in->t, &signed_difference);
    self->out.byte_carry = __builtin_add_overflow(in->c, in->d, &octet);
    self->out.sum = sum;
    self->out.difference = difference;
    self->out.signed_sum = signed_sum;
    self->out.signed_difference = signed_difference;
    self->out.octet = octet;
    self->out.events += self->out.carry + self->out.over * 2 + self->out.under * 4;
}
