// SPDX-License-Identifier: Apache-2.0
// a division of 32 bits in one clock is a warning, one that says that it is meant is none
#include "hls.h"

struct division_wide_in {
    u32 a, b;
    sint(16) c, d;
    u8 few;
};
struct division_wide_out {
    u32 quotient, meant, by_few, by_constant;
    sint(16) rest;
};
struct division_wide {
    struct division_wide_out out;
};

HLS_RESET void division_wide_reset(struct division_wide *self)
{
    *self = (struct division_wide){};
}

HLS_MODULE void division_wide(struct division_wide *self, const struct division_wide_in *in)
{
    self->out.quotient = in->a / in->b;
    self->out.rest = in->c % in->d;
    self->out.meant = hls_in_one_clock(in->a / in->b);
    self->out.by_few = in->a / in->few;
    self->out.by_constant = in->a / 1000;
    while (self->out.quotient != 3)
        self->out.quotient += 5; /* an error, so that all is printed */
}
