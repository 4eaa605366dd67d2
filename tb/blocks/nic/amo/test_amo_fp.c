// SPDX-License-Identifier: Apache-2.0
/*
 * test_amo_fp.c - what atomic operations compute: amo_alu and amo_fp against the golden model.
 *
 * Every opcode with all pairs of 24 special values of its width and with random operands, sums in all four roundings;
 * what a 32-bit operation must not look at is random. Sums go into the adder one per clock, and with gaps, of both
 * widths and all roundings in turns.
 *
 * Built for aries: fast. Recorded for amo_fp.
 */
#include "nic/amo/amo_alu.h"
#include "nic/amo/amo_fp.h"
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_amo.h"

enum { OPCODES = 128, OF_BOTH = 118, ROUNDINGS = 4, STAGES = 4, RANDOM = 1000000 };

static const uint64_t special64[] = {
    0,                  /* +0 */
    0x8000000000000000, /* -0, the least integer */
    0x0000000000000001, /* denormal: the least and the greatest */
    0x000FFFFFFFFFFFFF,
    0x0010000000000000, /* normal: the least and the greatest, and their negatives */
    0x7FEFFFFFFFFFFFFF,
    0x8010000000000000,
    0xFFEFFFFFFFFFFFFF,
    0x3FF0000000000000, /* 1, and those beside it; -1 */
    0x3FF0000000000001,
    0x3FEFFFFFFFFFFFFF,
    0xBFF0000000000000,
    0x7FF0000000000000, /* infinities */
    0xFFF0000000000000,
    0x7FF8000000000000, /* NaNs, quiet and signalling */
    0xFFF8000000000001,
    0x7FF0000000000001,
    0x7FFFFFFFFFFFFFFF, /* the greatest integer, and -1, which are NaNs, too */
    0xFFFFFFFFFFFFFFFF,
    0x4330000000000000, /* 2^52, 2^53, -2^53, 2^-53, 2^-54 */
    0x4340000000000000,
    0xC340000000000000,
    0x3CA0000000000000,
    0x3C90000000000000,
};

/* The same of 32 bits; 2^23 and so on. */
static const uint64_t special32[] = {
    0,          0x80000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x80800000, 0xFF7FFFFF,
    0x3F800000, 0x3F800001, 0x3F7FFFFF, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001,
    0x7F800001, 0x7FFFFFFF, 0xFFFFFFFF, 0x4B000000, 0x4B800000, 0xCB800000, 0x33800000, 0x33000000,
};

enum { SPECIALS = sizeof special64 / sizeof *special64 };
_Static_assert(SPECIALS == 24 && sizeof special32 == sizeof special64, "as many of both");

/* An operation on its way through the adder. */
struct sum {
    bool valid;
    unsigned opcode, rounding;
    uint64_t m, a;
};

static struct amo_fp dut;
static struct rng rng;
static uint64_t now;
static struct sum on_way[STAGES];
static struct misses wrong;
static uint64_t compared, early;
static unsigned sums = RANDOM;

static void complain(unsigned opcode, unsigned rounding, uint64_t m, uint64_t a, uint64_t got,
                     uint64_t want)
{
    miss(&wrong, "opcode %02x rounding %u: %016llx, %016llx: %016llx, expected %016llx", opcode,
         rounding, (unsigned long long)m, (unsigned long long)a, (unsigned long long)got,
         (unsigned long long)want);
}

/* ---- operands ------------------------------------------------------------------------------------ */

/* A fraction of so many bits: any, or one with few ones or few zeros. */
static uint64_t some_fraction(unsigned bits)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1, any = rng_next(&rng) & mask;
    const uint64_t part = ((uint64_t)1 << rng_below(&rng, bits)) - 1;

    switch (rng_below(&rng, 6)) {
    case 0:
        return part;
    case 1:
        return mask & ~part;
    case 2:
        return any & part;
    case 3:
        return any & ~part;
    default:
        return any;
    }
}

/* An exponent beside another one, in the ways that matter to a sum; `most` is that of infinity. */
static uint64_t some_exponent(uint64_t beside, unsigned bits, uint64_t most)
{
    const uint64_t any = rng_next(&rng) & most;

    switch (rng_below(&rng, 8)) {
    case 0:
        return any;
    case 1: /* near denormal */
        return rng_below(&rng, 3);
    case 2: /* near overflow */
        return most - rng_below(&rng, 3);
    case 3: /* as far apart as the fraction is wide, and where a denormal sum begins */
        return (beside + bits - 1 + rng_below(&rng, 5)) & most;
    case 4:
        return rng_below(&rng, bits + 4);
    case 5:
        return (beside + rng_below(&rng, bits + 4)) & most;
    default:
        return (beside + rng_below(&rng, 3) - 1) & most;
    }
}

static void draw_numbers(bool wide, uint64_t *m, uint64_t *a)
{
    const unsigned bits = wide ? 52 : 23;
    const uint64_t most = wide ? 0x7FF : 0xFF, sign = (most + 1) << bits;
    const uint64_t first = some_exponent(rng_next(&rng) & most, bits, most);
    const uint64_t second = some_exponent(first, bits, most);
    const uint64_t x = first << bits | some_fraction(bits);
    const uint64_t signs = rng_next(&rng);
    uint64_t y = second << bits | some_fraction(bits);

    if (rng_below(&rng, 8) == 0) { /* what is left of equal ones, or nearly equal ones */
        y = (x ^ (rng_next(&rng) & rng_below(&rng, 4))) & (sign - 1);
    }
    *m = x | (signs & 1 ? sign : 0);
    *a = y | (signs & 2 ? sign : 0);
}

static void draw_integers(uint64_t *m, uint64_t *a)
{
    *m = rng_next(&rng);
    *a = rng_next(&rng);
    switch (rng_below(&rng, 8)) {
    case 0:
        *a = *m;
        break;
    case 1: /* one bit of 64 */
        *a = *m ^ (uint64_t)1 << rng_below(&rng, 64);
        break;
    case 2: /* the same low half */
        *a = (*a & ~(uint64_t)UINT32_MAX) | (*m & UINT32_MAX);
        break;
    case 3:
        *a = (*m & ~(uint64_t)UINT32_MAX) | (*a & UINT32_MAX);
        break;
    default:
        break;
    }
}

static unsigned base_of(unsigned opcode)
{
    return opcode >> 1 & 15;
}

static bool is_sum(unsigned opcode)
{
    return opcode >= 0x40 && base_of(opcode) == AMO_FPADD;
}

static bool is_floating(unsigned opcode)
{
    return opcode >= 0x40 && base_of(opcode) >= AMO_FPMIN;
}

static void draw(unsigned opcode, uint64_t *m, uint64_t *a)
{
    const bool wide = gn_amo_of(opcode, true).wide;

    if (!is_floating(opcode)) {
        draw_integers(m, a);
        return;
    }
    draw_numbers(wide, m, a);
    if (!wide) {
        *m |= rng_next(&rng) << 32;
        *a |= rng_next(&rng) << 32;
    }
}

/* ---- amo_alu ------------------------------------------------------------------------------------- */

static void check_alu(unsigned opcode, struct amo_code code, uint64_t m, uint64_t a)
{
    const uint64_t b = rng_next(&rng);
    const uint64_t got = amo_alu(code, m, a, b);
    const uint64_t want = gn_amo_apply(opcode, GN_NEAREST, m, a, b);

    compared++;
    if (got != want) {
        complain(opcode, 0, m, a, got, want);
    }
}

/* All but sums. */
static void test_alu(void)
{
    unsigned opcodes = 0, both = 0, meant = 0;

    for (unsigned opcode = 0; opcode < OPCODES; opcode++) {
        const struct gn_amo is = gn_amo_of(opcode, true);
        const struct amo_code code = amo_code_of((u7)opcode);

        both += is.exists + gn_amo_of(opcode, false).exists;
        meant += is.exists && (code.wide != is.wide || code.cached != is.cached);
        if (!is.exists || is_sum(opcode)) {
            continue;
        }
        opcodes++;
        for (unsigned i = 0; i < SPECIALS * SPECIALS; i++) {
            const uint64_t *special = is.wide ? special64 : special32;
            const uint64_t above = is.wide ? 0 : ~(uint64_t)UINT32_MAX;

            check_alu(opcode, code, special[i / SPECIALS] | (rng_next(&rng) & above),
                      special[i % SPECIALS] | (rng_next(&rng) & above));
        }
        for (unsigned i = 0; i < RANDOM; i++) {
            uint64_t m, a;

            draw(opcode, &m, &a);
            check_alu(opcode, code, m, a);
        }
    }
    tap_ok(both == OF_BOTH && meant == 0, "%u opcodes of both commands, widths and cached", both);
    tap_misses(&wrong, "amo_alu: %u opcodes, %llu values", opcodes, (unsigned long long)compared);
}

/* ---- amo_fp -------------------------------------------------------------------------------------- */

/* One clock: a sum goes in, or none; what went in three clocks ago is in `out` behind it. */
static void clock_fp(struct sum next)
{
    const struct amo_fp_in in = {
        .valid = next.valid,
        .wide = next.opcode & 1,
        .rounding = (u2)next.rounding,
        .m = next.m,
        .a = next.a,
    };

    for (unsigned i = STAGES - 1; i > 0; i--) {
        on_way[i] = on_way[i - 1];
    }
    on_way[0] = next;
    amo_fp(&dut, &in);
    now++;

    const struct sum *done = &on_way[STAGES - 1];

    early += dut.out.done != done->valid;
    if (done->valid) {
        const uint64_t want =
            gn_amo_apply(done->opcode, (enum gn_rounding)done->rounding, done->m, done->a, 0);

        compared++;
        if (dut.out.sum != want) {
            complain(done->opcode, done->rounding, done->m, done->a, dut.out.sum, want);
        }
    }
}

static void reset(void)
{
    amo_fp_reset(&dut);
    for (unsigned i = 0; i < STAGES; i++) {
        on_way[i] = (struct sum){};
    }
}

/* Clocks without a sum: in all that is there but `valid` there is something. */
static void rest(unsigned clocks)
{
    for (unsigned i = 0; i < clocks; i++) {
        clock_fp((struct sum){.opcode = rng_below(&rng, 2),
                              .rounding = rng_below(&rng, 4),
                              .m = rng_next(&rng),
                              .a = rng_next(&rng)});
    }
}

static unsigned some_sum(void)
{
    return 0x40 + 2 * AMO_FPADD + (rng_next(&rng) & 0x21);
}

static void test_specials(void)
{
    compared = 0;
    for (unsigned i = 0; i < SPECIALS * SPECIALS * ROUNDINGS * 2; i++) {
        const bool wide = i & 1;
        const uint64_t *special = wide ? special64 : special32;
        const unsigned pair = i / (2 * ROUNDINGS);
        const uint64_t above = wide ? 0 : ~(uint64_t)UINT32_MAX;

        clock_fp((struct sum){.valid = true,
                              .opcode = 0x40 + 2 * AMO_FPADD + wide,
                              .rounding = i / 2 % ROUNDINGS,
                              .m = special[pair / SPECIALS] | (rng_next(&rng) & above),
                              .a = special[pair % SPECIALS] | (rng_next(&rng) & above)});
    }
    rest(STAGES);
    must_equal(&wrong, early, 0, "sums that came early");
    tap_misses(&wrong, "amo_fp: pairs of %u special values, %llu sums", SPECIALS,
               (unsigned long long)compared);
}

/* So many sums of an opcode and a rounding, one per clock. */
static void test_rounding(bool wide, unsigned rounding)
{
    static const char *const names[ROUNDINGS] = {"nearest", "up", "down", "to zero"};
    const unsigned opcode = 0x40 + 2 * AMO_FPADD + wide;

    compared = 0;
    for (unsigned i = 0; i < sums; i++) {
        struct sum next = {.valid = true, .opcode = opcode, .rounding = rounding};

        draw(opcode, &next.m, &next.a);
        clock_fp(next);
    }
    rest(STAGES);
    must_equal(&wrong, early, 0, "sums that came early");
    tap_misses(&wrong, "amo_fp: %d bits, rounded %s, %llu sums", wide ? 64 : 32, names[rounding],
               (unsigned long long)compared);
}

/* Widths and roundings in turns, and gaps. */
static void test_turns(void)
{
    compared = 0;
    while (compared < sums) {
        struct sum next = {.valid = true, .opcode = some_sum(), .rounding = rng_below(&rng, 4)};

        draw(next.opcode, &next.m, &next.a);
        clock_fp(next);
        if (rng_below(&rng, 4) == 0) {
            rest(rng_below(&rng, 7));
        }
    }
    rest(STAGES);
    must_equal(&wrong, early, 0, "sums that came early");
    tap_misses(&wrong, "amo_fp: in turns and with gaps, %llu sums", (unsigned long long)compared);
}

static void test_reset(void)
{
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned k = rng_below(&rng, 6); k > 0; k--) {
            clock_fp((struct sum){.valid = true, .opcode = some_sum()});
        }
        reset();
        rest(STAGES + 1);
    }
    must_equal(&wrong, early, 0, "sums that came early");
    tap_misses(&wrong, "amo_fp: nothing comes out of it after reset");
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    if (test_recorder) { /* what goes in is recorded: less of it */
        sums = RANDOM / 100;
    }
    test_alu();
    reset();
    test_specials();
    for (unsigned i = 0; i < 2 * ROUNDINGS; i++) {
        test_rounding(i & 1, i / 2);
    }
    test_turns();
    test_reset();
    tap_ok(harness_covers("hls/nic/amo/amo_fp.c") == 4, "all covers are hit");
    return tap_done();
}
