// SPDX-License-Identifier: Apache-2.0
/*
 * test_matrix.c - the process matrix against products of plain arrays, clock by clock, with writes in the middle.
 *
 * Behind the clock of go, or of the take of a sum, 8 pairs of words are read, one in every second clock beginning with the next; a sum is
 * offered 16 clocks behind it. A word is read as it was before the write of the same clock.
 *
 * Built for aries: san.
 */
#include "rtl_gen/test/processes/matrix.h"
#include "tb/base/harness.h"

enum { SIZE = 8, SUMS = SIZE * SIZE, CLOCKS = 400000 };

static struct matrix dut;
static uint64_t now;
static struct misses wrong;
static unsigned states; /* in which it was reset, as bits */

struct golden {
    uint64_t sum;
    uint16_t a[SIZE][SIZE], b[SIZE][SIZE];
    unsigned at;    /* the sum under way; SUMS: it rests */
    unsigned since; /* clocks since it began */
    uint64_t products;
};

static struct golden golden;

static bool offers(void)
{
    return golden.at < SUMS && golden.since == 2 * SIZE;
}

static void begin(unsigned at)
{
    golden.at = at;
    golden.since = 0;
    golden.sum = at < SUMS ? 0 : golden.sum;
}

static void golden_clock(const struct matrix_in *in)
{
    if (golden.at == SUMS) {
        if (in->go)
            begin(0);
    } else if (offers()) {
        if (in->take) {
            golden.products += golden.at == SUMS - 1;
            begin(golden.at + 1);
        }
    } else {
        golden.since++;
    }
    /* the sum is complete with the last product: what is under way is compared then alone */
    if (golden.at < SUMS && golden.since % 2 == 1) {
        const unsigned k = golden.since / 2;
        golden.sum += (uint64_t)golden.a[golden.at / SIZE][k] * golden.b[k][golden.at % SIZE];
    }
    if (in->write)
        (in->second ? golden.b : golden.a)[in->addr / SIZE][in->addr % SIZE] = in->data;
}

struct habits {
    unsigned go, take, write; /* one of so many clocks; 0: none */
    unsigned bits;            /* of the words */
};

static bool now_and_then(struct rng *r, unsigned n)
{
    return n && rng_below(r, n) == 0;
}

static void clock(struct rng *r, const struct habits *h)
{
    const struct matrix_in in = {.go = now_and_then(r, h->go),
                                 .take = now_and_then(r, h->take),
                                 .write = now_and_then(r, h->write),
                                 .second = (u1)rng_below(r, 2),
                                 .addr = (u6)rng_below(r, 64),
                                 .data = (u16)((rng_next(r) & 65535) >> (16 - h->bits))};
    golden_clock(&in);
    matrix(&dut, &in);
    now++;
    must_equal(&wrong, dut.out.valid, offers(), "valid");
    must_equal(&wrong, dut.out.ready, golden.at == SUMS, "ready");
    if (offers())
        must_equal(&wrong, dut.out.sum, golden.sum, "sum %u", golden.at);
}

/* Of the run before nothing is left but the words of the memories. */
static void reset(void)
{
    states |= 1u << dut.at;
    matrix_reset(&dut);
    must(&wrong, (dut.i | dut.j | dut.k | dut.a_word | dut.b_word) == 0,
         "a register is not 0 behind reset");
    must_equal(&wrong, dut.out.sum, 0, "sum behind reset");
    begin(SUMS);
}

static void run(struct rng *r, struct habits h, unsigned clocks)
{
    reset();
    for (unsigned i = 0; i < clocks; i++)
        clock(r, &h);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    reset();
    tap_ok(dut.out.ready && !dut.out.valid, "ready behind reset");
    run(&r, (struct habits){.write = 1, .bits = 16}, 1000);
    run(&r, (struct habits){.go = 1, .take = 1, .bits = 16}, 10 * (SUMS * (2 * SIZE + 1) + 1));
    tap_ok(golden.products == 10, "products one behind the other: %d clocks and one each",
           SUMS * (2 * SIZE + 1));
    run(&r, (struct habits){.go = 50, .take = 5, .write = 3, .bits = 16}, CLOCKS);
    for (unsigned i = 0; i < 200; i++) /* reset in any clock */
        run(&r, (struct habits){.go = 4, .take = 2, .write = 2, .bits = 16},
            (unsigned)rng_below(&r, 2500));
    tap_ok(states == 15, "reset in each of the four states");
    tap_note("%llu products", (unsigned long long)golden.products);
    tap_misses(&wrong, "sums to the clock, with writes and waits in the middle");
    return tap_done();
}
