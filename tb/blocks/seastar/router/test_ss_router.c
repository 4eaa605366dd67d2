// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_router.c - the router of SeaStar alone: every packet once, whole, where its table says; clocks and rates.
 *
 * Built for seastar: fast; seastar2: san. Recorded for ss_router of seastar2.
 */
#include "tb/blocks/seastar/router/ss_router_bench.h"

static struct ss_bench b;

static void take_all(double ready, unsigned period, double drains)
{
    for (unsigned o = 0; o < SS_PORTS; o++) {
        b.receiver[o] = (struct bench_receiver){.ready = ready, .period = period, .drains = drains};
    }
}

static void run(uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks; i++) {
        ss_bench_step(&b);
    }
}

/* ---- disorder -------------------------------------------------------------------------------------- */

static struct bench_sender any_sender(struct rng *r)
{
    struct bench_sender s = {.begins = rng_below(r, 2) ? 1 : 0.05,
                             .gap = 0.3 * rng_below(r, 3),
                             .whole = 0.25 * rng_below(r, 5),
                             .lies = 0.5 * rng_below(r, 2),
                             .illegal = 0.1 * rng_below(r, 2),
                             .strange = 0.1 * rng_below(r, 2),
                             .bad = 0.05,
                             .shortest = 1,
                             .longest = 1 + rng_below(r, GOLDEN_SS_LONGEST),
                             .vcs = 1 + rng_below(r, 15),
                             .entries = 1 + rng_below(r, BENCH_ENTRIES),
                             .far = 0.2 * rng_below(r, 2),
                             .age = rng_below(r, 2) ? GOLDEN_SS_OLDEST : 3};

    for (unsigned i = 0; i < s.entries; i++) {
        s.entry[i] = rng_below(r, BENCH_ENTRIES);
    }
    return s;
}

/* holds ss_router.order, ss_router.bad, ss_router.way, ss_router.no_way, ss_router.dropped, ss_router.credit */
static void disorder(uint64_t seed, unsigned rounds)
{
    uint64_t undrained = 0;

    ss_bench_start(&b, seed);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned p = 0; p < SS_PORTS; p++) {
            b.sender[p] = any_sender(&b.rng);
            b.receiver[p] = (struct bench_receiver){.ready = 0.25 * (1 + rng_below(&b.rng, 4)),
                                                    .period = 10 * rng_below(&b.rng, 2),
                                                    .drains = rng_below(&b.rng, 2) ? 1 : 0.1};
            b.in.from[p].dead = rng_below(&b.rng, 8) == 0;
            b.in.bias_request[p] = (ss_age)(rng_below(&b.rng, 2) * rng_below(&b.rng, 2048));
            b.in.bias_response[p] = (ss_age)(rng_below(&b.rng, 2) * rng_below(&b.rng, 2048));
        }
        b.in.age_rr = rng_next(&b.rng);
        run(3000);
        take_all(1, 0, 1);
        undrained += !ss_bench_drain(&b, 20000);
    }
    ss_bench_verdict(&b, "disorder");
    tap_equal(undrained, 0, "disorder: everything is through, and every credit back");
    tap_equal(b.delivered, b.dropped[GOLDEN_SS_GOES], "disorder: nothing is lost");
    tap_equal(b.events[GOLDEN_SS_ILLEGAL], b.dropped[GOLDEN_SS_ILLEGAL],
              "illegal heads are counted");
    tap_equal(b.events[GOLDEN_SS_NO_WAY], b.dropped[GOLDEN_SS_NO_WAY],
              "packets without a way are counted");
    tap_equal(b.events[GOLDEN_SS_DEAD], b.dropped[GOLDEN_SS_DEAD],
              "packets for a dead output are counted");
    tap_ok(b.dropped[GOLDEN_SS_ILLEGAL] > 100 && b.dropped[GOLDEN_SS_NO_WAY] > 100 &&
               b.dropped[GOLDEN_SS_DEAD] > 10,
           "some of each are sent");
}

/* ---- clocks ------------------------------------------------------------------------------------------ */

/* holds ss_router.latency: from the clock of a head to that in which the link sees it. */
static void latency(uint64_t seed)
{
    const unsigned from = 1, to = 0;
    uint64_t clocks = 0;

    ss_bench_start(&b, seed);
    take_all(1, 0, 1);
    run(4);
    ss_bench_stream(&b, from, to, GOLDEN_SS_LONGEST);
    ss_bench_step(&b);
    b.sender[from].begins = 0;
    while (!b.router.out.to[to].valid && clocks < 100) {
        ss_bench_step(&b);
        clocks++;
    }
    /* shown behind the call of clock k, it is seen in clock k + 1 */
    tap_equal(clocks + 1, 7, "head to head through an idle router: clocks");
    tap_ok(ss_bench_drain(&b, 100), "and all of it is through");
    ss_bench_verdict(&b, "alone");
}

/* ---- rates ------------------------------------------------------------------------------------------- */

static double measure(uint64_t clocks)
{
    run(2000);
    ss_bench_clear(&b);
    run(clocks);
    return ss_bench_rate(&b, clocks);
}

/* holds ss_router.uniform */
static void uniform(uint64_t seed)
{
    ss_bench_start(&b, seed);
    take_all(1, 0, 1);
    for (unsigned p = 0; p < SS_PORTS; p++) {
        ss_bench_stream(&b, p, 0, GOLDEN_SS_LONGEST);
        b.sender[p].entries = 0;
        for (unsigned o = 0; o < SS_PORTS; o++) {
            if (o != p) {
                b.sender[p].entry[b.sender[p].entries++] = o;
            }
        }
    }
    const double round_robin = measure(150000);

    tap_ok(round_robin >= 0.82, "uniform, all inputs full: %.3f flits per clock and port",
           round_robin);
    b.in.age_rr = (u64)-1;
    const double by_age = measure(150000);

    tap_ok(by_age >= 0.82, "the same by age: %.3f", by_age);
    ss_bench_verdict(&b, "uniform");
}

/* holds ss_router.permutation */
static void permutation(uint64_t seed, unsigned length, unsigned period, double wanted)
{
    ss_bench_start(&b, seed);
    take_all(1, period, 1);
    for (unsigned p = 0; p < SS_PORTS; p++) {
        ss_bench_stream(&b, p, (p + 1) % SS_PORTS, length);
    }
    const double rate = measure(5000);

    tap_ok(rate >= wanted, "permutation, %u flits, link takes %s: %.4f flits per clock and port",
           length, period ? "nine in ten" : "all", rate);
    ss_bench_verdict(&b, "permutation");
}

/* holds ss_choice.turns: all inputs but its own to one output. */
static void to_one(uint64_t seed)
{
    const unsigned to = 0;
    double worst = 0;

    ss_bench_start(&b, seed);
    take_all(1, 0, 1);
    for (unsigned p = 1; p < SS_PORTS; p++) {
        ss_bench_stream(&b, p, to, GOLDEN_SS_LONGEST);
    }
    measure(40000);
    for (unsigned p = 1; p < SS_PORTS; p++) {
        const double share = (double)b.by_input[to][p] * (SS_PORTS - 1) / (double)b.flits[to];

        worst = share > 1 + worst ? share - 1 : 1 - share > worst ? 1 - share : worst;
    }
    tap_ok(worst <= 0.05,
           "%u inputs to one output, round robin: shares within %.3f of the even one", SS_PORTS - 1,
           worst);
    ss_bench_verdict(&b, "to one");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    latency(seed);
    disorder(seed, 12);
    uniform(seed);
    permutation(seed, GOLDEN_SS_LONGEST, 0, 0.999);
    permutation(seed, GOLDEN_SS_LONGEST, 10, 0.899);
    to_one(seed);
    return tap_done();
}
