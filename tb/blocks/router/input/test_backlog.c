// SPDX-License-Identifier: Apache-2.0
/*
 * test_backlog.c - backlog against a list of the flits that are on their way at random, and at its two bounds.
 *
 * Built for routers: san. Recorded for backlog.
 */
#include "router/input/backlog.h"
#include "tb/base/harness.h"

#include <string.h>

/* Staging and a row buffer hold a longest packet each, of 14 flits 16. */
enum { PLACES = RTR_STAGE_LOG2 == 4 ? 32 : 64, ONE = PLACES * 3 / 4, BOTH = PLACES / 2 };
enum { VCS = RTR_VCS, CLOCKS = 60000 };

static struct backlog dut;
static struct backlog_in in;
static unsigned held[RTR_COLS][VCS];
static uint64_t now;
static struct misses full_wrong;

static unsigned of_class(unsigned col, bool response)
{
    unsigned sum = 0;
    for (unsigned vc = response ? VCS / 2 : 0; vc < (response ? VCS : VCS / 2); vc++)
        sum += held[col][vc];
    return sum;
}

static bool full(unsigned col, bool response)
{
    const unsigned own = of_class(col, response), other = of_class(col, !response);
    return own >= ONE || (own >= BOTH && other >= BOTH);
}

/* What was full before this clock, is said after it. */
static void clock_and_compare(void)
{
    bool want[2][RTR_COLS];
    for (unsigned c = 0; c < RTR_COLS; c++)
        for (unsigned response = 0; response < 2; response++)
            want[response][c] = full(c, response);
    backlog(&dut, &in);
    now++;
    for (unsigned c = 0; c < RTR_COLS; c++) {
        must_equal(&full_wrong, dut.out.full_request >> c & 1, want[0][c],
                   "column %u: full of requests", c);
        must_equal(&full_wrong, dut.out.full_response >> c & 1, want[1][c],
                   "column %u: full of responses", c);
    }
    if (in.routed)
        held[in.col][in.vc]++;
    for (unsigned c = 0; c < RTR_COLS; c++)
        if (in.freed[c].valid)
            held[c][in.freed[c].vc]--;
    memset(&in, 0, sizeof in);
}

static void start(void)
{
    memset(&dut, 0xff, sizeof dut);
    memset(&in, 0, sizeof in);
    memset(held, 0, sizeof held);
    backlog_reset(&dut);
}

/* Flits come and go at rates that change, so that counts wander over all they can be. */
static void at_random(uint64_t seed)
{
    struct rng rng;
    unsigned was_full[2] = {0}, both = 0;
    rng_seed(&rng, seed);
    start();
    for (unsigned t = 0, drain = 0; t < CLOCKS; t++) {
        if (t % 256 == 0)
            drain = rng_below(&rng, 30);
        const unsigned col = rng_below(&rng, RTR_COLS), vc = rng_below(&rng, VCS);
        if (held[col][vc] < PLACES - 1 && rng_below(&rng, 8) != 0) {
            in.routed = 1;
            in.col = (rtr_col)col;
            in.vc = (rtr_vc)vc;
        }
        for (unsigned c = 0; c < RTR_COLS; c++) {
            const unsigned freed = rng_below(&rng, VCS);
            if (held[c][freed] > 0 && rng_below(&rng, 100) < drain)
                in.freed[c] = (struct vc_note){1, (rtr_vc)freed};
            was_full[0] += full(c, false);
            was_full[1] += full(c, true);
            both += full(c, false) && of_class(c, false) < ONE;
        }
        clock_and_compare();
    }
    for (unsigned response = 0; response < 2; response++)
        must_at_least(&full_wrong, was_full[response], 100, "columns full of class %u", response);
    must_at_least(&full_wrong, both, 100, "columns full by flits of both classes");
    /* holds route.backlog */
    tap_misses(&full_wrong, "full columns of both classes are those of a list of flits");
}

/* So many flits of a class for a column, and a clock. */
static void bring(unsigned col, bool response, unsigned flits)
{
    for (unsigned i = 0; i < flits; i++) {
        in.routed = 1;
        in.col = (rtr_col)col;
        in.vc = (rtr_vc)(response ? VCS / 2 : 0);
        clock_and_compare();
    }
    clock_and_compare();
}

/* Columns that are full of requests and of responses, with so many flits of each in one column. */
static void must_be_full(struct misses *m, unsigned requests, unsigned responses, unsigned col)
{
    must_equal(m, dut.out.full_request, requests, "columns full of requests, column %u has %u, %u",
               col, of_class(col, false), of_class(col, true));
    must_equal(m, dut.out.full_response, responses,
               "columns full of responses, column %u has %u, %u", col, of_class(col, false),
               of_class(col, true));
}

static void bounds(void)
{
    struct misses wrong = {0};

    full_wrong = (struct misses){0};
    for (unsigned c = 0; c < RTR_COLS; c++)
        for (unsigned response = 0; response < 2; response++) {
            const unsigned bit = 1u << c;
            start();
            bring(c, response, ONE - 1);
            must_be_full(&wrong, 0, 0, c);
            bring(c, response, 1);
            must_be_full(&wrong, response ? 0 : bit, response ? bit : 0, c);
            start();
            bring(c, response, BOTH);
            bring(c, !response, BOTH - 1);
            must_be_full(&wrong, 0, 0, c);
            bring(c, !response, 1);
            must_be_full(&wrong, bit, bit, c);
        }
    misses_add(&wrong, &full_wrong);
    /* holds route.full */
    tap_misses(&wrong, "a column is full with %d flits of a class, or %d of each", ONE, BOTH);
}

int main(int argc, char **argv)
{
    harness_clock = &now;
    at_random(test_seed(argc, argv));
    bounds();
    return tap_done();
}
