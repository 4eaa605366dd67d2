// SPDX-License-Identifier: Apache-2.0
/* gcd.h - the greatest common divisor by subtraction, a step a clock; one at a time. */
#ifndef TEST_GCD_H
#define TEST_GCD_H

#include "hls.h"

enum gcd_at { GCD_IDLE, GCD_RUN };

struct gcd_in {
    u1 valid;
    u16 a, b;
};
struct gcd_out {
    u1 ready, done;
    u16 result;
};
struct gcd {
    struct gcd_out out;
    enum gcd_at at;
    u16 a, b;
};

HLS_RESET void gcd_reset(struct gcd *self);
HLS_MODULE void gcd(struct gcd *self, const struct gcd_in *in);

#endif
