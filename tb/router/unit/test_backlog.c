// SPDX-License-Identifier: Apache-2.0
/*
 * test_backlog.c - backlog against a list of the flits that are on their way at random, and at its two bounds.
 */
#include "router/backlog.h"
#include "tb/base/harness.h"

#include <string.h>

enum { VCS = RTR_VCS, ONE = 24, BOTH = 16, PLACES = 32, CLOCKS = 60000 };

static struct backlog dut;
static struct backlog_in in;
static unsigned held[RTR_COLS][VCS];

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
static unsigned clock_and_compare(void)
{
    unsigned requests = 0, responses = 0;
    for (unsigned c = 0; c < RTR_COLS; c++) {
        requests |= (unsigned)full(c, false) << c;
        responses |= (unsigned)full(c, true) << c;
    }
    backlog(&dut, &in);
    if (in.routed)
        held[in.col][in.vc]++;
    for (unsigned c = 0; c < RTR_COLS; c++)
        if (in.freed[c].valid)
            held[c][in.freed[c].vc]--;
    memset(&in, 0, sizeof in);
    return (requests != dut.out.full_request) + (responses != dut.out.full_response);
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
    unsigned wrong = 0, was_full[2] = {0}, both = 0;
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
        wrong += clock_and_compare();
    }
    tap_why("%u clocks differ; full %u, %u, by both classes %u", wrong, was_full[0], was_full[1],
            both);
    /* holds route.backlog */
    tap_ok(wrong == 0 && was_full[0] > 100 && was_full[1] > 100 && both > 100,
           "full columns of both classes are those of a list of flits");
}

/* So many flits of a class for a column, and back. */
static unsigned bound(unsigned col, bool response, unsigned flits)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < flits; i++) {
        in.routed = 1;
        in.col = (rtr_col)col;
        in.vc = (rtr_vc)(response ? VCS / 2 : 0);
        wrong += clock_and_compare();
    }
    return wrong + clock_and_compare();
}

static void bounds(void)
{
    unsigned wrong = 0;
    for (unsigned c = 0; c < RTR_COLS; c++)
        for (unsigned response = 0; response < 2; response++) {
            const unsigned bit = 1u << c;
            start();
            wrong += bound(c, response, ONE - 1);
            wrong += (dut.out.full_request | dut.out.full_response) != 0;
            wrong += bound(c, response, 1);
            wrong += (response ? dut.out.full_response : dut.out.full_request) != bit;
            wrong += (response ? dut.out.full_request : dut.out.full_response) != 0;
            start();
            wrong += bound(c, response, BOTH) + bound(c, !response, BOTH - 1);
            wrong += (dut.out.full_request | dut.out.full_response) != 0;
            wrong += bound(c, !response, 1);
            wrong += dut.out.full_request != bit || dut.out.full_response != bit;
        }
    /* holds route.full */
    tap_ok(wrong == 0, "a column is full with %d flits of a class, or %d of each", ONE, BOTH);
}

int main(int argc, char **argv)
{
    at_random(test_seed(argc, argv));
    bounds();
    return tap_done();
}
