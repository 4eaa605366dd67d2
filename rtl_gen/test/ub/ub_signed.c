// SPDX-License-Identifier: Apache-2.0
/*
 * ub_signed: signed numbers out of range on purpose: sums, differences, products, negation, quotients, absolute values,
 * left shifts, of ints and of sint(6). The hardware's answer is what is left of the exact one in as many bits.
 */
#include "hls.h"

struct ub_signed_in {
    int a, b;
    sint(6) s, t;
    u3 by;
};
struct ub_signed_out {
    int sum, difference, product, negative, absolute, shifted, quotient, remainder;
    sint(6) ssum, sdifference, sproduct, snegative, sshifted, squotient, sremainder, next;
};
struct ub_signed {
    struct ub_signed_out out;
};

HLS_RESET void ub_signed_reset(struct ub_signed *self)
{
    *self = (struct ub_signed){0};
}

HLS_MODULE void ub_signed(struct ub_signed *self, const struct ub_signed_in *in)
{
    sint(6) next = in->s;

    self->out.sum = in->a + in->b;
    self->out.difference = in->a - in->b;
    self->out.product = in->a * in->b;
    self->out.negative = -in->a;
    self->out.absolute = __builtin_abs(in->a);
    self->out.shifted = in->a << in->by;
    self->out.quotient = in->b ? in->a / in->b : 0;
    self->out.remainder = in->b ? in->a % in->b : 0;
    self->out.ssum = in->s + in->t;
    self->out.sdifference = in->s - in->t;
    self->out.sproduct = in->s * in->t;
    self->out.snegative = -in->s;
    self->out.sshifted = in->by < 6 ? in->s << in->by : 0;
    self->out.squotient = in->t ? in->s / in->t : 0;
    self->out.sremainder = in->t ? in->s % in->t : 0;
    next++;
    self->out.next = next;
}
