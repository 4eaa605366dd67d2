// SPDX-License-Identifier: Apache-2.0
/*
 * test_amo_lazy.c - changes that amo keeps back: what each of the reasons to write them writes and when, what waits for them, errors; random
 * operations with all of it.
 *
 * Built for aries: fast; proto: san. Recorded for amo, amo_lazy.
 */
#include "tb/blocks/nic/amo/amo_back.h"
#include "tb/golden/nic/nic_amo.h"

enum { LATENCY = 20, SOON = 12, MANY = 60000 };

/* A bench with these changes together, and variables of one set. */
static void begin(unsigned lazy, unsigned vars)
{
    uint64_t base = amo_bench_address();

    amo_bench_begin();
    am.lazy = lazy;
    am.load.reading = am.load.writing = LATENCY;
    am.load.even = true;
    for (unsigned v = 0; v < vars; v++) {
        amo_bench_var((base + (uint64_t)8 * AMO_SETS * v) % (UINT64_C(1) << 53));
    }
}

static struct amo_test_op *add_of(unsigned var, unsigned half, unsigned opcode, bool order)
{
    struct amo_test_op op = amo_bench_random(var, half, amo_bench_pair(opcode, true));

    op.order = order;
    return amo_bench_add(op);
}

static struct amo_test_op *add(unsigned var)
{
    return add_of(var, 0, CACHED_IADD, false);
}

static void steps(unsigned clocks)
{
    while (clocks-- > 0) {
        amo_bench_step();
    }
}

/* Until no entry is dirty: in how many clocks, at most. */
static unsigned until_clean(unsigned most)
{
    unsigned clocks = 0;

    while (clocks < most && am.dut.lazy.out.dirty != 0) {
        amo_bench_step();
        clocks++;
    }
    return clocks;
}

static void check_words(unsigned words, const char *when)
{
    must_equal(&am.wrong, amo_back.words, words, "words %s", when);
}

/* Until all is written. */
static void rest(void)
{
    for (unsigned clocks = 0; clocks < 5000 && !am.dut.out.idle; clocks++) {
        amo_bench_step();
    }
    must_equal(&am.wrong, am.dut.out.idle, 1, "idle in the end");
}

/* All of it is in memory. */
static void flush(void)
{
    amo_bench_flush();
    rest();
    steps(2);
    must_equal(&am.wrong, am.dut.out.flushing, 0, "flushing in the end");
    amo_bench_check_memory();
}

/* ---- reasons to write ------------------------------------------------------------------------------ */

static void test_flush(void)
{
    begin(MANY, 1);
    const uint32_t before = am.vars[0].half[0].memory;

    for (unsigned i = 0; i < 10; i++) {
        add(0);
    }
    amo_bench_drain(1000);
    check_words(0, "of ten additions that are answered");
    must_equal(&am.wrong, am.vars[0].half[0].memory, before, "memory meanwhile");
    amo_bench_flush();
    steps(4);
    check_words(1, "with a flush");
    must_equal(&am.wrong, am.dut.out.flushing, 1, "flushing, while that is not answered");
    flush();
    check_words(1, "in the end");
    add(0);
    amo_bench_drain(1000);
    must_equal(&am.wrong, am.fetched, 2, "reads: a flush keeps nothing");
    /* holds amo.lazy, amo.flush_writes */
    tap_misses(&am.wrong, "ten additions to one variable are written once, by a flush");
}

static void test_changes(void)
{
    static const unsigned counts[] = {2, 3, 10, 100, 1000};
    struct misses wrong = {0};

    for (unsigned i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        const unsigned n = counts[i];

        begin(n, 1);
        for (unsigned k = 0; k < 3 * n; k++) {
            add(0); /* one every second clock: they are never n clocks apart */
        }
        amo_bench_drain(20000);
        check_words(3, "of three times as many changes");
        must_equal(&am.wrong, amo_back.most, 2 * n, "halves of changes in a word");
        flush();
        misses_add(&wrong, &am.wrong);
    }
    /* holds amo.lazy_changes */
    tap_misses(&wrong, "2, 3, 10, 100, 1,000 changes are written together");
}

static void test_idle(void)
{
    static const unsigned counts[] = {100, 333, 1000};
    struct misses wrong = {0};

    for (unsigned i = 0; i < 30; i++) {
        const unsigned n = counts[i % 3];
        uint64_t from;

        begin(n, 2);
        steps(rng_below(&am.rng, 2000));
        add(0);
        add(1);
        amo_bench_drain(100);
        from = am.now;
        /* The other one is changed again and again, and stays. */
        for (unsigned k = 0; k < 20 && am.now - from < 2 * n; k++) {
            steps(n / 10);
            if (amo_back.words == 0) {
                must_at_most(&am.wrong, am.now - from, 2 * n, "clocks without a change, unwritten");
            } else {
                must_at_least(&am.wrong, amo_back.clock + 60 - from, n,
                              "clocks without a change, written");
            }
            if (n == 1000) {
                add(1);
            }
        }
        steps(n == 1000 ? 2 * SOON : 2 * n + 2 * SOON);
        check_words(n == 1000 ? 1 : 2, "behind clocks without a change");
        flush();
        misses_add(&wrong, &am.wrong);
    }
    /* holds amo.lazy_idle */
    tap_misses(&wrong, "without another change a variable is written in n to 2 n clocks");
}

static void test_eviction(void)
{
    begin(MANY, 2 * AMO_WAYS);
    for (unsigned v = 0; v < AMO_WAYS; v++) {
        add(v);
    }
    amo_bench_drain(5000);
    check_words(0, "of a set that is full");
    for (unsigned v = AMO_WAYS; v < 2 * AMO_WAYS; v++) {
        add(v);
        amo_bench_drain(1000);
        must_at_least(&am.wrong, amo_back.words, AMO_WAYS,
                      "words of a set that is full, for one more");
        must_at_most(&am.wrong, amo_back.words, v, "words of a set, %u variables too many",
                     v - AMO_WAYS + 1);
    }
    flush();
    check_words(2 * AMO_WAYS, "in the end");
    must_equal(&am.wrong, am.fetched, 2 * AMO_WAYS, "reads");
    /* holds amo.lazy_evicts */
    tap_misses(&am.wrong, "a set that is full of changes makes place for another");
}

/* An operation that may not be kept back takes all that was with it; halves and wholes make place for each other. */
static void test_parts(void)
{
    struct misses wrong = {0};

    for (unsigned kind = 0; kind < 5; kind++) {
        begin(MANY, 1);
        if (kind < 3) { /* wide, then ... */
            add(0);
            add_of(0, 1, kind == 0 ? NARROW_CACHED_IADD : CACHED_IADD, false);
            amo_bench_drain(1000);
            check_words(0, "of cached operations");
            add_of(0, kind == 1, kind == 2 ? IADD : IADD - 1,
                   false); /* uncached, of a half or of all */
            amo_bench_drain(1000);
            check_words(1, "with one that is not");
        } else { /* halves, then the whole */
            add_of(0, 0, NARROW_CACHED_IADD, false);
            if (kind == 4) {
                add_of(0, 1, NARROW_CACHED_IADD, false);
            }
            amo_bench_drain(1000);
            check_words(0, "of halves");
            add(0);
            amo_bench_drain(1000);
            check_words(kind - 2, "of halves, for the whole");
        }
        flush();
        misses_add(&wrong, &am.wrong);
    }
    /* holds amo.lazy_parts */
    tap_misses(&wrong,
               "uncached operations, and such of another width, on changes that are kept back");
}

/* It drains, or lazy becomes 0. */
static void test_stop(void)
{
    struct misses wrong = {0};

    for (unsigned kind = 0; kind < 2; kind++) {
        begin(MANY, AMO_WAYS);
        for (unsigned v = 0; v < AMO_WAYS; v++) {
            add(v);
        }
        amo_bench_drain(1000);
        must_equal(&am.wrong, am.dut.out.idle, 0, "idle, with changes that are kept back");
        am.stop = kind == 0;
        am.lazy = kind == 0 ? MANY : 0;
        if (kind == 1) { /* the bench goes on as if words could have several */
            am.dut.lazy.left = 0;
        }
        must_at_most(&am.wrong, until_clean(1000), 4 * AMO_WAYS + SOON, "clocks until it is clean");
        am.lazy = MANY;
        am.stop = true;
        steps(200);
        must_equal(&am.wrong, am.dut.out.idle, 1, "idle in the end");
        amo_bench_check_memory();
        misses_add(&wrong, &am.wrong);
    }
    /* holds amo.lazy_stops */
    tap_misses(&wrong, "a NIC that drains writes all");
}

/* ---- who has to see it ------------------------------------------------------------------------------ */

/* An access in an ordered mode waits for the changes before it; an operation does, too. */
static void test_ordered(void)
{
    struct misses wrong = {0};

    for (unsigned kind = 0; kind < 2; kind++) {
        unsigned waited = 0;

        begin(MANY, 4);
        for (unsigned i = 0; i < 200; i++) {
            unsigned most = 0, vars = 1 + rng_below(&am.rng, 3);

            for (unsigned v = 0; v < vars; v++) {
                add(v);
            }
            steps(rng_below(&am.rng, 80));
            if (kind == 0) {
                am.asks = 1;
                amo_bench_step();
                am.asks = 0;
                while (amo_back_waiting() != 0 && most++ < 1000) {
                    amo_bench_step();
                }
                waited += most > LATENCY;
                must_at_most(&am.wrong, most, 6 * LATENCY, "clocks until it may go on");
            } else {
                add_of(3, 0, CACHED_IADD, true);
            }
            amo_bench_drain(1000);
        }
        must(&am.wrong, kind == 1 || waited > 150, "waited for memory %u times, of 200", waited);
        must_at_least(&am.wrong, amo_back.words, 200, "words");
        flush();
        misses_add(&wrong, &am.wrong);
    }
    /* holds amo.lazy_order */
    tap_misses(&wrong,
               "accesses and operations in ordered modes come behind changes that are kept back");
}

/* ---- errors ------------------------------------------------------------------------------------------ */

/* What was not written has no effect. */
static void forget(const uint32_t before[2])
{
    for (unsigned h = 0; h < 2; h++) {
        struct amo_half *half = &am.vars[0].half[h];

        half->golden = half->issued_value = before[h];
        half->issued = half->ended = am.count;
    }
}

/* again: the variable is changed once more before the write fails. */
static void test_failed_write(bool again)
{
    enum { TOGETHER = 40 }; /* so that nobody changes it for less than that */

    begin(again ? TOGETHER : MANY, 1);
    for (unsigned i = 0; i < 50; i++) {
        const uint32_t before[2] = {am.vars[0].half[0].memory, am.vars[0].half[1].memory};
        const uint64_t words = amo_back.words;
        uint64_t reads;

        for (unsigned k = 0; k < (again ? TOGETHER : 2); k++) {
            add(0);
        }
        am.ops[0].write_status = 1 + rng_below(&am.rng, 3); /* of words that nobody waits for */
        for (unsigned c = 0; c < 1000 && again && amo_back.words == words; c++) {
            steps(1);
        }
        if (again) {
            add(0);
        } else {
            amo_bench_drain(1000);
            amo_bench_flush();
        }
        rest();
        am.ops[0].write_status = MEM_DONE;
        must_equal(&am.wrong, am.counted[AMO_UNWRITTEN], i + 1, "changes that are lost, counted");
        must_equal(&am.wrong, amo_back.words, words + 1, "words");
        forget(before);
        amo_bench_check_memory();
        reads = am.fetched;
        add(0);
        amo_bench_drain(1000);
        must_equal(&am.wrong, am.fetched, reads + 1, "the next one reads memory");
        flush();
    }
    /* holds amo.lazy_fails */
    tap_misses(&am.wrong,
               "a write of changes that fails%s is counted, the next operation reads memory",
               again ? ", and then there is one more" : "");
}

/*
 * Writes fail at any moment, in the clock in which their entry is written again, too. What is lost then depends on that, so values are not looked
 * at; that all of it ends and no entry is lost is.
 */
static void test_failing(void)
{
    enum { OPS = 6000, PATIENCE = 400000 };

    begin(3, 3);
    am.load.reading = am.load.writing = 4;
    am.load.even = false;
    for (unsigned i = 0; i < OPS; i++) {
        add(rng_below(&am.rng, 3));
    }
    for (unsigned c = 0; c < PATIENCE && (am.answered != OPS || !am.dut.out.idle); c++) {
        am.ops[0].write_status = rng_below(&am.rng, 5) == 0 ? MEM_BUS_ERROR : MEM_DONE;
        steps(1);
    }
    am.ops[0].write_status = MEM_DONE;
    const bool ended = am.answered == OPS && am.dut.out.idle && am.counted[AMO_UNWRITTEN] > 100;

    tap_ok(ended, "writes that fail at any moment: %llu are counted",
           (unsigned long long)am.counted[AMO_UNWRITTEN]);
}

/* Nothing is answered: as many writes as memory takes at once, though nobody waits for them; then it stands, and goes on. */
static void test_full(void)
{
    begin(1, 1);
    am.load.dones = 0;
    for (unsigned i = 0; i < 3 * AMO_FLYING; i++) {
        add(0);
    }
    steps(10 * AMO_FLYING);
    must_at_most(&am.wrong, am.most, AMO_FLYING, "writes under way");
    must_at_least(&am.wrong, am.most, AMO_FLYING - 8, "writes under way");
    am.load.dones = 1;
    amo_bench_drain(100000);
    flush();
    tap_misses(&am.wrong, "writes that nobody waits for: %u, then it stands", am.most);
}

/* Operations that are not done leave what is kept back as it is. */
static void test_bad(void)
{
    begin(MANY, AMO_WAYS + 1);
    for (unsigned i = 0; i < 300; i++) {
        unsigned var = rng_below(&am.rng, AMO_WAYS + 1);
        struct amo_test_op op = amo_bench_random(var, 0, amo_bench_pair(CACHED_IADD, true));

        op.bad = i % 3 == 0;
        op.lost = i % 3 == 1;
        op.order = false;
        amo_bench_add(op);
        if (i % 2 == 0) {
            amo_bench_drain(1000);
        }
    }
    amo_bench_drain(5000);
    must_equal(&am.wrong, am.counted[AMO_DATA], 100, "answered DATA");
    must_equal(&am.wrong, am.counted[AMO_LOST], 100, "lost");
    must_equal(&am.wrong, am.counted[AMO_UNWRITTEN], 0, "changes that are lost");
    flush();
    /* holds amo.lazy_bad */
    tap_misses(&am.wrong, "operands and heads with wrong bits, on sets full of changes");
}

/* ---- random operations --------------------------------------------------------------------------------- */

static const uint64_t set_bytes = (uint64_t)8 * AMO_SETS;

static void lay_out(unsigned layout)
{
    static const unsigned counts[] = {2, 3, AMO_WAYS + 3, 400};
    uint64_t base = amo_bench_address();

    for (unsigned i = 0; i < counts[layout]; i++) {
        amo_bench_var(layout == 2   ? (base + i * set_bytes) % (UINT64_C(1) << 53)
                      : layout == 0 ? base ^ 8 * i
                                    : amo_bench_address());
    }
}

static struct amo_test_op random_op(unsigned layout, double ordered)
{
    unsigned pair = rng_below(&am.rng, PAIRS);

    if (rng_below(&am.rng, 4) != 0) { /* most are cached */
        while (!gn_amo_of(amo_pairs[pair] % 0x80, amo_pairs[pair] / 0x80).cached) {
            pair = rng_below(&am.rng, PAIRS);
        }
    }
    struct amo_test_op op =
        amo_bench_random(rng_below(&am.rng, am.var_count), rng_below(&am.rng, 2), pair);

    op.order = rng_chance(&am.rng, ordered);
    op.bad = layout != 3 && rng_below(&am.rng, 40) == 0;
    op.lost = !op.bad && rng_below(&am.rng, 40) == 0;
    return op;
}

static void test_random(unsigned layout)
{
    static const char *const names[] = {"neighbours", "few", "one set", "many"};
    static const unsigned lazies[] = {1, 2, 7, 60, MANY};
    static const double ordered[] = {0, 0.01, 0.2};
    struct misses wrong = {0};
    uint64_t ops = 0, words = 0;

    for (unsigned r = 0; wrong.count == 0 && r < 15; r++) {
        amo_bench_begin();
        am.lazy = lazies[r % 5];
        am.load = amo_loads[rng_below(&am.rng, AMO_LOADS)];
        am.rounding = rng_below(&am.rng, 4);
        am.asks = ordered[(r + 1) % 3];
        lay_out(layout);
        for (unsigned i = 0; i < 2500; i++) {
            amo_bench_add(random_op(layout, ordered[r % 3]));
        }
        while (am.sent != am.count && am.wrong.count == 0) {
            steps(1 + rng_below(&am.rng, 400));
            am.stop = rng_below(&am.rng, 20) == 0;
            am.lazy = rng_below(&am.rng, 10) == 0 ? lazies[rng_below(&am.rng, 5)] : am.lazy;
        }
        am.stop = false;
        amo_bench_drain(500000);
        am.asks = 0;
        am.load.flush = 0;
        for (unsigned c = 0; c < 2000 && amo_back_waiting() != 0; c++) {
            steps(1);
        }
        must_equal(&am.wrong, amo_back_waiting(), 0, "ordered accesses that wait in the end");
        flush();
        misses_add(&wrong, &am.wrong);
        ops += am.count;
        words += amo_back.words;
    }
    must(&wrong, words < ops, "%llu words of %llu operations", (unsigned long long)words,
         (unsigned long long)ops);
    tap_misses(&wrong, "random operations, variables: %s: %llu, in %llu words", names[layout],
               (unsigned long long)ops, (unsigned long long)words);
}

/* Clocks of an operation on random variables of memory, if reads and writes take 200: they are written in time. */
static void test_random_rate(void)
{
    const double most = AMO_ENTRIES >= 64 ? 10 : 60;

    begin(MANY, 1);
    for (unsigned v = 1; v < AMO_VARS; v++) {
        amo_bench_var(amo_bench_address());
    }
    am.load.reading = am.load.writing = 200;
    for (unsigned i = 0; i < 6000; i++) {
        add(rng_below(&am.rng, AMO_VARS));
    }
    while (am.answered < 1000) {
        steps(1);
    }
    uint64_t from = am.now;

    while (am.answered < 5000) {
        steps(1);
    }
    double each = (double)(am.now - from) / 4000;

    amo_bench_drain(100000);
    flush();
    /* holds amo.lazy_random */
    tap_ok(am.wrong.count == 0 && each <= most,
           "random variables of memory, kept back: one per %.3f", each);
}

/* Clocks of an operation where memory takes a write every tenth clock. */
static void test_rate(void)
{
    double each[2];

    for (unsigned n = 0; n < 2; n++) {
        uint64_t from;

        begin(n == 0 ? 2 : 200, 1);
        am.load.words = 0.1;
        for (unsigned i = 0; i < 4000; i++) {
            add(0);
        }
        from = am.now;
        amo_bench_drain(100000);
        each[n] = (double)(am.now - from) / 4000;
        flush();
    }
    /* holds amo.lazy_rate */
    tap_ok(
        am.wrong.count == 0 && each[0] > 4.5 && each[1] < 2.1,
        "one variable, a memory that takes a word every tenth clock: %.2f clocks each, %.2f with "
        "200 changes in a word",
        each[0], each[1]);
}

int main(int argc, char **argv)
{
    rng_seed(&am.rng, test_seed(argc, argv));
    harness_clock = &am.now;
    test_flush();
    test_eviction();
    test_changes();
    test_idle();
    test_parts();
    test_stop();
    test_ordered();
    test_failed_write(false);
    test_failed_write(true);
    test_full();
    test_failing();
    test_bad();
    for (unsigned layout = 0; layout < 4; layout++) {
        test_random(layout);
    }
    test_rate();
    test_random_rate();
    tap_ok(harness_covers("hls/nic/amo/amo_lazy.c") == 5, "all covers of amo_lazy are hit");
    amo_bench_free();
    return tap_done();
}
