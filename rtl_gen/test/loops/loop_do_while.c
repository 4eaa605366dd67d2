// SPDX-License-Identifier: Apache-2.0
/*
 * loop_do_while: the body runs at least once: base-8 digits of a number, and decimal digits with
 * a counted bound.
 */
#include "hls.h"

struct loop_do_while_in {
    u9 value;
    u8 decimal;
};
struct loop_do_while_out {
    u2 digits;
    u5 sum;
    u2 decimal_digits;
    u5 decimal_sum;
};
struct loop_do_while {
    struct loop_do_while_out out;
};

HLS_RESET void loop_do_while_reset(struct loop_do_while *self)
{
    *self = (struct loop_do_while){0};
}

HLS_MODULE void loop_do_while(struct loop_do_while *self, const struct loop_do_while_in *in)
{
    u2 digits = 0;
    u5 sum = 0;
    u9 x = in->value;
    do {
        digits++;
        sum += x & 7;
        x >>= 3;
    } while (x);
    self->out.digits = digits;
    self->out.sum = sum;

    digits = 0;
    sum = 0;
    u8 d = in->decimal;
    do {
        sum += d % 10;
        d /= 10;
        digits++;
    } while (d && digits < 3);
    self->out.decimal_digits = digits;
    self->out.decimal_sum = sum;
}
