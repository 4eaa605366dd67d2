// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_amo.c - the golden model of atomic operations against what was worked out by hand: which opcodes there are,
 * constants of every base in both widths, the order of integers and numbers, sums in four roundings.
 *
 * Sums at random are checked without a change of rounding: how far the nearest sum is off can be computed exactly, and
 * so its sign says which neighbour another rounding takes.
 *
 * Built for aries: c11.
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tb/base/harness.h"
#include "tb/golden/nic/nic_amo.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    WIDE = 0x01, /* bits of an opcode of the second generation */
    CACHED = 0x20,
    /* its opcodes of 32 bits, not cached */
    IMIN = 0x50,
    IMAX = 0x52,
    FPMIN = 0x58,
    FPMAX = 0x5A,
    FPADD = 0x5C,
    ROUNDINGS = 4,
    OPCODES = 128,
};

static const char *const rounding_names[ROUNDINGS] = {"nearest", "up", "down", "zero"};

/* ---- opcodes ------------------------------------------------------------------------------------- */

/* Bit i of word w: opcode 32 w + i. */
static const uint32_t fetching[4] = {0x3F003F00, 0, 0x3F3F0FFF, 0x3F3F0FFF};
static const uint32_t not_fetching[4] = {0x1F001F00, 0, 0x3F3F0FFF, 0x3F3F0FFF};
static const uint32_t wide[4] = {0x3F003F00, 0, 0xAAAAAAAA, 0xAAAAAAAA};
static const uint32_t two_operands[4] = {0x30003000, 0, 0x00000F00, 0x00000F00};
static const uint32_t cached[4] = {0x3F000000, 0, 0, 0xFFFFFFFF};

static bool bit(const uint32_t *words, unsigned opcode)
{
    return words[opcode / 32] >> opcode % 32 & 1;
}

/* The opcodes from first to last that exist, in both generations of a command. */
static unsigned existing(unsigned first, unsigned last, bool fetch)
{
    unsigned sum = 0;

    for (unsigned opcode = first; opcode <= last; opcode++) {
        sum += gn_amo_of(opcode, fetch).exists;
    }
    return sum;
}

static bool means_what_it_should(unsigned opcode, bool fetch)
{
    const struct gn_amo is = gn_amo_of(opcode, fetch);

    if (opcode >= OPCODES || !bit(fetch ? fetching : not_fetching, opcode)) {
        return !is.exists && !is.wide && !is.two_operands && !is.cached;
    }
    return is.exists && is.wide == bit(wide, opcode) &&
           is.two_operands == bit(two_operands, opcode) && is.cached == bit(cached, opcode);
}

static void opcodes(void)
{
    const unsigned second = existing(0x40, 0x7F, true) + existing(0x40, 0x7F, false);
    const unsigned first = existing(0x00, 0x3F, true), plain = existing(0x00, 0x3F, false);
    unsigned wrong = 0, changed = 0;

    for (unsigned opcode = 0; opcode < 4 * OPCODES; opcode++) {
        for (unsigned fetch = 0; fetch < 2; fetch++) {
            if (!means_what_it_should(opcode, fetch)) {
                wrong++;
                tap_why("opcode %02X, fetch %u", opcode, fetch);
            }
        }
        changed += (opcode >= OPCODES || !bit(fetching, opcode)) &&
                   gn_amo_apply(opcode, GN_NEAREST, UINT64_MAX - 1, 5, 6) != UINT64_MAX - 1;
    }
    tap_ok(wrong == 0, "opcodes: each exists or does not, and means what it should");
    tap_ok(second == 96 && first == 12 && plain == 10 && second + first + plain == 118,
           "opcodes: %u of the second generation, of the first %u fetching and %u not", second,
           first, plain);
    tap_ok(changed == 0, "opcodes: one that does not exist leaves the variable as it is");
}

static void aliases(struct rng *rng)
{
    static const unsigned pairs[][2] = {
        {0x08, 0x55}, {0x09, 0x41}, {0x0A, 0x43}, {0x0B, 0x45}, {0x0C, 0x49}, {0x0D, 0x4B},
        {0x18, 0x75}, {0x19, 0x61}, {0x1A, 0x63}, {0x1B, 0x65}, {0x1C, 0x69}, {0x1D, 0x6B},
    };
    unsigned wrong = 0;

    for (unsigned n = 0; n < 10000 * COUNT(pairs); n++) {
        const unsigned *pair = pairs[n % COUNT(pairs)];
        const uint64_t m = rng_next(rng), b = rng_next(rng);
        const uint64_t a = rng_below(rng, 2) ? m : rng_next(rng);
        const enum gn_rounding rounding = rng_below(rng, ROUNDINGS);

        if (gn_amo_apply(pair[0], rounding, m, a, b) != gn_amo_apply(pair[1], rounding, m, a, b)) {
            wrong++;
            tap_why("%02X is not %02X: %016" PRIx64 ", %016" PRIx64 ", %016" PRIx64, pair[0],
                    pair[1], m, a, b);
        }
    }
    tap_ok(wrong == 0, "first generation: each of %zu opcodes does what its alias does",
           COUNT(pairs));
}

/* ---- by hand ------------------------------------------------------------------------------------- */

/* An opcode that is not cached makes m to want; so does the cached one, whatever stands above 32 bits. */
static bool makes(unsigned opcode, enum gn_rounding rounding, uint64_t m, uint64_t a, uint64_t b,
                  uint64_t want)
{
    static const uint64_t above[2][3] = {
        {0, 0, 0},
        {UINT64_C(0x7FF8DEAD) << 32, UINT64_C(0xFFFFFFFF) << 32, UINT64_C(0x12345678) << 32}};

    for (unsigned i = 0; i < (opcode & WIDE ? 1 : COUNT(above)); i++) {
        for (unsigned cache = 0; cache <= CACHED; cache += CACHED) {
            const uint64_t got = gn_amo_apply(opcode | cache, rounding, m | above[i][0],
                                              a | above[i][1], b | above[i][2]);

            if (got != want) {
                tap_why("%02X, %s: %016" PRIx64 ", %016" PRIx64 ", %016" PRIx64 " -> %016" PRIx64
                        ", not %016" PRIx64,
                        opcode | cache, rounding_names[rounding], m, a, b, got, want);
                return false;
            }
        }
    }
    return true;
}

/* The same in every rounding. */
static bool always_makes(unsigned opcode, uint64_t m, uint64_t a, uint64_t b, uint64_t want)
{
    for (unsigned r = 0; r < ROUNDINGS; r++) {
        if (!makes(opcode, (enum gn_rounding)r, m, a, b, want)) {
            return false;
        }
    }
    return true;
}

struct row {
    unsigned opcode;
    uint64_t m, a, b, want;
};

/* Where one operand counts, b is something that must not. */
static const struct row rows[] = {
    /* AND, OR, XOR */
    {0x40, 0xF0F0F0F0, 0xFF00FF00, 0x33333333, 0xF000F000},
    {0x41, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0x33333333, 0xF000F000F000F000},
    {0x42, 0xF0F0F0F0, 0xFF00FF00, 0x0F0F0F0F, 0xFFF0FFF0},
    {0x43, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0x0F0F0F0F, 0xFFF0FFF0FFF0FFF0},
    {0x44, 0xF0F0F0F0, 0xFF00FF00, 0x33333333, 0x0FF00FF0},
    {0x45, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0x33333333, 0x0FF00FF00FF00FF0},
    /* SWAP */
    {0x46, 0x12345678, 0x9ABCDEF0, 0x33333333, 0x9ABCDEF0},
    {0x47, 0x123456789ABCDEF0, 0xFEDCBA9876543210, 0x33333333, 0xFEDCBA9876543210},
    /* AX */
    {0x48, 0xF0F0F0F0, 0xFF00FF00, 0x3C3C3C3C, 0xCC3CCC3C},
    {0x49, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0x3C3C3C3C3C3C3C3C, 0xCC3CCC3CCC3CCC3C},
    /* CSWAP */
    {0x4A, 0x89ABCDEF, 0x89ABCDEF, 0x01234567, 0x01234567},
    {0x4A, 0x89ABCDEF, 0x09ABCDEF, 0x01234567, 0x89ABCDEF},
    {0x4A, 0x89ABCDEF, 0x89ABCDEE, 0x01234567, 0x89ABCDEF},
    {0x4A, 0x00000000, 0x80000000, 0x01234567, 0x00000000}, /* bits, not numbers: -0 is not +0 */
    {0x4A, 0x7FC00000, 0x7FC00000, 0x01234567, 0x01234567}, /* and a NaN is itself */
    {0x4B, 0x89ABCDEF01234567, 0x89ABCDEF01234567, 0xFEDCBA9876543210, 0xFEDCBA9876543210},
    {0x4B, 0x89ABCDEF01234567, 0x09ABCDEF01234567, 0xFEDCBA9876543210, 0x89ABCDEF01234567},
    {0x4B, 0x89ABCDEF01234567, 0x89ABCDEF01234566, 0xFEDCBA9876543210, 0x89ABCDEF01234567},
    /* IMIN, IMAX */
    {0x50, 0x80000000, 0x7FFFFFFF, 0x80000000, 0x80000000},
    {0x50, 0x00000005, 0xFFFFFFFB, 0x80000000, 0xFFFFFFFB},
    {0x51, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0, 0x8000000000000000},
    {0x51, 0x0000000000000005, 0x00000000FFFFFFFB, 0, 0x0000000000000005},
    {0x52, 0x80000000, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF},
    {0x52, 0x00000005, 0xFFFFFFFB, 0x7FFFFFFF, 0x00000005},
    {0x53, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0, 0x7FFFFFFFFFFFFFFF},
    {0x53, 0x0000000000000005, 0x00000000FFFFFFFB, 0, 0x00000000FFFFFFFB},
    /* IADD */
    {0x54, 0xFFFFFFFF, 0x00000001, 0x33333333, 0x00000000},
    {0x54, 0x7FFFFFFF, 0x00000001, 0x33333333, 0x80000000},
    {0x54, 0x80000000, 0xFFFFFFFF, 0x33333333, 0x7FFFFFFF},
    {0x55, 0x00000000FFFFFFFF, 0x0000000000000001, 0x33333333, 0x0000000100000000},
    {0x55, 0xFFFFFFFFFFFFFFFF, 0x0000000000000001, 0x33333333, 0x0000000000000000},
    {0x55, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x33333333, 0x7FFFFFFFFFFFFFFF},
    /* FPMIN, FPMAX: 1.5 and -2.5; -0 and +0 */
    {0x58, 0x3FC00000, 0xC0200000, 0xFF800000, 0xC0200000},
    {0x58, 0x00000000, 0x80000000, 0xFF800000, 0x80000000},
    {0x59, 0x3FF8000000000000, 0xC004000000000000, 0, 0xC004000000000000},
    {0x59, 0x0000000000000000, 0x8000000000000000, 0, 0x8000000000000000},
    {0x5A, 0x3FC00000, 0xC0200000, 0x7F800000, 0x3FC00000},
    {0x5A, 0x80000000, 0x00000000, 0x7F800000, 0x00000000},
    {0x5B, 0x3FF8000000000000, 0xC004000000000000, 0, 0x3FF8000000000000},
    {0x5B, 0x8000000000000000, 0x0000000000000000, 0, 0x0000000000000000},
};

static void constants(unsigned opcode)
{
    unsigned found = 0, right = 0;

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];

        if (row->opcode == opcode) {
            found++;
            right += always_makes(opcode, row->m, row->a, row->b, row->want);
        }
    }
    tap_ok(found > 0 && right == found, "opcode %02X: by hand (%u)", opcode, found);
}

/* ---- order --------------------------------------------------------------------------------------- */

/* From the least to the greatest. */
static const uint64_t integers32[] = {0x80000000, 0x80000001, 0xFFFFFFFF, 0, 1, 0x7FFFFFFF};
static const uint64_t integers64[] = {
    0x8000000000000000, 0x8000000000000001, 0xFFFFFFFFFFFFFFFF, 0, 1, 0x7FFFFFFFFFFFFFFF};
static const uint64_t numbers32[] = {
    0xFF800000, 0xFF7FFFFF, 0xBF800001, 0xBF800000, 0x80800000, 0x807FFFFF, 0x80000001, 0x80000000,
    0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x3F800000, 0x3F800001, 0x7F7FFFFF, 0x7F800000,
};
static const uint64_t numbers64[] = {
    0xFFF0000000000000, 0xFFEFFFFFFFFFFFFF, 0xBFF0000000000001, 0xBFF0000000000000,
    0x8010000000000000, 0x800FFFFFFFFFFFFF, 0x8000000000000001, 0x8000000000000000,
    0x0000000000000000, 0x0000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000,
    0x3FF0000000000000, 0x3FF0000000000001, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000,
};

static void order(const char *what, unsigned least, unsigned greatest, const uint64_t *value,
                  size_t values)
{
    bool right = true;

    for (size_t j = 0; j < values; j++) {
        for (size_t i = 0; i <= j; i++) {
            right = right && always_makes(least, value[i], value[j], 0, value[i]) &&
                    always_makes(least, value[j], value[i], 0, value[i]) &&
                    always_makes(greatest, value[i], value[j], 0, value[j]) &&
                    always_makes(greatest, value[j], value[i], 0, value[j]);
        }
    }
    tap_ok(right, "%s: least and greatest of each two of %zu", what, values);
}

/* Quiet and signalling, of both signs; the first is what comes out. */
static const uint64_t nans32[] = {0x7FC00000, 0x7F800001, 0x7FBFFFFF, 0x7FFFFFFF,
                                  0xFFC00000, 0xFF800001, 0xFFC12345, 0xFFFFFFFF};
static const uint64_t nans64[] = {0x7FF8000000000000, 0x7FF0000000000001, 0x7FF7FFFFFFFFFFFF,
                                  0x7FFFFFFFFFFFFFFF, 0xFFF8000000000000, 0xFFF0000000000001,
                                  0xFFF8000012345678, 0xFFFFFFFFFFFFFFFF};

/* A NaN and x, either of them the variable, make want. */
static bool with_nan(unsigned opcode, uint64_t nan, uint64_t x, uint64_t want)
{
    return always_makes(opcode, nan, x, 0, want) && always_makes(opcode, x, nan, 0, want);
}

static void nans(const char *what, unsigned width, const uint64_t *nan, size_t count,
                 const uint64_t *number, size_t numbers)
{
    bool beaten = true, both = true, sums = true;

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < numbers; j++) {
            beaten = beaten && with_nan(FPMIN | width, nan[i], number[j], number[j]) &&
                     with_nan(FPMAX | width, nan[i], number[j], number[j]);
            sums = sums && with_nan(FPADD | width, nan[i], number[j], nan[0]);
        }
        for (size_t j = 0; j < count; j++) {
            both = both && with_nan(FPMIN | width, nan[i], nan[j], nan[0]) &&
                   with_nan(FPMAX | width, nan[i], nan[j], nan[0]);
            sums = sums && with_nan(FPADD | width, nan[i], nan[j], nan[0]);
        }
    }
    tap_ok(beaten, "%s: a number beats a NaN", what);
    tap_ok(both, "%s: the least and the greatest of two NaNs are one quiet NaN", what);
    tap_ok(sums, "%s: a sum with a NaN is one quiet NaN", what);
}

/* ---- sums ---------------------------------------------------------------------------------------- */

struct sum {
    const char *what;
    uint64_t m, a;
    uint64_t want[ROUNDINGS];
};

static const struct sum sums32[] = {
    {"1.5 + 1.5", 0x3FC00000, 0x3FC00000, {0x40400000, 0x40400000, 0x40400000, 0x40400000}},
    {"1 + 2^-60", 0x3F800000, 0x21800000, {0x3F800000, 0x3F800001, 0x3F800000, 0x3F800000}},
    {"1 - 2^-60", 0x3F800000, 0xA1800000, {0x3F800000, 0x3F800000, 0x3F7FFFFF, 0x3F7FFFFF}},
    {"-1 - 2^-60", 0xBF800000, 0xA1800000, {0xBF800000, 0xBF800000, 0xBF800001, 0xBF800000}},
    {"-1 + 2^-60", 0xBF800000, 0x21800000, {0xBF800000, 0xBF7FFFFF, 0xBF800000, 0xBF7FFFFF}},
    {"tie to even 1", 0x3F800000, 0x33800000, {0x3F800000, 0x3F800001, 0x3F800000, 0x3F800000}},
    {"tie from odd", 0x3F800001, 0x33800000, {0x3F800002, 0x3F800002, 0x3F800001, 0x3F800001}},
    {"above a tie", 0x3F800000, 0x33800001, {0x3F800001, 0x3F800001, 0x3F800000, 0x3F800000}},
    {"+0 + +0", 0x00000000, 0x00000000, {0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"+0 + -0", 0x00000000, 0x80000000, {0x00000000, 0x00000000, 0x80000000, 0x00000000}},
    {"-0 + +0", 0x80000000, 0x00000000, {0x00000000, 0x00000000, 0x80000000, 0x00000000}},
    {"-0 + -0", 0x80000000, 0x80000000, {0x80000000, 0x80000000, 0x80000000, 0x80000000}},
    {"1 - 1", 0x3F800000, 0xBF800000, {0x00000000, 0x00000000, 0x80000000, 0x00000000}},
    {"-0 + denormal", 0x80000000, 0x00000001, {0x00000001, 0x00000001, 0x00000001, 0x00000001}},
    {"least + least", 0x00000001, 0x00000001, {0x00000002, 0x00000002, 0x00000002, 0x00000002}},
    {"least - least", 0x00000001, 0x80000001, {0x00000000, 0x00000000, 0x80000000, 0x00000000}},
    {"to normal", 0x007FFFFF, 0x00000001, {0x00800000, 0x00800000, 0x00800000, 0x00800000}},
    {"to denormal", 0x00800000, 0x80000001, {0x007FFFFF, 0x007FFFFF, 0x007FFFFF, 0x007FFFFF}},
    {"1 + least", 0x3F800000, 0x00000001, {0x3F800000, 0x3F800001, 0x3F800000, 0x3F800000}},
    {"most + most", 0x7F7FFFFF, 0x7F7FFFFF, {0x7F800000, 0x7F800000, 0x7F7FFFFF, 0x7F7FFFFF}},
    {"-most - most", 0xFF7FFFFF, 0xFF7FFFFF, {0xFF800000, 0xFF7FFFFF, 0xFF800000, 0xFF7FFFFF}},
    {"most + 1", 0x7F7FFFFF, 0x3F800000, {0x7F7FFFFF, 0x7F800000, 0x7F7FFFFF, 0x7F7FFFFF}},
    {"most + half", 0x7F7FFFFF, 0x73000000, {0x7F800000, 0x7F800000, 0x7F7FFFFF, 0x7F7FFFFF}},
    {"most + less", 0x7F7FFFFF, 0x72FFFFFF, {0x7F7FFFFF, 0x7F800000, 0x7F7FFFFF, 0x7F7FFFFF}},
    {"-most - half", 0xFF7FFFFF, 0xF3000000, {0xFF800000, 0xFF7FFFFF, 0xFF800000, 0xFF7FFFFF}},
    {"inf + inf", 0x7F800000, 0x7F800000, {0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000}},
    {"-inf + most", 0xFF800000, 0x7F7FFFFF, {0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000}},
    {"inf - inf", 0x7F800000, 0xFF800000, {0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000}},
    {"-inf + inf", 0xFF800000, 0x7F800000, {0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000}},
};

/* Mostly the same of 64 bits; S4: in all roundings. */
#define S4(x) {x, x, x, x}
#define ONE   0x3FF0000000000000
#define MOST  0x7FEFFFFFFFFFFFFF
#define INF   0x7FF0000000000000
#define NEG   0x8000000000000000

static const struct sum sums64[] = {
    {"1.5 + 1.5", 0x3FF8000000000000, 0x3FF8000000000000, S4(0x4008000000000000)},
    {"1 + 2^-60", ONE, 0x3C30000000000000, {ONE, ONE + 1, ONE, ONE}},
    {"1 - 2^-60", ONE, 0xBC30000000000000, {ONE, ONE, ONE - 1, ONE - 1}},
    {"-1 - 2^-60", NEG + ONE, 0xBC30000000000000, {NEG + ONE, NEG + ONE, NEG + ONE + 1, NEG + ONE}},
    {"-1 + 2^-60",
     NEG + ONE,
     0x3C30000000000000,
     {NEG + ONE, NEG + ONE - 1, NEG + ONE, NEG + ONE - 1}},
    {"tie to even 1", ONE, 0x3CA0000000000000, {ONE, ONE + 1, ONE, ONE}},
    {"tie from odd", ONE + 1, 0x3CA0000000000000, {ONE + 2, ONE + 2, ONE + 1, ONE + 1}},
    {"above a tie", ONE, 0x3CA0000000000001, {ONE + 1, ONE + 1, ONE, ONE}},
    {"+0 + +0", 0, 0, S4(0)},
    {"+0 + -0", 0, NEG, {0, 0, NEG, 0}},
    {"-0 + +0", NEG, 0, {0, 0, NEG, 0}},
    {"-0 + -0", NEG, NEG, S4(NEG)},
    {"1 - 1", ONE, NEG + ONE, {0, 0, NEG, 0}},
    {"-0 + denormal", NEG, 1, S4(1)},
    {"least + least", 1, 1, S4(2)},
    {"least - least", 1, NEG + 1, {0, 0, NEG, 0}},
    {"to normal", 0x000FFFFFFFFFFFFF, 1, S4(0x0010000000000000)},
    {"to denormal", 0x0010000000000000, NEG + 1, S4(0x000FFFFFFFFFFFFF)},
    {"1 + least", ONE, 1, {ONE, ONE + 1, ONE, ONE}},
    {"most + most", MOST, MOST, {INF, INF, MOST, MOST}},
    {"-most - most", NEG + MOST, NEG + MOST, {NEG + INF, NEG + MOST, NEG + INF, NEG + MOST}},
    {"most + 1", MOST, ONE, {MOST, INF, MOST, MOST}},
    {"most + half", MOST, 0x7C90000000000000, {INF, INF, MOST, MOST}},
    {"most + less", MOST, 0x7C8FFFFFFFFFFFFF, {MOST, INF, MOST, MOST}},
    {"-most - half",
     NEG + MOST,
     0xFC90000000000000,
     {NEG + INF, NEG + MOST, NEG + INF, NEG + MOST}},
    {"inf + inf", INF, INF, S4(INF)},
    {"-inf + most", NEG + INF, MOST, S4(NEG + INF)},
    {"inf - inf", INF, NEG + INF, S4(0x7FF8000000000000)},
    {"-inf + inf", NEG + INF, INF, S4(0x7FF8000000000000)},
};

static void sums_by_hand(unsigned opcode, const struct sum *sum, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool right = true;

        for (unsigned r = 0; r < ROUNDINGS; r++) {
            right = right &&
                    makes(opcode, (enum gn_rounding)r, sum[i].m, sum[i].a, NEG, sum[i].want[r]);
        }
        tap_ok(right, "opcode %02X: %s, four roundings", opcode, sum[i].what);
    }
}

/* The four sums, if the nearest is off by what has the sign of rest; its neighbours are above and below. */
static void by_rest(double rest, uint64_t nearest, uint64_t above, uint64_t below, bool negative,
                    uint64_t *want)
{
    want[GN_NEAREST] = nearest;
    want[GN_UP] = rest > 0 ? above : nearest;
    want[GN_DOWN] = rest < 0 ? below : nearest;
    want[GN_ZERO] = negative ? want[GN_UP] : want[GN_DOWN];
}

static uint64_t bits32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t bits64(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Floats whose exponents differ by 28 at most: a double holds their sum. False: it is 0. */
static bool sum_of_floats(float m, float a, uint64_t *want)
{
    const double exact = (double)m + (double)a;
    const float nearest = (float)exact;

    by_rest(exact - (double)nearest, bits32(nearest), bits32(nextafterf(nearest, INFINITY)),
            bits32(nextafterf(nearest, -INFINITY)), nearest < 0, want);
    return nearest != 0;
}

/* Doubles: what the sum is off by is itself a double (Knuth, TwoSum). */
static bool sum_of_doubles(double m, double a, uint64_t *want)
{
    const double nearest = m + a;
    const double of_a = nearest - m;
    const double rest = (m - (nearest - of_a)) + (a - of_a);

    by_rest(rest, bits64(nearest), bits64(nextafter(nearest, INFINITY)),
            bits64(nextafter(nearest, -INFINITY)), nearest < 0, want);
    return nearest != 0;
}

static float random_float(struct rng *rng, uint32_t exponent)
{
    const uint32_t bits = (uint32_t)(rng_next(rng) & 0x807FFFFF) | exponent << 23;
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static double random_double(struct rng *rng, uint64_t exponent)
{
    const uint64_t bits = (rng_next(rng) & 0x800FFFFFFFFFFFFF) | exponent << 52;
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Exponents of both operands, from that of denormals on: of a draw in four the lowest. */
static void random_exponents(struct rng *rng, unsigned highest, unsigned apart, unsigned *exponent)
{
    const unsigned base = rng_below(rng, rng_below(rng, 4) == 0 ? 3 : highest - apart + 1);

    exponent[0] = base + rng_below(rng, apart + 1);
    exponent[1] = base + rng_below(rng, apart + 1);
}

/* An m, an a and their four sums, none of which overflows. False: the sum is 0. */
static bool random_sum32(struct rng *rng, uint64_t *m, uint64_t *a, uint64_t *want)
{
    unsigned exponent[2];

    random_exponents(rng, 250, 28, exponent);
    const float x = random_float(rng, exponent[0]), y = random_float(rng, exponent[1]);

    *m = bits32(x);
    *a = bits32(y);
    return sum_of_floats(x, y, want);
}

static bool random_sum64(struct rng *rng, uint64_t *m, uint64_t *a, uint64_t *want)
{
    unsigned exponent[2];

    random_exponents(rng, 2040, 60, exponent);
    const double x = random_double(rng, exponent[0]), y = random_double(rng, exponent[1]);

    *m = bits64(x);
    *a = bits64(y);
    return sum_of_doubles(x, y, want);
}

static void sums_at_random(struct rng *rng, unsigned opcode)
{
    unsigned wrong = 0;

    for (unsigned n = 0; n < 200000; n++) {
        uint64_t m, a, want[ROUNDINGS];

        if ((opcode & WIDE ? random_sum64 : random_sum32)(rng, &m, &a, want)) {
            for (unsigned r = 0; r < ROUNDINGS; r++) {
                wrong += !makes(opcode, (enum gn_rounding)r, m, a, NEG, want[r]);
            }
        }
    }
    tap_ok(wrong == 0, "opcode %02X: sums at random, four roundings", opcode);
}

/* ---- the caller's rounding ----------------------------------------------------------------------- */

/* It is neither changed nor does it change a sum. */
static void callers_rounding(void)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    bool kept = true, equal = true;

    for (size_t i = 0; i < COUNT(modes); i++) {
        for (unsigned r = 0; r < ROUNDINGS; r++) {
            uint64_t got32, got64;

            fesetround(modes[i]);
            got32 = gn_amo_apply(FPADD, (enum gn_rounding)r, sums32[1].m, sums32[1].a, 0);
            kept = kept && fegetround() == modes[i];
            got64 = gn_amo_apply(FPADD | WIDE, (enum gn_rounding)r, sums64[1].m, sums64[1].a, 0);
            kept = kept && fegetround() == modes[i];
            equal = equal && got32 == sums32[1].want[r] && got64 == sums64[1].want[r];
        }
    }
    fesetround(FE_TONEAREST);
    tap_ok(kept, "the caller's rounding is as it was");
    tap_ok(equal, "the caller's rounding is not that of the sum");
}

int main(int argc, char **argv)
{
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    opcodes();
    aliases(&rng);
    for (unsigned opcode = 0x40; opcode < FPADD; opcode++) {
        if (bit(fetching, opcode)) {
            constants(opcode);
        }
    }
    order("integers of 32 bits", IMIN, IMAX, integers32, COUNT(integers32));
    order("integers of 64 bits", IMIN | WIDE, IMAX | WIDE, integers64, COUNT(integers64));
    order("binary32", FPMIN, FPMAX, numbers32, COUNT(numbers32));
    order("binary64", FPMIN | WIDE, FPMAX | WIDE, numbers64, COUNT(numbers64));
    nans("binary32", 0, nans32, COUNT(nans32), numbers32, COUNT(numbers32));
    nans("binary64", WIDE, nans64, COUNT(nans64), numbers64, COUNT(numbers64));
    sums_by_hand(FPADD, sums32, COUNT(sums32));
    sums_by_hand(FPADD | WIDE, sums64, COUNT(sums64));
    sums_at_random(&rng, FPADD);
    sums_at_random(&rng, FPADD | WIDE);
    callers_rounding();
    return tap_done();
}
