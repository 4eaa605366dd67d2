// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_choice.c - which packet an output takes: the oldest, or inputs in turn; and ages on their way through a router.
 *
 * Built for seastar, seastar2: fast.
 */
#include "tb/blocks/seastar/router/ss_router_bench.h"

enum { TO = 0 };

static struct ss_bench b;

static void start(uint64_t seed, uint64_t age_rr)
{
    ss_bench_start(&b, seed);
    b.in.age_rr = age_rr;
    for (unsigned o = 0; o < SS_PORTS; o++) {
        b.receiver[o] = (struct bench_receiver){.ready = 1, .drains = 1};
    }
}

/* One packet of each link for the node, of that age, all in the same clock: the order in which their heads are shown. */
static void order(unsigned shown[SS_PORTS], const unsigned age[SS_PORTS])
{
    unsigned count = 0;

    for (unsigned p = 1; p < SS_PORTS; p++) {
        ss_bench_stream(&b, p, TO, GOLDEN_SS_LONGEST);
        b.sender[p].vcs = 1;
        b.sender[p].youngest = b.sender[p].age = age[p];
    }
    ss_bench_step(&b);
    for (unsigned p = 1; p < SS_PORTS; p++) {
        b.sender[p].begins = 0;
    }
    for (unsigned i = 0; i < 200 && count + 1 < SS_PORTS; i++) {
        const struct ss_port_out *out = &b.router.out.to[TO];

        if (out->valid && out->head) {
            shown[count++] = (unsigned)(out->flit >> 28) & 7;
        }
        ss_bench_step(&b);
    }
    ss_bench_drain(&b, 500);
}

/* holds ss_choice.age */
static void oldest_first(uint64_t seed, unsigned rounds)
{
    struct misses missed = {0};

    start(seed, UINT64_MAX);
    for (unsigned round = 0; round < rounds; round++) {
        unsigned shown[SS_PORTS] = {0}, age[SS_PORTS] = {0};

        for (unsigned p = 1; p < SS_PORTS; p++) {
            age[p] = rng_below(&b.rng, 40) * 10 + p; /* no two are equal */
        }
        order(shown, age);
        for (unsigned k = 1; k + 1 < SS_PORTS; k++) {
            must_at_least(&missed, age[shown[k - 1]], age[shown[k]], "round %u: packet %u", round,
                          k);
        }
    }
    tap_misses(&missed, "by age: the oldest goes first");
}

/* In choices that do not count ages: inputs in turn, the same turn in each round, and the old packet is the last of it. */
static void in_turn(uint64_t seed, unsigned rounds)
{
    struct misses missed = {0};

    start(seed, 0);
    for (unsigned round = 0; round < rounds; round++) {
        unsigned shown[SS_PORTS] = {0}, age[SS_PORTS] = {0};

        age[SS_PORTS - 1] = GOLDEN_SS_OLDEST;
        order(shown, age);
        for (unsigned k = 0; k + 1 < SS_PORTS; k++) {
            must_equal(&missed, shown[k], k + 1, "round %u: packet %u is from input", round, k);
        }
    }
    tap_misses(&missed, "without ages: inputs in turn");
}

/* Choice n counts ages if bit n says so: one bit of 64, and the old packet is first once in 64 choices. */
static void one_in_64(uint64_t seed)
{
    const unsigned per_round = SS_PORTS - 1, rounds = 64;
    unsigned old_first = 0, in_turn_first = 0;

    for (unsigned by_age = 0; by_age < 2; by_age++) {
        start(seed, by_age ? UINT64_MAX : UINT64_MAX - 1);
        for (unsigned round = 0; round < rounds; round++) {
            unsigned shown[SS_PORTS] = {0}, age[SS_PORTS] = {0};

            age[SS_PORTS - 1] = GOLDEN_SS_OLDEST;
            order(shown, age);
            *(by_age ? &old_first : &in_turn_first) += shown[0] == SS_PORTS - 1;
        }
    }
    /* choice 0 of 64 opens one round of each 64 / gcd(64, per_round) */
    tap_equal(old_first, rounds, "all bits: the old packet is first in each round");
    tap_at_least(in_turn_first, rounds - per_round, "one bit less: in nearly each");
    tap_at_most(in_turn_first, rounds - 1, "but not in each");
}

/* holds ss_router.age: biases and ticks, exactly, of a packet that waits for a known time. */
static void ages(uint64_t seed)
{
    static const unsigned waits[] = {0, 1, 50, 300};
    struct misses missed = {0};

    for (unsigned period = 1; period <= 16; period *= 4) {
        for (unsigned k = 0; k < 4; k++) {
            const unsigned age = 100, bias = 7 + k;
            unsigned clocks = 0;

            start(seed, 0);
            b.in.age_period = (u16)(period - 1);
            b.in.bias_request[1] = (ss_age)bias;
            b.in.from[TO].room = 0;
            ss_bench_stream(&b, 1, TO, 2);
            b.sender[1].vcs = 1;
            b.sender[1].youngest = b.sender[1].age = age;
            b.closed = true;
            ss_bench_step(&b);
            ss_bench_step(&b);
            b.sender[1].begins = 0;
            for (unsigned i = 0; i < waits[k]; i++) {
                ss_bench_step(&b);
            }
            b.closed = false;
            while (!b.router.out.to[TO].valid && clocks < 100) {
                ss_bench_step(&b);
                clocks++;
            }
            /* stored in clock 2; offered three clocks before it is shown */
            const unsigned shown = 2 + waits[k] + clocks - 1, waited = shown - 3 - 2;
            const unsigned seen = golden_ss_parse(b.router.out.to[TO].flit).age;

            must_at_least(&missed, seen, age + bias + waited / period, "period %u, wait %u", period,
                          waits[k]);
            must_at_most(&missed, seen, age + bias + waited / period + (period > 1),
                         "period %u, wait %u", period, waits[k]);
            ss_bench_drain(&b, 100);
        }
    }
    tap_misses(&missed, "an age grows by the bias and by ticks");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    oldest_first(seed, 300);
    in_turn(seed, 60);
    one_in_64(seed);
    ages(seed);
    return tap_done();
}
