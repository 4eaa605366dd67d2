// SPDX-License-Identifier: Apache-2.0
/*
 * amo_fp.h - ports and registers of the adder of floating-point numbers of 32 and 64 bits.
 */
#ifndef AMO_FP_H
#define AMO_FP_H

#include "hls.h"

/* Of a sum that is no number of its width. */
enum amo_fp_rounding {
    AMO_FP_NEAREST, /* of two that are as near, the even one */
    AMO_FP_UP,
    AMO_FP_DOWN,
    AMO_FP_ZERO,
};

/* Of IEEE 754. A sum never underflows: one that is less than the least normal number is exact. */
enum amo_fp_exception { AMO_FP_INVALID = 1, AMO_FP_OVERFLOW = 2, AMO_FP_INEXACT = 8 };

struct amo_fp_in {
    u1 valid;
    u1 wide;     /* 64 bits, else 32: in the low halves, whatever is above */
    u2 rounding; /* an enum amo_fp_rounding */
    u64 m;
    u64 a;
};

struct amo_fp_out {
    u1 done; /* what was valid four clocks ago */
    u64 sum; /* 32 bits: in the low half, 0 above */
    u4 exceptions;
};

/* What goes along with a sum through all stages. */
struct amo_fp_kind {
    u1 wide;
    u2 rounding;
    u1 sign;      /* of the greater operand */
    u1 unlike;    /* signs */
    u11 exponent; /* the greater operand's, and what becomes of it */
    u1 signals;   /* an operand is a NaN that is not quiet */
};

/* The operands, {1 or 0, fraction}, the greater one first. */
struct amo_fp_aligned {
    u1 valid;
    struct amo_fp_kind kind;
    u1 same; /* exponents */
    u53 greater;
    u55 lesser; /* shifted, two more bits below; inverted if the signs are unlike */
    u1 lost;    /* of the lesser one, below: not 0 */
};

struct amo_fp_added {
    u1 valid;
    struct amo_fp_kind kind;
    u1 infinite; /* an operand is infinity or a NaN */
    u1 nan;
    u1 invalid; /* infinities of unlike signs */
    u1 zero;
    u6 leading; /* zeros of sum */
    u56 sum;    /* {carry, 1 or 0, fraction, two bits more} */
    u1 lost;
};

struct amo_fp_normal {
    u1 valid;
    struct amo_fp_kind
        kind; /* its exponent: less one, and 0 for what is below 1.0 of the least exponent */
    u1 infinite;
    u1 nan;
    u1 invalid;
    u1 zero;
    u54 sum; /* {1 or 0, fraction 52, a bit more} */
    u1 rest; /* of what is cut off, all but its first bit: not 0 */
};

struct amo_fp {
    struct amo_fp_out out;
    struct amo_fp_aligned aligned;
    struct amo_fp_added added;
    struct amo_fp_normal normal;
};

HLS_RESET void amo_fp_reset(struct amo_fp *self);
HLS_MODULE void amo_fp(struct amo_fp *self, const struct amo_fp_in *in);

#endif
