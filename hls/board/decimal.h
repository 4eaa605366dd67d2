// SPDX-License-Identifier: Apache-2.0
/*
 * decimal.h - ports and registers of the conversion of a number to ten decimal digits, a bit per clock.
 */
#ifndef DECIMAL_H
#define DECIMAL_H

#include "hls.h"

#define DECIMAL_DIGITS 10

struct decimal_in {
    u1 start; /* begins anew whatever is under way */
    u32 number;
};

struct decimal_out {
    u1 done;    /* 32 clocks after start, until the next one */
    u40 digits; /* the last one lowest */
};

struct decimal {
    struct decimal_out out;
    u32 rest;
    u6 left; /* bits of rest */
};

HLS_RESET void decimal_reset(struct decimal *self);
HLS_MODULE void decimal(struct decimal *self, const struct decimal_in *in);

#endif
