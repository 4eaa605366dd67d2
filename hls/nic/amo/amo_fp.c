// SPDX-License-Identifier: Apache-2.0
/*
 * amo_fp.c - sums of floating-point numbers, IEEE 754-2008, of 32 and 64 bits in one adder; one per clock, four clocks.
 *
 *   align      the greater operand, by its bits but the sign, first; the lesser one's fraction shifted to the greater exponent
 *   add        sum or difference, never below 0; its leading zeros counted
 *   normalise  shifted up by as many, as far as the exponent goes
 *   round      up or not, overflow, infinity, NaN
 *
 * A fraction of 32 bits stands at the top of one of 64, and an exponent as it is, so that only round has to know of widths:
 * where the last bit is and which exponent is that of infinity. Denormal numbers have exponent 1 and no 1 before the fraction.
 */
#include "nic/amo/amo_fp.h"

enum { NARROW = 29 }; /* bits of a fraction of 64 that one of 32 does not have */

HLS_RESET void amo_fp_reset(struct amo_fp *self)
{
    *self = (struct amo_fp){};
}

/* ---- align --------------------------------------------------------------------------------------- */

struct operand {
    u1 sign;
    u11 exponent;
    u52 fraction;
};

static inline struct operand operand_of(u64 word, u1 wide)
{
    u52 above = (u52)((u52)(u23)word << NARROW);

    return (struct operand){
        .sign = wide ? (u1)(word >> 63) : (u1)(word >> 31),
        .exponent = wide ? (u11)(word >> 52) : (u11)(u8)(word >> 23),
        .fraction = wide ? (u52)word : above,
    };
}

static inline u63 magnitude(struct operand x)
{
    return (u63)(((u63)x.exponent << 52) | x.fraction);
}

/* {1 or 0, fraction} */
static inline u53 significand(struct operand x)
{
    return (u53)(((u53)(u1)(x.exponent != 0) << 52) | x.fraction);
}

/* Denormal numbers have that of the least normal ones. */
static inline u11 exponent_of(struct operand x)
{
    return (u11)(x.exponent | (u1)(x.exponent == 0));
}

static inline u11 infinity(u1 wide)
{
    return wide ? (u11)0x7FF : (u11)0xFF;
}

static inline u1 signals(struct operand x, u1 wide)
{
    return x.exponent == infinity(wide) && x.fraction != 0 && !(u1)(x.fraction >> 51);
}

struct shifted {
    u55 x;
    u1 lost; /* a 1 went out below */
};

static inline struct shifted shift_down(u55 x, u11 by)
{
    u1 beyond = (u5)(by >> 6) != 0;
    u1 lost = (u1)(beyond && x != 0);

    for (int k = 5; k >= 0; k--) {
        u55 below = (u55)(x & (((u55)1 << (1 << k)) - 1));
        u1 shifts = (u1)(by >> k);

        lost |= (u1)(shifts && below != 0);
        x = shifts ? (u55)(x >> (1 << k)) : x;
        x = k == 3 && beyond ? (u55)0 : x; /* not before: `beyond` is late */
    }
    return (struct shifted){.x = x, .lost = lost};
}

static inline struct amo_fp_aligned align(const struct amo_fp_in *in)
{
    struct operand m = operand_of(in->m, in->wide);
    struct operand a = operand_of(in->a, in->wide);
    u1 swap = magnitude(m) < magnitude(a);
    u11 m_exponent = exponent_of(m);
    u11 a_exponent = exponent_of(a);
    u11 apart = swap ? (u11)(a_exponent - m_exponent) : (u11)(m_exponent - a_exponent);
    u53 lesser = swap ? significand(m) : significand(a);
    u1 unlike = (u1)(m.sign ^ a.sign);
    struct shifted shifted = shift_down((u55)((u55)lesser << 2), apart);

    return (struct amo_fp_aligned){
        .valid = 1,
        .kind =
            {
                .wide = in->wide,
                .rounding = in->rounding,
                .sign = swap ? a.sign : m.sign,
                .unlike = unlike,
                .exponent = swap ? a_exponent : m_exponent,
                .signals = signals(m, in->wide) || signals(a, in->wide),
            },
        .same = apart == 0,
        .greater = swap ? significand(a) : significand(m),
        .lesser = unlike ? (u55)~shifted.x : shifted.x,
        .lost = shifted.lost,
    };
}

/* ---- add ----------------------------------------------------------------------------------------- */

/*
 * Zeros before the first 1 of x, which is not 0. Halves are put together to twice as large ones: where the upper half has
 * a 1 its count is that of both, else the lower one's and its own width. What is of a group stands at its lowest bit.
 */
static inline u6 leading_zeros(u64 x)
{
    u64 count[6];
    u6 result = 0;

    for (int j = 0; j < 6; j++) {
        u64 upper = (u64)(x >> (1 << j));

        for (int i = 0; i < j; i++) {
            count[i] = (u64)((upper & (count[i] >> (1 << j))) | (~upper & count[i]));
        }
        count[j] = (u64)~upper;
        x |= upper;
    }
    for (int i = 0; i < 6; i++) {
        result |= (u6)((u6)(u1)count[i] << i);
    }
    return result;
}

/* ~x + 1 is -x; what is lost of x takes the 1. */
static inline u56 add_aligned(const struct amo_fp_aligned *x)
{
    u1 one = (u1)(x->kind.unlike && !x->lost);
    u57 greater = (u57)(((u57)x->greater << 3) | 1);
    u57 lesser = (u57)(((u57)x->lesser << 1) | one);
    u56 sum = (u56)((u57)(greater + lesser) >> 1);

    return x->kind.unlike ? (u56)(u55)sum : sum;
}

static inline struct amo_fp_added add(const struct amo_fp_aligned *x)
{
    u56 sum = add_aligned(x);
    u1 infinite = x->kind.exponent == infinity(x->kind.wide);
    u1 a_nan = (u52)x->greater != 0; /* if infinite; a NaN is the greater one */
    u1 apart = x->kind.unlike && x->same;

    return (struct amo_fp_added){
        .valid = 1,
        .kind = x->kind,
        .infinite = infinite,
        .nan = (u1)(infinite && (a_nan || apart)),
        .invalid = (u1)(infinite && !a_nan && apart),
        .zero = sum == 0,
        .leading = leading_zeros((u64)((u64)sum << 8)),
        .sum = sum,
        .lost = x->lost,
    };
}

/* ---- normalise ----------------------------------------------------------------------------------- */

static inline u56 shift_up(u56 x, u6 by)
{
    for (int k = 5; k >= 0; k--) {
        x = (u1)(by >> k) ? (u56)(x << (1 << k)) : x;
    }
    return x;
}

static inline struct amo_fp_normal normalise(const struct amo_fp_added *x)
{
    struct amo_fp_kind kind = x->kind;
    u1 denormal = x->leading > kind.exponent;
    u6 by = denormal ? (u6)kind.exponent : x->leading;
    u56 sum = shift_up(x->sum, by);
    u1 below = (u1)(x->lost || (u2)sum != 0);
    u1 narrow_below = (u29)(sum >> 2) != 0;

    kind.exponent = x->zero ? (u11)0 : (u11)(kind.exponent - by);
    hls_cover(denormal && !x->zero);
    return (struct amo_fp_normal){
        .valid = 1,
        .kind = kind,
        .infinite = x->infinite,
        .nan = x->nan,
        .invalid = x->invalid,
        .zero = x->zero,
        .sum = (u54)(sum >> 2),
        .rest = (u1)(below || (!kind.wide && narrow_below)),
    };
}

/* ---- round --------------------------------------------------------------------------------------- */

/* Infinity, or the number next to it? The same as of two numbers, of which the greater one is further from zero. */
static inline u1 outwards(struct amo_fp_kind kind, u1 nearest)
{
    switch (kind.rounding) {
    case AMO_FP_NEAREST:
        return nearest;
    case AMO_FP_UP:
        return !kind.sign;
    case AMO_FP_DOWN:
        return kind.sign;
    default:
        return 0;
    }
}

/* Half of the last bit, which is cut off. */
static inline u1 half_of(const struct amo_fp_normal *x)
{
    return x->kind.wide ? (u1)x->sum : (u1)(x->sum >> NARROW);
}

/* What is added to the last bit. */
static inline u1 increment(const struct amo_fp_normal *x)
{
    u1 half = half_of(x);
    u1 last = x->kind.wide ? (u1)(x->sum >> 1) : (u1)(x->sum >> (NARROW + 1));

    return (u1)((half || x->rest) && outwards(x->kind, (u1)(half && (x->rest || last))));
}

/* {exponent, fraction}: what carries out of the fraction, and its 1 before, go into the exponent. */
static inline u63 rounded(const struct amo_fp_normal *x)
{
    u1 up = increment(x);
    u63 base = (u63)(((u63)x->kind.exponent << 52) | (u52)(x->sum >> 1));
    u63 wide_up = (u63)(x->kind.wide && up);
    u63 narrow_up = (u63)(!x->kind.wide && up);

    return (u63)(base + (u63)(((u63)(u1)(x->sum >> 53) << 52) | (narrow_up << NARROW) | wide_up));
}

static inline u64 word_of(u1 wide, u1 sign, u63 magnitude)
{
    u64 narrow = (u64)(((u32)sign << 31) | (u31)(magnitude >> NARROW));

    return wide ? (u64)(((u64)sign << 63) | magnitude) : narrow;
}

static inline u64 round_sum(const struct amo_fp_normal *x)
{
    struct amo_fp_kind kind = x->kind;
    u11 top = infinity(kind.wide);
    u63 value = rounded(x);
    u1 over = (u1)(x->infinite || (u11)(value >> 52) == top);
    u1 greatest = (u1)(over && !x->infinite && !outwards(kind, 1));
    u1 minus_zero = kind.unlike ? kind.rounding == AMO_FP_DOWN : kind.sign;
    u1 sign = (u1)(!x->nan && (x->zero ? minus_zero : kind.sign));
    u52 none = 0;
    u52 fraction = over ? (greatest ? (u52)~none : none) : (u52)value;
    u11 exponent = over ? (u11)(top ^ greatest) : (u11)(value >> 52);

    hls_cover(x->nan);
    hls_cover(greatest);
    hls_cover(over && !greatest && !x->infinite);
    fraction |= (u52)((u52)x->nan << 51);
    return word_of(kind.wide, sign, (u63)(((u63)exponent << 52) | fraction));
}

static inline u4 exceptions_of(const struct amo_fp_normal *x)
{
    u1 over = (u11)(rounded(x) >> 52) == infinity(x->kind.wide);
    u1 overflow = over && !x->infinite;
    u1 inexact = !x->infinite && (half_of(x) || x->rest || overflow);
    u1 invalid = x->invalid || x->kind.signals;

    return (u4)((invalid ? AMO_FP_INVALID : 0) | (overflow ? AMO_FP_OVERFLOW : 0) |
                (inexact ? AMO_FP_INEXACT : 0));
}

/* ---- together ------------------------------------------------------------------------------------ */

HLS_MODULE void amo_fp(struct amo_fp *self, const struct amo_fp_in *in)
{
    self->out.done = self->normal.valid;
    if (self->normal.valid) {
        self->out.sum = round_sum(&self->normal);
        self->out.exceptions = exceptions_of(&self->normal);
    }
    self->normal.valid = self->added.valid;
    if (self->added.valid) {
        self->normal = normalise(&self->added);
    }
    self->added.valid = self->aligned.valid;
    if (self->aligned.valid) {
        self->added = add(&self->aligned);
    }
    self->aligned.valid = in->valid;
    if (in->valid) {
        self->aligned = align(in);
    }
}
