// SPDX-License-Identifier: Apache-2.0
/*
 * test_gcd.c - the process gcd against Euclid's division: the result, and the clock in which it is there.
 *
 * By division a / b subtractions and an exchange are one round. A step takes a clock, the first one that of the operands, the result one
 * more.
 *
 * Built for aries: san.
 */
#include "rtl_gen/test/processes/gcd.h"
#include "tb/base/harness.h"

enum { RUNS = 20000 };

static struct gcd dut;
static uint64_t now;
static struct misses wrong;
static unsigned states; /* in which it was reset, as bits */

struct golden {
    unsigned result, clocks;
};

static struct golden golden_of(unsigned a, unsigned b)
{
    struct golden g = {.clocks = 1};
    while (b != 0) {
        const unsigned rest = a % b;
        g.clocks += a / b + 1;
        a = b;
        b = rest;
    }
    g.result = a;
    return g;
}

/* One clock; operands that nobody offers are anything. */
static void clock(struct rng *r, bool valid, unsigned a, unsigned b)
{
    gcd(&dut, &(struct gcd_in){.valid = valid,
                               .a = (u16)(valid ? a : rng_below(r, 65536)),
                               .b = (u16)(valid ? b : rng_below(r, 65536))});
    now++;
}

static void run(struct rng *r, unsigned a, unsigned b)
{
    const struct golden g = golden_of(a, b);
    const bool done = dut.out.done;
    const u16 before = dut.out.result;
    for (unsigned i = (unsigned)rng_below(r, 3); i > 0; i--) { /* it rests */
        clock(r, false, 0, 0);
        must_equal(&wrong, dut.out.done, done, "done of one that rests");
        must_equal(&wrong, dut.out.result, before, "result of one that rests");
        must(&wrong, dut.out.ready, "one that rests is not ready");
    }
    clock(r, true, a, b);
    for (unsigned i = 1; i < g.clocks; i++) {
        must(&wrong, !dut.out.done && !dut.out.ready, "ready or done in clock %u of %u", i,
             g.clocks);
        clock(r, rng_below(r, 2), (unsigned)rng_below(r, 65536), (unsigned)rng_below(r, 65536));
    }
    must(&wrong, dut.out.done && dut.out.ready, "%u and %u: not done in %u clocks", a, b, g.clocks);
    must_equal(&wrong, dut.out.result, g.result, "of %u and %u", a, b);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    gcd_reset(&dut);
    tap_ok(dut.out.ready && !dut.out.done && dut.out.result == 0, "ready behind reset");
    for (unsigned a = 0; a < 24; a++)
        for (unsigned b = 0; b < 24; b++)
            run(&r, a, b);
    run(&r, 65535, 1);
    run(&r, 1, 65535);
    run(&r, 46368, 28657); /* Fibonacci: most rounds */
    tap_taken(&wrong, "small operands, all of them, and the largest");
    for (unsigned i = 0; i < RUNS; i++) {
        const unsigned width = (unsigned)rng_below(&r, 9);
        run(&r, (unsigned)rng_below(&r, 65536) >> width,
            (unsigned)rng_below(&r, 65536) >> (8 - width));
        if (rng_below(&r, 100) == 0) { /* reset as it rests, or in the middle */
            for (unsigned k = (unsigned)rng_below(&r, 3); k > 0; k--)
                clock(&r, true, 60000, 7);
            states |= 1u << dut.at;
            gcd_reset(&dut);
        }
    }
    tap_ok(states == 3, "reset in both states");
    tap_misses(&wrong, "%d divisors, to the clock", RUNS);
    return tap_done();
}
