// SPDX-License-Identifier: Apache-2.0
/*
 * test_amo_rate.c - clocks of an atomic operation: on one variable, on four, on many of memory, on one that nobody keeps.
 *
 * Built for aries: fast; proto: san.
 */
#include "tb/blocks/nic/amo/amo_bench.h"

/* Operations of a kind: over variables in turn (many: at random), on all of them, or on all and half of each in turn. */
struct rate {
    unsigned opcode, vars, reading, writing, count;
    bool halves;
};

static struct amo_test_op rate_op(const struct rate *r, unsigned i)
{
    unsigned opcode = r->halves && i % 2 == 0 ? r->opcode - 1 : r->opcode;
    unsigned var = r->vars > 8 ? rng_below(&am.rng, r->vars) : i % r->vars;
    struct amo_test_op op = amo_bench_random(var, i / 2 % 2, amo_bench_pair(opcode, true));

    op.order = false;
    return op;
}

/* Clocks for each operation, after those before them. */
static double clocks_of(struct rate r)
{
    unsigned count = r.count, before = count / 4 + 64;
    uint64_t from, most = 100 * (uint64_t)count;

    amo_bench_begin();
    am.load.reading = r.reading;
    am.load.writing = r.writing;
    am.load.even = true;
    for (unsigned i = 0; i < r.vars; i++) {
        amo_bench_var(amo_bench_address());
    }
    for (unsigned i = 0; i < 2 * before + count; i++) {
        amo_bench_add(rate_op(&r, i));
    }
    for (uint64_t c = 0; am.answered < before && c < most; c++) {
        amo_bench_step();
    }
    from = am.now;
    while (am.answered < before + count && am.now - from < most) {
        amo_bench_step();
    }
    double each = (double)(am.now - from) / count;

    amo_bench_drain(1000000);
    amo_bench_check_memory();
    return am.wrong.count == 0 ? each : 1e9;
}

static double clocks_each(unsigned opcode, unsigned vars, unsigned reading, unsigned writing,
                          unsigned count)
{
    return clocks_of((struct rate){opcode, vars, reading, writing, count, false});
}

/* One variable that nobody keeps: all go on with it for a time, and then see memory again. */
static void test_hot(unsigned writing, double most, bool halves)
{
    double each = clocks_of((struct rate){IADD, 1, 200, writing, 8000, halves});
    double span = each * am.count / (double)am.fetched; /* from one read of memory to the next */

    /* holds amo.hot, amo.one_word */
    tap_ok(each <= most && span < 2.0 * (1 << AMO_HOT_LOG2) + 2.0 * (200 + writing) + 100,
           "uncached, on one variable%s, if reads take 200 clocks and writes %u: one per %.3f; "
           "memory is read every %.0f clocks",
           halves ? ", four and eight bytes in turn" : "", writing, each, span);
}

static void test_rates(void)
{
    static const char *const kinds[] = {"uncached, random", "cached, random"};
    const unsigned covered = 2 * (AMO_FLYING - 16);
    const bool large =
        AMO_ENTRIES >= 64; /* else they are four small sets, and few writes are under way at once */
    const double missed = large ? 6 : 21, both = large ? 8.8 : 41;
    double each;

    each = clocks_each(CACHED_IADD, 1, 0, 0, 4000);
    /* holds amo.rate */
    tap_ok(each == 2, "cached integers on one variable: one per %.3f clocks", each);
    each = clocks_each(NARROW_CACHED_IADD, 1, 0, covered, 4000);
    tap_ok(each == 2, "... if writes take %u clocks: one per %.3f", covered, each);
    each = clocks_each(CACHED_FPADD, 1, 0, 0, 4000);
    tap_ok(each == 6, "cached sums of floating point on one variable: one per %.3f", each);
    each = clocks_each(CACHED_FPADD, 4, 0, 0, 4000);
    tap_ok(each == 2, "... on four: one per %.3f", each);
    for (unsigned m = 0; m < 2; m++) {
        each = clocks_each(m ? CACHED_IADD : IADD, AMO_VARS, 200, 0, 8000);
        /* holds amo.random */
        tap_ok(each <= missed, "%s variables of memory, if reads take 200: one per %.3f", kinds[m],
               each);
        each = clocks_each(m ? CACHED_IADD : IADD, AMO_VARS, 200, 200, 8000);
        tap_ok(each <= both, "... and writes too: one per %.3f", each);
    }
    for (unsigned halves = 0; halves < 2; halves++) {
        test_hot(0, 2.55, halves);
        test_hot(200, halves ? (large ? 3.4 : 5.0) : (large ? 2.55 : 4.45), halves);
    }
}

int main(int argc, char **argv)
{
    rng_seed(&am.rng, test_seed(argc, argv));
    harness_clock = &am.now;
    test_rates();
    amo_bench_free();
    return tap_done();
}
