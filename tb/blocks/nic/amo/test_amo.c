// SPDX-License-Identifier: Apache-2.0
/*
 * test_amo.c - atomic operations, as many at once as there can be: old and new values, what is kept and what is not, errors
 * of memory and of bits.
 *
 * Built for aries: fast; proto: san. Recorded for amo, amo_lines, amo_queue, amo_retire.
 */
#include "tb/golden/nic/nic_amo.h"
#include "tb/blocks/nic/amo/amo_bench.h"

#include <stdlib.h>

/* ---- variables ----------------------------------------------------------------------------------- */

static const uint64_t set_bytes =
    (uint64_t)8 * AMO_SETS; /* from one variable of a set to the next */

enum layout { FEW, HALVES, ONE_SET, APART, MANY, LAYOUTS };

static const char *const layout_names[LAYOUTS] = {"few", "halves", "one set", "one bit apart",
                                                  "many"};

static void lay_out(enum layout layout)
{
    uint64_t base = amo_bench_address();

    for (unsigned i = 0; layout == FEW && i < 3; i++) {
        amo_bench_var(i == 0 ? 0 : amo_bench_address()); /* 0: as in memories that are empty */
    }
    for (unsigned i = 0; layout == HALVES && i < 2; i++) {
        amo_bench_var(base ^ 8 * i);
    }
    for (unsigned i = 0; layout == ONE_SET && i < 12; i++) {
        amo_bench_var((base + i * set_bytes) % (UINT64_C(1) << 53));
    }
    for (unsigned i = 2; layout == APART && i < 53; i++) {
        amo_bench_var(i == 2 ? base : base ^ UINT64_C(1) << i);
    }
    for (unsigned i = 0; layout == MANY && i < 400; i++) {
        amo_bench_var(amo_bench_address());
    }
}

static struct gn_amo meaning(unsigned pair)
{
    return gn_amo_of(amo_pairs[pair] % 0x80, amo_pairs[pair] / 0x80);
}

/* Most of them of 32 bits, if `narrow`. */
static unsigned random_pair(bool narrow)
{
    unsigned pair;

    do {
        pair = rng_below(&am.rng, PAIRS);
    } while (narrow && rng_below(&am.rng, 8) != 0 && meaning(pair).wide);
    return pair;
}

static unsigned random_pair_of(bool wide)
{
    unsigned pair;

    do {
        pair = rng_below(&am.rng, PAIRS);
    } while (meaning(pair).wide != wide);
    return pair;
}

static bool seen[LAYOUTS][PAIRS];

static struct amo_test_op random_op(enum layout layout)
{
    unsigned pair = random_pair(layout == HALVES);

    seen[layout][pair] = true;
    return amo_bench_random(rng_below(&am.rng, am.var_count), rng_below(&am.rng, 2), pair);
}

/* One more operation of this opcode. */
static struct amo_test_op *add(unsigned var, unsigned opcode)
{
    return amo_bench_add(amo_bench_random(var, 0, amo_bench_pair(opcode, true)));
}

/* ---- random operations --------------------------------------------------------------------------- */

static void test_loads(enum layout layout)
{
    unsigned pairs = 0;
    struct misses wrong = {0};
    uint64_t fetched = 0, ops = 0;

    for (unsigned l = 0; wrong.count == 0 && l < 4 * AMO_LOADS; l++) {
        amo_bench_begin();
        am.load = amo_loads[l / 4];
        am.rounding = l % 4;
        lay_out(layout);
        for (unsigned i = 0; i < 2000; i++) {
            amo_bench_add(random_op(layout));
        }
        amo_bench_drain(500000);
        amo_bench_check_memory();
        misses_add(&wrong, &am.wrong);
        fetched += am.fetched;
        ops += am.count;
    }
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        pairs += seen[layout][pair];
    }
    /* holds amo.fresh */
    must_equal(&wrong, pairs, PAIRS, "pairs");
    tap_misses(&wrong,
               "variables: %s: %llu operations, %u pairs, one after the other; %llu were fetched",
               layout_names[layout], (unsigned long long)ops, pairs, (unsigned long long)fetched);
}

/* The host writes to a variable; seen: the next operation must see that. */
static void poke(unsigned var, uint64_t value, bool seen)
{
    for (unsigned h = 0; h < 2; h++) {
        struct amo_half *half = &am.vars[var].half[h];

        half->memory = (uint32_t)(value >> (32 * h));
        half->golden = seen ? half->memory : half->golden;
    }
}

/* The host changes memory itself: uncached operations see it, those on what is kept do not. */
static void test_kept(void)
{
    static const char *const what[] = {"behind an uncached operation",
                                       "behind a cached one and a flush", "behind a cached one",
                                       "behind a cached one that is under way at the flush"};

    for (unsigned kind = 0; kind < 4; kind++) {
        unsigned again = 0;

        amo_bench_begin();
        am.load.reading = am.load.writing = 20;
        am.load.even = true;
        for (unsigned i = 0; i < 3; i++) {
            amo_bench_var(amo_bench_address());
        }
        for (unsigned i = 0; i < 500; i++) {
            unsigned var = rng_below(&am.rng, 3), half = rng_below(&am.rng, 2), pair, next;
            bool wide;

            do {
                pair = rng_below(&am.rng, PAIRS);
            } while (meaning(pair).cached != (kind != 0));
            wide = meaning(pair).wide;
            next = random_pair_of(wide); /* a half is kept on its own */
            amo_bench_add(amo_bench_random(var, half, pair));
            for (unsigned c = kind == 3 ? 12 + rng_below(&am.rng, 24) : 0; c > 0; c--) {
                amo_bench_step();
            }
            if (kind == 3) {
                amo_bench_flush();
            }
            amo_bench_drain(1000);
            if (kind == 1) {
                amo_bench_flush();
            }
            uint64_t before = am.fetched;
            uint64_t value = rng_next(&am.rng);
            struct amo_half *other = &am.vars[var].half[!half];
            uint32_t untouched = other->memory;

            poke(var, value, kind != 2);
            if (kind == 2 && !wide) { /* of the other half nothing is kept */
                other->memory = untouched;
            }
            amo_bench_add(amo_bench_random(var, half, next));
            amo_bench_drain(1000);
            again += am.fetched != before;
            amo_bench_flush();
            amo_bench_check_memory();
        }
        /* holds amo.flush */
        must_equal(&am.wrong, again, (kind == 2 ? 0 : 500), "again");
        tap_misses(&am.wrong, "the host changes memory: %s it is %s", what[kind],
                   kind == 2 ? "not seen" : "seen");
    }
}

/* Of a full set another variable is given up for each that comes: not the one that came before. */
static void test_turns(void)
{
    static const unsigned order[] = {0, 1, 2, 3, 4, 5, 4};

    amo_bench_begin();
    lay_out(ONE_SET);
    for (unsigned i = 0; i < sizeof(order) / sizeof(*order); i++) {
        add(order[i], CACHED_IADD);
        amo_bench_drain(1000);
    }
    amo_bench_check_memory();
    must_equal(&am.wrong, am.fetched, 6, "am.fetched");
    tap_misses(&am.wrong, "more of a set than ways: the last ones are kept");
}

/* ---- errors -------------------------------------------------------------------------------------- */

static void test_random_faults(enum layout layout)
{
    unsigned ends[16] = {0}, lost = 0;
    struct misses wrong = {0};
    uint64_t bus = 0, data = 0;

    for (unsigned l = 0; wrong.count == 0 && l < AMO_LOADS; l++) {
        amo_bench_begin();
        am.load = amo_loads[l];
        am.exact = false;
        lay_out(layout);
        for (unsigned i = 0; i < 4000; i++) {
            struct amo_test_op op = random_op(layout);

            op.bad = rng_below(&am.rng, 20) == 0;
            op.lost = !op.bad && rng_below(&am.rng, 20) == 0;
            op.read_status = rng_below(&am.rng, 10) == 0 ? 1 + rng_below(&am.rng, 3) : MEM_DONE;
            op.data_bad = rng_below(&am.rng, 20) == 0;
            op.write_status = rng_below(&am.rng, 10) == 0 ? 1 + rng_below(&am.rng, 3) : MEM_DONE;
            op.written_all_the_same = rng_below(&am.rng, 2);
            lost += amo_bench_add(op)->lost;
        }
        amo_bench_drain(500000);
        misses_add(&wrong, &am.wrong);
        must_equal(&wrong, am.counted[AMO_BUS], am.statuses[STATUS_BUS], "counted as BUS");
        must_equal(&wrong, am.counted[AMO_DATA], am.statuses[STATUS_DATA], "counted as DATA");
        lost -= (unsigned)am.counted[AMO_LOST];
        bus += am.counted[AMO_BUS];
        data += am.counted[AMO_DATA];
        for (unsigned s = 0; s < 16; s++) {
            ends[s] += (unsigned)am.statuses[s];
        }
    }
    /* holds amo.errors */
    must_equal(&wrong, lost, 0, "lost");
    must(&wrong, bus != 0, "expected bus != 0");
    must(&wrong, data != 0, "expected data != 0");
    tap_misses(&wrong, "errors everywhere, variables: %s: OK %u, TRANSLATION %u, BUS %u, DATA %u",
               layout_names[layout], ends[STATUS_OK], ends[STATUS_TRANSLATION], ends[STATUS_BUS],
               ends[STATUS_DATA]);
}

/* An error of one operation, and then one on the same variable: what is answered, what it reads, what memory has. */
static void test_one_fault(const char *what, struct amo_test_op fault, unsigned status, bool keeps)
{
    unsigned fails = 0;

    amo_bench_begin();
    unsigned var = amo_bench_var(amo_bench_address());

    for (unsigned i = 0; i < 100; i++) {
        struct amo_test_op op = amo_bench_random(var, 0, amo_bench_pair(CACHED_IADD, true));
        uint64_t lost = am.counted[AMO_LOST];

        am.exact = true;
        add(var, CACHED_IADD);
        amo_bench_drain(1000);
        if (fault.write_status == 0 && !keeps) { /* so that it reads */
            amo_bench_flush();
        }
        am.exact = false;
        op.bad = fault.bad;
        op.lost = fault.lost;
        op.read_status = fault.read_status;
        op.data_bad = fault.data_bad;
        op.write_status = fault.write_status;
        uint32_t golden[2] = {am.vars[var].half[0].golden, am.vars[var].half[1].golden};
        uint64_t before = am.statuses[status];
        struct amo_test_op *added = amo_bench_add(op);

        amo_bench_drain(1000);
        for (unsigned h = 0; h < 2; h++) { /* it has no effect */
            am.vars[var].half[h].golden = golden[h];
        }
        amo_bench_check_memory();
        fails += fault.lost ? am.counted[AMO_LOST] != lost + 1 || added->answered
                            : am.statuses[status] != before + 1;
        bool read = added->fetched;

        am.exact = true;
        added = add(var, CACHED_IADD);
        amo_bench_drain(1000);
        fails += added->fetched == keeps; /* it read memory again, if nothing was kept */
        fails += read != (fault.read_status != 0 || fault.data_bad);
    }
    must_equal(&am.wrong, fails, 0, "fails");
    tap_misses(&am.wrong, "%s: %s, not done, the next one %s", what,
               fault.lost              ? "counted"
               : status == STATUS_BUS  ? "BUS"
               : status == STATUS_DATA ? "DATA"
                                       : "TRANSLATION",
               keeps ? "goes on with what is kept" : "reads memory");
}

static void test_faults(void)
{
    test_one_fault("a read with a bus error", (struct amo_test_op){.read_status = MEM_BUS_ERROR},
                   STATUS_BUS, false);
    test_one_fault("a read of wrong bits", (struct amo_test_op){.read_status = MEM_WRONG_BITS},
                   STATUS_DATA, false);
    test_one_fault("a read of nothing", (struct amo_test_op){.read_status = MEM_UNTRANSLATED},
                   STATUS_TRANSLATION, false);
    test_one_fault("a reply with wrong bits", (struct amo_test_op){.data_bad = true}, STATUS_DATA,
                   false);
    test_one_fault("a write with a bus error", (struct amo_test_op){.write_status = MEM_BUS_ERROR},
                   STATUS_BUS, false);
    test_one_fault("a write of wrong bits", (struct amo_test_op){.write_status = MEM_WRONG_BITS},
                   STATUS_DATA, false);
    test_one_fault("a write to nothing", (struct amo_test_op){.write_status = MEM_UNTRANSLATED},
                   STATUS_TRANSLATION, false);
    test_one_fault("operands with wrong bits", (struct amo_test_op){.bad = true}, STATUS_DATA,
                   true);
    test_one_fault("a head with wrong bits", (struct amo_test_op){.lost = true}, STATUS_OK, true);
}

/* ---- wrong bits in memories ---------------------------------------------------------------------- */

static const char *const wrong_bits[] = {"", "a single-bit error", "a double-bit error"};

/* Answers wait behind one whose write is not done; bits of the next one fall over. */
static void test_answer_bits(unsigned bits)
{
    enum { CODE = AMO_ANSWER_BITS }; /* bits; an answer is two of them */
    unsigned flipped = 0, unanswered = 0;

    amo_bench_begin();
    unsigned var = amo_bench_var(amo_bench_address());

    for (unsigned i = 0; i < 600; i++) {
        unsigned at = CODE * rng_below(&am.rng, 2), bit = rng_below(&am.rng, CODE);
        unsigned other = (bit + 1 + rng_below(&am.rng, CODE - 1)) % CODE;

        am.load.dones = 0;
        add(var, CACHED_IADD);
        struct amo_test_op *op = amo_bench_add(amo_bench_random(var, 0, random_pair_of(true)));

        add(var, CACHED_IADD);
        for (unsigned c = 0; c < 60; c++) {
            amo_bench_step();
        }
        am.dut.answer.codes[am.dut.answer.read] ^= (amo_answer_code)1 << (at + bit);
        if (bits == 2) {
            am.dut.answer.codes[am.dut.answer.read] ^= (amo_answer_code)1 << (at + other);
        }
        flipped += am.dut.answer.out.answers >= 2;
        am.load.dones = 1;
        amo_bench_drain(1000);
        unanswered += !op->answered;
        amo_bench_check_memory();
    }
    must_equal(&am.wrong, flipped, 600, "flipped");
    must_equal(&am.wrong, unanswered, (bits == 2 ? flipped : 0), "unanswered");
    must_equal(&am.wrong, am.counted[AMO_CORRECTED], (bits == 1 ? flipped : 0),
               "am.counted[AMO_CORRECTED]");
    must_equal(&am.wrong, am.counted[AMO_LOST], (bits == 2 ? flipped : 0), "am.counted[AMO_LOST]");
    tap_misses(&am.wrong, "%s in an answer that waits: %s", wrong_bits[bits],
               bits == 1 ? "corrected, counted" : "it is not given, counted");
}

/* Beats that wait in its memory. */
static unsigned waiting(const struct amo_queue *queue)
{
    return (unsigned)(amo_queue_count)(queue->wr[0] - queue->rd[0]);
}

/* Requests wait for words that nobody takes; bits of the last one fall over, in its head or its operands. */
static void test_request_bits(unsigned bits, bool head)
{
    unsigned flipped = 0;

    amo_bench_begin();
    unsigned var = amo_bench_var(amo_bench_address());

    for (unsigned i = 0; i < 200; i++) {
        unsigned word = rng_below(&am.rng, 3), bit = rng_below(&am.rng, RTR_CODE_BITS);
        struct amo_test_op op = amo_bench_random(var, 0, amo_bench_pair(CACHED_IADD, true));

        am.load.words = 0;
        for (unsigned n = 0; n < 30 && waiting(&am.dut.queue) < 2; n++) {
            add(var, CACHED_IADD);
            for (unsigned c = 0; c < 20; c++) {
                amo_bench_step();
            }
        }
        op.bad = bits == 2 && !head;
        op.lost = bits == 2 && head;
        op.unmarked = true;
        amo_bench_add(op);
        for (unsigned c = 0; c < 20; c++) {
            amo_bench_step();
        }
        struct amo_queue *queue = &am.dut.queue;
        beat_code *code = &queue->codes[(amo_queue_place)(queue->wr[0] - 1 - head)];

        flipped += waiting(queue) >= 3 && am.given == am.count;
        *code ^= (beat_code)1 << (word * RTR_CODE_BITS + bit);
        if (bits == 2) {
            *code ^= (beat_code)1 << (word * RTR_CODE_BITS + (bit + 1) % RTR_CODE_BITS);
        }
        am.load.words = 1;
        amo_bench_drain(1000);
        amo_bench_check_memory();
    }
    must_equal(&am.wrong, flipped, 200, "flipped");
    must_equal(&am.wrong, am.counted[AMO_CORRECTED], (bits == 1 ? flipped : 0),
               "am.counted[AMO_CORRECTED]");
    must_equal(&am.wrong, am.counted[AMO_LOST], (bits == 2 && head ? flipped : 0),
               "am.counted[AMO_LOST]");
    must_equal(&am.wrong, am.counted[AMO_DATA], (bits == 2 && !head ? flipped : 0),
               "am.counted[AMO_DATA]");
    tap_misses(&am.wrong, "%s in %s: %s", wrong_bits[bits],
               head ? "a head that waits" : "operands that wait",
               bits == 1 ? "corrected, counted"
               : head    ? "not done, counted"
                         : "not done, DATA");
}

/* ---- back-pressure ------------------------------------------------------------------------------- */

/* Everything stands now and then, for long. */
static void test_pressure(enum layout layout)
{
    unsigned stood = 0, most = 0;

    amo_bench_begin();
    lay_out(layout);
    for (unsigned i = 0; i < 20000; i++) {
        amo_bench_add(random_op(layout));
    }
    while (am.answered != am.count && am.wrong.count == 0 && stood < 100) {
        uint64_t before = am.answered;
        double *chances[] = {&am.load.words,   &am.load.fetches, &am.load.replies,
                             &am.load.answers, &am.load.dones,   &am.load.begin};

        for (unsigned c = 0; c < 6; c++) {
            *chances[c] = rng_below(&am.rng, 4) == 0 ? 0 : rng_below(&am.rng, 2) ? 1 : 0.3;
        }
        am.load.reading = rng_below(&am.rng, 30);
        am.load.writing = rng_below(&am.rng, 30);
        for (unsigned c = 50 + rng_below(&am.rng, 700); c > 0; c--) {
            amo_bench_step();
        }
        stood = am.answered == before ? stood + 1 : 0;
    }
    most = am.most;
    am.load = (struct amo_load){1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, false};
    amo_bench_drain(100000);
    amo_bench_check_memory();
    tap_misses(&am.wrong,
               "all sides stand for long, variables: %s: nothing lost, %u writes at once",
               layout_names[layout], most);
}

/* Nothing is answered: as many as there are places for, then it stands. */
static void test_full(void)
{
    amo_bench_begin();
    unsigned var = amo_bench_var(amo_bench_address());

    am.load.dones = 0;
    for (unsigned i = 0; i < 2 * AMO_FLYING; i++) {
        add(var, CACHED_IADD);
    }
    for (unsigned c = 0; c < 10 * AMO_FLYING; c++) {
        amo_bench_step();
    }
    bool full = am.most <= AMO_FLYING && am.most > AMO_FLYING - 8;

    am.load.dones = 1;
    amo_bench_drain(100000);
    amo_bench_check_memory();
    must(&am.wrong, full, "expected full");
    tap_misses(&am.wrong, "writes that are not done: %u, then it stands; it goes on", am.most);
}

int main(int argc, char **argv)
{
    rng_seed(&am.rng, test_seed(argc, argv));
    harness_clock = &am.now;
    amo_bench_begin();
    amo_bench_drain(0);
    must_equal(&am.wrong, amo_pair_count, PAIRS, "amo_pair_count");
    tap_misses(&am.wrong, "idle after a reset; %u pairs of opcode and fetch exist", amo_pair_count);
    for (unsigned layout = 0; layout < LAYOUTS; layout++) {
        test_loads((enum layout)layout);
    }
    test_kept();
    test_turns();
    for (unsigned layout = 0; layout < LAYOUTS; layout++) {
        test_random_faults((enum layout)layout);
    }
    test_faults();
    test_answer_bits(1);
    test_answer_bits(2);
    for (unsigned i = 0; i < 4; i++) {
        test_request_bits(1 + i / 2, i % 2);
    }
    for (unsigned layout = 0; layout < LAYOUTS; layout++) {
        test_pressure((enum layout)layout);
    }
    test_full();
    tap_ok(harness_covers("hls/nic/amo/amo.c") == 6 &&
               harness_covers("hls/common/beat/beat_queue.inc") == 3,
           "all covers are hit, but that of a queue that has no room");
    amo_bench_free();
    return tap_done();
}
