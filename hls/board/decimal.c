// SPDX-License-Identifier: Apache-2.0
/*
 * decimal.c - binary to decimal by doubling: a digit of 5 and more is 3 more before it is shifted.
 */
#include "board/decimal.h"

HLS_RESET void decimal_reset(struct decimal *self)
{
    *self = (struct decimal){0};
}

static inline u40 doubled(u40 digits, u1 carry)
{
    u40 more = 0;

    for (int i = 0; i < DECIMAL_DIGITS; i++) {
        u4 digit = (u4)(digits >> 4 * i);

        digit = digit >= 5 ? (u4)(digit + 3) : digit;
        more |= (u40)digit << 4 * i;
    }
    return (u40)(more << 1) | carry;
}

HLS_MODULE void decimal(struct decimal *self, const struct decimal_in *in)
{
    if (in->start) {
        self->out = (struct decimal_out){0};
        self->rest = in->number;
        self->left = 32;
    } else if (self->left != 0) {
        self->out.digits = doubled(self->out.digits, (u1)(self->rest >> 31));
        self->rest <<= 1;
        self->left--;
        self->out.done = self->left == 0;
    }
}
