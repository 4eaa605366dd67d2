// SPDX-License-Identifier: Apache-2.0
/*
 * nic_ce.c - reductions by a table of thirteen operations, each of two widths, over host integers, floats and doubles.
 */
#include "tb/golden/nic/nic_ce.h"
#include "tb/golden/nic/nic_number.h"

#include <fenv.h>
#include <math.h>

enum kind { AND, OR, XOR, LEAST, GREATEST, SUM };
enum number { INTEGER, FLOATING };
enum index { NO_INDEX, LOWEST, HIGHEST };

static const struct operation {
    unsigned code; /* of 32 bits; one more: of 64 */
    enum kind kind;
    enum number number;
    enum index index;
    const char *name[2];
} operations[] = {
    {0x00, AND, INTEGER, NO_INDEX, {"AND_32", "AND_64"}},
    {0x02, OR, INTEGER, NO_INDEX, {"OR_32", "OR_64"}},
    {0x04, XOR, INTEGER, NO_INDEX, {"XOR_32", "XOR_64"}},
    {0x10, LEAST, INTEGER, LOWEST, {"IMIN_LIDX_32", "IMIN_LIDX_64"}},
    {0x12, GREATEST, INTEGER, LOWEST, {"IMAX_LIDX_32", "IMAX_LIDX_64"}},
    {0x30, LEAST, INTEGER, HIGHEST, {"IMIN_GIDX_32", "IMIN_GIDX_64"}},
    {0x32, GREATEST, INTEGER, HIGHEST, {"IMAX_GIDX_32", "IMAX_GIDX_64"}},
    {0x14, SUM, INTEGER, NO_INDEX, {"IADD_32", "IADD_64"}},
    {0x18, LEAST, FLOATING, LOWEST, {"FPMIN_LIDX_32", "FPMIN_LIDX_64"}},
    {0x1A, GREATEST, FLOATING, LOWEST, {"FPMAX_LIDX_32", "FPMAX_LIDX_64"}},
    {0x38, LEAST, FLOATING, HIGHEST, {"FPMIN_GIDX_32", "FPMIN_GIDX_64"}},
    {0x3A, GREATEST, FLOATING, HIGHEST, {"FPMAX_GIDX_32", "FPMAX_GIDX_64"}},
    {0x1C, SUM, FLOATING, NO_INDEX, {"FPADD_32", "FPADD_64"}},
};

static const struct operation *operation_of(unsigned code)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (operations[i].code == (code & ~1u)) {
            return &operations[i];
        }
    }
    return NULL;
}

bool gn_ce_exists(unsigned operation)
{
    return operation_of(operation) != NULL;
}

const char *gn_ce_name(unsigned operation)
{
    const struct operation *o = operation_of(operation);

    return o == NULL ? "none" : o->name[operation & 1];
}

/* ---- numbers ------------------------------------------------------------------------------------- */

static bool is_nan(uint64_t bits, bool wide)
{
    return wide ? isnan(double_of(bits)) : isnan(float_of(bits));
}

/* A NaN whose first fraction bit is 0. */
static bool signals(uint64_t bits, bool wide)
{
    return is_nan(bits, wide) && (bits >> (wide ? 51 : 22) & 1) == 0;
}

static uint64_t quiet_nan(bool wide)
{
    return wide ? UINT64_C(0x7FF8) << 48 : UINT64_C(0x7FC00000);
}

static unsigned exceptions_of_host(void)
{
    const int raised = fetestexcept(FE_ALL_EXCEPT);

    return (raised & FE_INVALID ? GN_CE_INVALID : 0u) |
           (raised & FE_OVERFLOW ? GN_CE_OVERFLOW : 0u) |
           (raised & FE_UNDERFLOW ? GN_CE_UNDERFLOW : 0u) |
           (raised & FE_INEXACT ? GN_CE_INEXACT : 0u);
}

/*
 * Compilers take it for granted that rounding never changes and flags are never read. What is volatile is neither computed by them nor
 * moved over the calls.
 */
static uint64_t add_floating(bool wide, unsigned rounding, uint64_t x, uint64_t y,
                             unsigned *exceptions)
{
    static const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile double a = 0, b = 0, sum = 0;
    volatile float fa = 0, fb = 0, fsum = 0;
    uint64_t bits;

    if (wide) {
        a = double_of(x);
        b = double_of(y);
    } else {
        fa = float_of(x);
        fb = float_of(y);
    }
    fesetround(ways[rounding]);
    feclearexcept(FE_ALL_EXCEPT);
    if (wide) {
        sum = a + b;
    } else {
        fsum = fa + fb;
    }
    *exceptions |= exceptions_of_host();
    fesetround(FE_TONEAREST);
    bits = wide ? bits_of_double(sum) : bits_of_float(fsum);
    return is_nan(bits, wide) ? quiet_nan(wide) : bits;
}

/* ---- minimum and maximum -------------------------------------------------------------------------- */

/* -1, 0, 1: x is less than, as, greater than y; -0 is less than +0. No NaNs. */
static int compare(const struct operation *o, bool wide, uint64_t x, uint64_t y)
{
    if (o->number == INTEGER) {
        const int64_t a = wide ? (int64_t)x : (int32_t)(uint32_t)x;
        const int64_t b = wide ? (int64_t)y : (int32_t)(uint32_t)y;

        return (a > b) - (a < b);
    }

    const double a = wide ? double_of(x) : (double)float_of(x);
    const double b = wide ? double_of(y) : (double)float_of(y);

    return a != b ? (a > b) - (a < b) : !!signbit(b) - !!signbit(a);
}

/* The better one of both; a NaN is worse than any number, and two NaNs are as good. */
static struct gn_ce_value better(const struct operation *o, bool wide, struct gn_ce_value x,
                                 struct gn_ce_value y)
{
    const bool floating = o->number == FLOATING;
    const bool x_nan = floating && is_nan(x.first, wide), y_nan = floating && is_nan(y.first, wide);
    const bool x_index = o->index == LOWEST ? x.second <= y.second : x.second >= y.second;
    struct gn_ce_value best;
    int order = x_nan == y_nan ? 0 : x_nan ? -1 : 1;

    if (!x_nan && !y_nan) {
        order = o->kind == GREATEST ? compare(o, wide, x.first, y.first)
                                    : compare(o, wide, y.first, x.first);
    }
    best = order > 0 || (order == 0 && x_index) ? x : y;
    if (x_nan && y_nan) {
        best.first = quiet_nan(wide);
    }
    best.exceptions = x.exceptions | y.exceptions;
    if (floating && (signals(x.first, wide) || signals(y.first, wide))) {
        best.exceptions |= GN_CE_INVALID;
    }
    return best;
}

/* ---- together ------------------------------------------------------------------------------------ */

static uint64_t combine(const struct operation *o, bool wide, unsigned rounding, uint64_t x,
                        uint64_t y, unsigned *exceptions)
{
    switch (o->kind) {
    case AND:
        return x & y;
    case OR:
        return x | y;
    case XOR:
        return x ^ y;
    default:
        return o->number == FLOATING ? add_floating(wide, rounding, x, y, exceptions)
                                     : (wide ? x + y : (uint32_t)(x + y));
    }
}

static struct gn_ce_value in_width(struct gn_ce_value x, bool wide)
{
    return (struct gn_ce_value){
        .first = wide ? x.first : (uint32_t)x.first,
        .second = wide ? x.second : (uint32_t)x.second,
        .exceptions = x.exceptions,
    };
}

struct gn_ce_value gn_ce_fold(unsigned operation, unsigned rounding,
                              const struct gn_ce_value *children, size_t n)
{
    const struct operation *o = operation_of(operation);
    const bool wide = operation & 1;
    struct gn_ce_value all = in_width(children[0], wide);

    for (size_t i = 1; i < n; i++) {
        const struct gn_ce_value x = in_width(children[i], wide);

        if (o->index != NO_INDEX) {
            all = better(o, wide, all, x);
            continue;
        }
        all.exceptions |= x.exceptions;
        all.first = combine(o, wide, rounding, all.first, x.first, &all.exceptions);
        all.second = combine(o, wide, rounding, all.second, x.second, &all.exceptions);
    }
    return all;
}
