// SPDX-License-Identifier: Apache-2.0
/*
 * ops_by_constant: quotients and remainders by constants of many sizes, up to 64 bits, which become products.
 */
#include "hls.h"

struct ops_by_constant_in {
    u64 a;
    u8 b;
    sint(33) s;
};
struct ops_by_constant_out {
    u64 by3, by7, by1000, mod1000;
    u64 top;    /* by a divisor near 2^64: 0 or 1 */
    u64 half;   /* by one near 2^32 */
    u8 few[12]; /* of 8 bits, by each */
    u8 rests[12];
    u5 hour; /* chained: of a day of seconds */
    u6 minute;
    sint(33) toward_zero;
    sint(11) rest;
};
struct ops_by_constant {
    struct ops_by_constant_out out;
};

HLS_RESET void ops_by_constant_reset(struct ops_by_constant *self)
{
    *self = (struct ops_by_constant){};
}

HLS_MODULE void ops_by_constant(struct ops_by_constant *self, const struct ops_by_constant_in *in)
{
    static const u8 by[12] = {1, 3, 5, 6, 7, 9, 11, 13, 28, 127, 171, 255};
    u17 second = (u17)in->a;

    self->out.by3 = in->a / 3;
    self->out.by7 = in->a / 7;
    self->out.by1000 = in->a / 1000;
    self->out.mod1000 = in->a % 1000;
    self->out.top = in->a / 0xfffffffffffffff1;
    self->out.half = in->a / 0xfffffffb;
    for (int i = 0; i < 12; i++) {
        self->out.few[i] = in->b / by[i];
        self->out.rests[i] = in->b % by[i];
    }
    self->out.hour = (u5)(second / 3600);
    self->out.minute = (u6)(second % 3600 / 60);
    self->out.toward_zero = in->s / -10;
    self->out.rest = (sint(11))(in->s % 1000);
}
