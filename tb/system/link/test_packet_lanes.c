// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_lanes.c - packet mode while lanes die and come back: nothing lost, and the rate of the lanes that are left.
 *
 * Built for proto24: san.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tb/system/link/pkt_bench.h"

enum { UP_LIMIT = 30000, DRAIN_LIMIT = 400000, RATE_CLOCKS = 30000, SETTLE = 20000 };

static struct pkt_bench b;

static const char *const state_name[LANE_STATES] = {"good", "down", "stuck at 0", "stuck at 1",
                                                    "noise"};

static unsigned lanes_of(unsigned map)
{
    return (unsigned)__builtin_popcount(map);
}

/* Full rate of this many lanes: phits per clock on three, measured in the same run. */
static void rate_on(const char *name, unsigned dead, enum lane_state state, uint64_t seed)
{
    struct pkt_bench_config config = pkt_bench_defaults();
    for (unsigned i = 0; i < 2; i++) {
        config.traffic[i].min_length = config.traffic[i].max_length = 32;
        config.cable[i].delay = 20;
        config.cable[i].skew[i] = 7;
    }
    pkt_bench_start(&b, &config, seed);
    const bool up = pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    pkt_bench_run(&b, SETTLE);
    uint64_t before = b.end[0].taken;
    pkt_bench_run(&b, RATE_CLOCKS);
    const double whole = (double)(b.end[0].taken - before) / RATE_CLOCKS;
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        if (dead >> l & 1)
            b.cable[0].lane[l] = b.cable[1].lane[l] = state;
    pkt_bench_run(&b, SETTLE);
    before = b.end[0].taken;
    pkt_bench_run(&b, RATE_CLOCKS);
    const double rate = (double)(b.end[0].taken - before) / RATE_CLOCKS,
                 wanted = whole * (3 - lanes_of(dead)) / 3;
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT);
    if (pkt_bench_clean(&b))
        tap_why("up %d, drained %d, map %u, %.4f phits a clock of %.4f", up, drained,
                (unsigned)b.end[0].lcb->out.tx_map, rate, wanted);
    tap_ok(up && drained && pkt_bench_clean(&b) &&
               lanes_of((unsigned)b.end[0].lcb->out.tx_map) == 3 - lanes_of(dead) &&
               fabs(rate / wanted - 1) < 0.01,
           "lanes: %s, %s: nothing lost, and the rate of the others within 1 %%", name,
           state_name[state]);
    tap_note("%.4f phits a clock, %.4f on three lanes, %" PRIu64 " re-initialisations", rate, whole,
             pkt_bench_count(&b, 2, COUNT_REINITS));
    pkt_bench_free(&b);
}

/* Lanes die one after the other and in all ways, one way or both, and come back. */
static void come_and_go(double ber, uint64_t seed)
{
    struct pkt_bench_config config = pkt_bench_defaults();
    struct rng r;
    rng_seed(&r, seed);
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].ber = ber;
        config.cable[i].delay = 1 + rng_below(&r, 60);
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            config.cable[i].skew[l] = rng_below(&r, CHANNEL_MAX_SKEW + 1);
        config.traffic[i].bubble = 0.02;
        config.traffic[i].drain = 0.8;
    }
    pkt_bench_start(&b, &config, seed);
    const bool up = pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    for (unsigned n = 0; n < 24; n++) {
        pkt_bench_run(&b, 500 + rng_below(&r, 6000));
        const unsigned way = rng_below(&r, 3), lane = rng_below(&r, CHANNEL_LANES);
        const enum lane_state state = (enum lane_state)rng_below(&r, LANE_STATES);
        for (unsigned i = 0; i < 2; i++)
            if (way == i || way == 2)
                b.cable[i].lane[lane] = state;
        for (unsigned i = 0; i < 2; i++) /* one lane is left alive */
            if (b.cable[i].lane[0] && b.cable[i].lane[1] && b.cable[i].lane[2])
                b.cable[i].lane[rng_below(&r, CHANNEL_LANES)] = LANE_GOOD;
        if (n % 6 ==
            5) /* all is well again, before the limit of re-initialisations makes it a death */
            for (unsigned l = 0; l < CHANNEL_LANES; l++)
                b.cable[0].lane[l] = b.cable[1].lane[l] = LANE_GOOD;
    }
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        b.cable[0].lane[l] = b.cable[1].lane[l] = LANE_GOOD;
    for (unsigned i = 0; i < 2; i++)
        b.end[i].in.restart = b.end[i].lcb->out.state == LINK_DEAD;
    pkt_bench_step(&b);
    b.end[0].in.restart = b.end[1].in.restart = 0;
    pkt_bench_run(&b, SETTLE);
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT);
    const uint64_t reinits = pkt_bench_count(&b, 2, COUNT_REINITS),
                   good = b.end[0].ledger.good + b.end[1].ledger.good;
    if (pkt_bench_clean(&b))
        tap_why("up %d, drained %d, %" PRIu64 " re-initialisations, %" PRIu64 " good", up, drained,
                reinits, good);
    tap_ok(up && drained && pkt_bench_clean(&b) && reinits > 2 && good > 1000,
           "lanes: they die and come back at BER %.0e: each packet once, or reported", ber);
    tap_note("%" PRIu64 " packets, %" PRIu64 " re-initialisations, %" PRIu64 " deaths, %" PRIu64
             " cut, %" PRIu64 " reported",
             good, reinits, pkt_bench_count(&b, 2, COUNT_DEATHS),
             b.end[0].ledger.cut + b.end[1].ledger.cut,
             b.end[0].ledger.died + b.end[1].ledger.died);
    pkt_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        char name[32];
        snprintf(name, sizeof name, "lane %u", l);
        rate_on(name, 1u << l, (enum lane_state)(1 + l), seed + l);
        snprintf(name, sizeof name, "all but lane %u", l);
        rate_on(name, 7u & ~(1u << l), (enum lane_state)(l == 0 ? LANE_NOISE : LANE_DOWN),
                seed + 3 + l);
    }
    come_and_go(1e-9, seed + 10);
    come_and_go(1e-5, seed + 11);
    come_and_go(1e-4, seed + 12);
    return tap_done();
}
