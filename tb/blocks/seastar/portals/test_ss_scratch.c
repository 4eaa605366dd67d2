// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_scratch.c - the scratch memory under its code: single bits that are wrong are corrected where they are read and mended by the
 * scrubber, which never undoes what the engine writes; two of them in an entry stop its list, and nothing else.
 *
 * Built for seastar2: fast.
 */
#include <string.h>

#include "tb/base/harness.h"
#include "tb/blocks/seastar/portals/ss_engine_bench.h"

enum { PID = 7, USER = 0x5678, CELLS = 1 << SS_SCRATCH_LOG2, ROUND = 3 * CELLS * 65 + 1000 };

static struct ss_engine_bench b;
static struct rng r;
static ss_cell wanted[3][CELLS];

static ss_coded *coded(unsigned bank, unsigned at)
{
    return bank == 0   ? &b.engine.scratch.bank0[at]
           : bank == 1 ? &b.engine.scratch.bank1[at]
                       : &b.engine.scratch.bank2[at];
}

static void flip(unsigned bank, unsigned at, unsigned bit)
{
    *coded(bank, at) ^= (ss_coded)1 << bit;
}

static ss_cell random_cell(void)
{
    return (ss_cell)rng_next(&r) << 64 | rng_next(&r);
}

/* Cells written and read by the driver's port; then a flip in each, mended within a round of the scrubber. */
static void scrubbed(void)
{
    struct ss_scratch *s = &b.engine.scratch;
    unsigned wrong = 0, mended = 0;
    for (unsigned n = 0; n < 3 * CELLS; n++) {
        wanted[n % 3][n / 3] = random_cell();
        bench_poke(&b, n % 3, n / 3, wanted[n % 3][n / 3]);
    }
    for (unsigned n = 0; n < 3 * CELLS; n++)
        wrong += bench_peek(&b, n % 3, n / 3) != wanted[n % 3][n / 3];
    tap_equal(wrong, 0, "every cell is what the driver wrote");
    for (unsigned n = 0; n < 3 * CELLS; n++)
        flip(n % 3, n / 3, rng_below(&r, 149));
    for (unsigned n = 0; n < 3 * CELLS; n += 7)
        wrong += bench_peek(&b, n % 3, n / 3) != wanted[n % 3][n / 3];
    tap_equal(wrong, 0, "a bit of each is wrong: corrected where it is read");
    for (unsigned n = 0; n < ROUND; n++) {
        bench_step(&b);
        mended += s->out.scrubbed;
    }
    for (unsigned n = 0; n < 3 * CELLS; n++)
        wrong += *coded(n % 3, n / 3) != ss_cell_encode(wanted[n % 3][n / 3]);
    tap_ok(wrong == 0 && mended == 3 * CELLS, "and mended in memory: %u cells, %u of them wrong",
           mended, wrong);
}

/* Writes at any clock around the scrubber's visit of a cell with a wrong bit: the last one written stays. */
static void races(void)
{
    struct ss_scratch s;
    struct ss_scratch_in in;
    unsigned wrong = 0;
    for (unsigned n = 0; n < 20000; n++) {
        memset(&s, 0, sizeof s);
        ss_scratch_reset(&s);
        s.state = SS_SCRATCH_IDLE;
        const ss_cell old = random_cell(), next = random_cell();
        const unsigned bank = rng_below(&r, 3), when = rng_below(&r, 8), bit = rng_below(&r, 149);
        s.scrub_bank = (u2)bank;
        s.scrub_at = 5;
        ss_coded *cell = bank == 0 ? &s.bank0[5] : bank == 1 ? &s.bank1[5] : &s.bank2[5];
        *cell = ss_cell_encode(old) ^ (ss_coded)1 << bit;
        for (unsigned t = 0; t < 12; t++) {
            const bool writes = t == when;
            in = (struct ss_scratch_in){
                .scrub_period = 60,
                .pair = {.write = writes && bank != 2, .write_at = 5, .data = {next, next}},
                .third = {.write = writes && bank == 2, .write_at = 5, .data = next}};
            ss_scratch(&s, &in);
        }
        wrong += *cell != ss_cell_encode(next);
    }
    /* holds ss_scratch.scrub */
    tap_equal(wrong, 0, "what is written around the scrubber's visit stays, at any clock");
}

static unsigned attach(unsigned index, unsigned portal, uint64_t bits)
{
    const uint64_t entry[7] = {index | portal << 12 | 1 << 22, bits, 0,
                               (uint64_t)1 << 15 | (uint64_t)7 << 32};
    const uint64_t md[7] = {index | 1 << 12 | 1 << 24 | (uint64_t)1 << 33, 0x1000, 0, SS_FOR_EVER};
    const unsigned status = bench_local(&b, SS_OP_ME, entry, 0);
    return status ? status : bench_local(&b, SS_OP_MD, md, 4096);
}

static bool takes(unsigned portal, uint64_t bits)
{
    const struct ss_ask ask = {
        .whole = 1, .flit = {1 | portal << 8 | (uint64_t)PID << 16, bits, 0, 0, 0, USER}};
    const struct ss_decision d = bench_ask(&b, &ask);
    bench_settle(&b);
    if (d.takes)
        bench_end(&b, d.place, 0);
    bench_settle(&b);
    uint64_t event[8];
    while (bench_event(&b, event)) {
    }
    return d.takes;
}

/* An uncorrectable error stops one list, until an entry is made in it. */
static void poisoned(void)
{
    bench_start(&b, PID, USER, 1);
    bool good = attach(1, 4, 10) == 0 && attach(2, 4, 20) == 0 && attach(3, 5, 10) == 0;
    good = good && takes(4, 10) && takes(4, 20) && takes(5, 10);
    flip(1, 1, 3);
    tap_ok(good && takes(4, 10), "one wrong bit of an entry: found all the same");
    flip(1, 1, 3);
    flip(0, 1, 7);
    flip(0, 1, 20);
    tap_ok(!takes(4, 20) && !takes(4, 10) && takes(5, 10),
           "two wrong bits of an entry: its list takes nothing, others do");
    flip(0, 1, 7);
    flip(0, 1, 20);
    tap_ok(!takes(4, 20), "and so it stays when the bits are right again");
    /* holds ss_scratch.poison */
    tap_ok(attach(4, 4, 30) == 0 && takes(4, 20) && takes(4, 30),
           "until the driver makes an entry in it");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    bench_start(&b, PID, USER, 1);
    scrubbed();
    races();
    poisoned();
    return tap_done();
}
