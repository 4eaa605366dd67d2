// SPDX-License-Identifier: Apache-2.0
/*
 * ub_divide: division by zero on purpose, with and without sign, narrow and wide. The hardware's
 * answers are quotient zero and remainder zero.
 */
#include "hls.h"

struct ub_divide_in {
    u7 a, b;
    sint(9) s, t;
    u40 c, d;
};
struct ub_divide_out {
    u7 quotient, remainder;
    sint(9) squotient, sremainder;
    u40 wquotient, wremainder;
};
struct ub_divide {
    struct ub_divide_out out;
};

HLS_RESET void ub_divide_reset(struct ub_divide *self)
{
    *self = (struct ub_divide){0};
}

HLS_MODULE void ub_divide(struct ub_divide *self, const struct ub_divide_in *in)
{
    self->out.quotient = in->a / in->b;
    self->out.remainder = in->a % in->b;
    self->out.squotient = in->s / in->t;
    self->out.sremainder = in->s % in->t;
    self->out.wquotient = in->c / in->d;
    self->out.wremainder = in->c % in->d;
}
