// SPDX-License-Identifier: Apache-2.0
/*
 * helper_pointer: helpers that work on locals, on one register, and on an element of an array.
 */
#include "hls.h"

struct helper_pointer_in {
    u6 x, y;
    u2 at;
};
struct helper_pointer_out {
    u6 lower, upper;
    u6 total;
    u6 bin[4];
};
struct helper_pointer {
    struct helper_pointer_out out;
};

static void order(u6 *a, u6 *b)
{
    if (*a > *b) {
        u6 t = *a;
        *a = *b;
        *b = t;
    }
}

/* Adds and says whether it wrapped. */
static bool add_to(u6 *sum, u6 value)
{
    u6 before = *sum;
    *sum += value;
    return *sum < before;
}

HLS_RESET void helper_pointer_reset(struct helper_pointer *self)
{
    *self = (struct helper_pointer){0};
}

HLS_MODULE void helper_pointer(struct helper_pointer *self, const struct helper_pointer_in *in)
{
    u6 a = in->x;
    u6 b = in->y;
    order(&a, &b);
    self->out.lower = a;
    self->out.upper = b;
    if (add_to(&self->out.total, b - a)) {
        add_to(&self->out.bin[in->at], 1);
    }
    order(&self->out.bin[1], &self->out.bin[2]);
    self->out.bin[3] ^= a & b;
}
