// SPDX-License-Identifier: Apache-2.0
/*
 * nic_amo.c - atomic operations as a table of twelve bases; numbers are compared and added by the host.
 */
#include "tb/golden/nic/nic_amo.h"
#include "tb/golden/nic/nic_number.h"

#include <fenv.h>
#include <math.h>

/* One operation; of 32-bit ones the high halves are 0. */
struct operands {
    bool wide;
    enum gn_rounding rounding;
    uint64_t m, a, b;
};

typedef uint64_t new_value(const struct operands *o);

/* ---- integers ------------------------------------------------------------------------------------ */

static uint64_t logic_and(const struct operands *o)
{
    return o->m & o->a;
}

static uint64_t logic_or(const struct operands *o)
{
    return o->m | o->a;
}

static uint64_t logic_xor(const struct operands *o)
{
    return o->m ^ o->a;
}

static uint64_t swap(const struct operands *o)
{
    return o->a;
}

static uint64_t and_xor(const struct operands *o)
{
    return (o->m & o->a) ^ o->b;
}

static uint64_t compare_swap(const struct operands *o)
{
    return o->m == o->a ? o->b : o->m;
}

static int64_t as_integer(const struct operands *o, uint64_t value)
{
    return o->wide ? (int64_t)value : (int32_t)(uint32_t)value;
}

static uint64_t integer_least(const struct operands *o)
{
    return as_integer(o, o->m) < as_integer(o, o->a) ? o->m : o->a;
}

static uint64_t integer_greatest(const struct operands *o)
{
    return as_integer(o, o->m) > as_integer(o, o->a) ? o->m : o->a;
}

static uint64_t integer_sum(const struct operands *o)
{
    return o->m + o->a;
}

/* ---- numbers ------------------------------------------------------------------------------------- */

/* The one NaN that comes out: quiet, of sign and payload 0. */
static uint64_t quiet_nan(const struct operands *o)
{
    return o->wide ? UINT64_C(0x7FF8000000000000) : UINT64_C(0x7FC00000);
}

/* Either width as a double, which each float is, denormal ones too. */
static double as_number(const struct operands *o, uint64_t value)
{
    return o->wide ? double_of(value) : (double)float_of(value);
}

/* x < y, where -0 < +0; neither is a NaN. */
static bool less(double x, double y)
{
    return x < y || (x == y && signbit(x) && !signbit(y));
}

static uint64_t number_least(const struct operands *o)
{
    const double m = as_number(o, o->m), a = as_number(o, o->a);

    if (isnan(m)) {
        return isnan(a) ? quiet_nan(o) : o->a;
    }
    return isnan(a) || less(m, a) ? o->m : o->a;
}

static uint64_t number_greatest(const struct operands *o)
{
    const double m = as_number(o, o->m), a = as_number(o, o->a);

    if (isnan(m)) {
        return isnan(a) ? quiet_nan(o) : o->a;
    }
    return isnan(a) || less(a, m) ? o->m : o->a;
}

/*
 * Compilers take it for granted that rounding never changes. What is volatile is neither computed by them nor moved over
 * a call, so the addition stays between the two calls that set the rounding.
 */
static float add_floats(float x, float y, int rounding)
{
    const int before = fegetround();
    volatile float m = x, a = y, sum;

    fesetround(rounding);
    sum = m + a;
    fesetround(before);
    return sum;
}

static double add_doubles(double x, double y, int rounding)
{
    const int before = fegetround();
    volatile double m = x, a = y, sum;

    fesetround(rounding);
    sum = m + a;
    fesetround(before);
    return sum;
}

static uint64_t number_sum(const struct operands *o)
{
    static const int roundings[] = {
        [GN_NEAREST] = FE_TONEAREST,
        [GN_UP] = FE_UPWARD,
        [GN_DOWN] = FE_DOWNWARD,
        [GN_ZERO] = FE_TOWARDZERO,
    };
    const int rounding = roundings[o->rounding];

    if (o->wide) {
        const double sum = add_doubles(double_of(o->m), double_of(o->a), rounding);

        return isnan(sum) ? quiet_nan(o) : bits_of_double(sum);
    }
    const float sum = add_floats(float_of(o->m), float_of(o->a), rounding);

    return isnan(sum) ? quiet_nan(o) : bits_of_float(sum);
}

/* ---- opcodes ------------------------------------------------------------------------------------- */

enum {
    OPCODES = 0x80,
    FIRST = 0x08,
    FIRST_CACHED = 0x10,
    SECOND = 0x40,
    SECOND_CACHED = 0x20,
    SECOND_WIDE = 0x01,
};

struct base {
    unsigned code;
    bool two_operands;
    new_value *value;
};

static const struct base bases[] = {
    {0x00, false, logic_and},     {0x02, false, logic_or},         {0x04, false, logic_xor},
    {0x06, false, swap},          {0x08, true, and_xor},           {0x0A, true, compare_swap},
    {0x10, false, integer_least}, {0x12, false, integer_greatest}, {0x14, false, integer_sum},
    {0x18, false, number_least},  {0x1A, false, number_greatest},  {0x1C, false, number_sum},
};

/* Of the first generation, from FIRST on: the bases whose aliases they are. */
static const struct {
    unsigned code;
    bool without_fetch; /* exists so, too */
} aliases[] = {
    {0x14, true},  /* ADD */
    {0x00, true},  /* AND */
    {0x02, true},  /* OR */
    {0x04, true},  /* XOR */
    {0x08, true},  /* AX */
    {0x0A, false}, /* CSWAP */
};

/* The opcode of the second generation that does the same; itself, or OPCODES: there is none. */
static unsigned in_second(unsigned opcode, bool fetch)
{
    const unsigned index = (opcode & ~(unsigned)FIRST_CACHED) - FIRST;

    if (opcode >= SECOND && opcode < OPCODES) {
        return opcode;
    }
    if (index >= sizeof aliases / sizeof *aliases || !(fetch || aliases[index].without_fetch)) {
        return OPCODES;
    }
    return SECOND + aliases[index].code + SECOND_WIDE + (opcode & FIRST_CACHED ? SECOND_CACHED : 0);
}

/* The base of an opcode of the second generation, or NULL. */
static const struct base *base_of(unsigned second)
{
    const unsigned code = second - (second & SECOND_WIDE) - (second & SECOND_CACHED) - SECOND;

    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (bases[i].code == code) {
            return &bases[i];
        }
    }
    return NULL;
}

struct gn_amo gn_amo_of(unsigned opcode, bool fetch)
{
    const unsigned second = in_second(opcode, fetch);
    const struct base *base = base_of(second);

    if (base == NULL) {
        return (struct gn_amo){.exists = false};
    }
    return (struct gn_amo){
        .exists = true,
        .wide = second & SECOND_WIDE,
        .two_operands = base->two_operands,
        .cached = second & SECOND_CACHED,
    };
}

uint64_t gn_amo_apply(unsigned opcode, enum gn_rounding rounding, uint64_t m, uint64_t a,
                      uint64_t b)
{
    const unsigned second = in_second(opcode, true);
    const struct base *base = base_of(second);
    const bool wide = second & SECOND_WIDE;
    const uint64_t counts = wide ? UINT64_MAX : UINT32_MAX;
    const struct operands o = {wide, rounding, m & counts, a & counts, b & counts};

    return base == NULL ? m : base->value(&o) & counts;
}
