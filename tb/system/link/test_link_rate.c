// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_rate.c - what a link carries, and how fast.
 *
 * Payload flits per clock and direction without errors: 9 of 10, on one VC as on eight, as long as
 * the window of 64 micropackets covers the round trip. Goodput with errors in both directions
 * against (1-p) / (1+(W-1)p), p = 1-(1-BER)^480, where W is the error-free round trip measured in
 * micropackets: those begun from one on until one can be repeated that knows of its acknowledgement.
 * Latency from the clock in which a flit is taken to the one in which it comes out, with a cable of
 * no length. All measured in clocks, none in seconds. LAGS=5 tries more ways for micropackets to lie, DELAYS=4 the
 * longest cable, too.
 *
 * Built for aries: fast.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 20000, WARM_UP = 5000, DRAIN_LIMIT = 100000 };

static struct bench b;

static uint64_t delivered(void)
{
    return b.end[0].flow.delivered + b.end[1].flow.delivered;
}

static bool up(const struct bench_config *config, uint64_t seed)
{
    bench_start(&b, config, seed);
    const bool runs = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, WARM_UP);
    return runs;
}

/* Flits per clock and direction over the clocks from now on. */
static double rate_over(uint64_t clocks)
{
    const uint64_t before = delivered();
    bench_run(&b, clocks);
    return (double)(delivered() - before) / (2.0 * (double)clocks);
}

/* Ends a run: the check holds only if all was delivered besides. */
__attribute__((format(printf, 2, 3))) static void finish(bool pass, const char *name, ...)
{
    char text[160];
    va_list args;
    va_start(args, name);
    vsnprintf(text, sizeof text, name, args);
    va_end(args);
    const bool drained = bench_drain(&b, DRAIN_LIMIT);
    const bool clean = bench_clean(&b);
    tap_ok(pass && drained && clean, "%s", text);
    bench_free(&b);
}

static void set_delay(struct bench_config *config, unsigned delay)
{
    config->cable[0].delay = config->cable[1].delay = delay;
}

/* An input queue that covers any round trip of the window. */
static void set_deep_queues(struct bench_config *config)
{
    config->traffic[0].shared = config->traffic[1].shared = 127 * 8;
}

static void set_packets(struct bench_config *config, uint8_t vcs, unsigned least, unsigned most)
{
    for (unsigned e = 0; e < 2; e++) {
        config->traffic[e].vcs = vcs;
        config->traffic[e].min_length = least;
        config->traffic[e].max_length = most;
    }
}

static void throughput(uint64_t seed)
{
    static const struct {
        const char *name;
        uint8_t vcs;
        unsigned least, most;
    } cases[] = {{"eight VCs, packets of 1 to 14", 0xff, 1, 14},
                 {"one VC, packets of 2 to 14", 0x04, 2, 14},
                 {"one VC, packets of 2", 0x80, 2, 2},
                 {"eight VCs, packets of 16", 0xff, 16, 16}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench_config config = bench_defaults();
        set_packets(&config, cases[i].vcs, cases[i].least, cases[i].most);
        const bool runs = up(&config, seed + i);
        const double rate = rate_over(40000);
        finish(runs && rate >= 0.8999, "%s: %.4f flits per clock", cases[i].name, rate);
    }
}

/* Up to the round trip that 64 micropackets cover the rate is full; beyond, the window limits it. */
static void window(uint64_t seed)
{
    static const unsigned delay[] = {0, 1, 37, 100, 173, 240, 280, 300, 400};
    for (unsigned i = 0; i < sizeof delay / sizeof *delay; i++) {
        for (unsigned vcs = 1; vcs <= 8; vcs += 7) {
            struct bench_config config = bench_defaults();
            set_delay(&config, delay[i]);
            set_deep_queues(&config);
            set_packets(&config, vcs == 1 ? 0x10 : 0xff, 2, 14);
            const bool runs = up(&config, seed + i);
            const double rate = rate_over(20000);
            const struct bench_trip *t = &b.end[0].trip;
            const double trip = (double)t->micropackets / (double)t->count;
            const double most = trip <= 64 ? 0.9 : 0.9 * 64 / trip;
            finish(runs && rate >= most * 0.985 && (trip > 64 || rate >= 0.8999),
                   "delay %u, round trip of %.1f micropackets, VCs %u: %.4f flits per clock",
                   delay[i], trip, vcs, rate);
        }
    }
}

/* Mean error-free round trip of both directions of the running session, in micropackets; 0 if none. */
static double measure_trip(void)
{
    double sum = 0;
    for (unsigned e = 0; e < 2; e++) {
        struct bench_trip *t = &b.end[e].trip;
        t->clocks = t->micropackets = t->repeats = t->count = 0;
        bench_run(&b, 4000);
        sum += t->count ? (double)t->repeats / (double)t->count : 0;
    }
    return sum / 2;
}

/*
 * The round trip depends on how the micropackets of the two directions lie against each other, and
 * that is decided at bring-up: so it is measured in the very session that then gets the errors. The
 * cable back is longer by `lag` clocks; the errors last `clocks` and, for each micropacket of the
 * round trip, `clocks_per_trip` more.
 */
struct noisy_run {
    unsigned delay, lag;
    double ber, clocks, clocks_per_trip;
};

static void goodput_of(const struct noisy_run *r, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    config.cable[0].delay = r->delay;
    config.cable[1].delay = r->delay + r->lag;
    set_deep_queues(&config);
    const bool runs = up(&config, seed);
    const double trip = measure_trip();
    for (unsigned e = 0; e < 2; e++) {
        config.cable[e].ber = r->ber;
        bench_cable(&b, e, &config.cable[e]);
    }
    const double rate = rate_over((uint64_t)(r->clocks + r->clocks_per_trip * trip)) / 0.9;
    const double p = 1 - pow(1 - r->ber, GOLDEN_BITS);
    const double formula = (1 - p) / (1 + (trip - 1) * p);
    finish(runs && rate > formula * 0.98,
           "BER %g, delays %u and %u, round trip %.1f micropackets: goodput %.4f, formula %.4f, "
           "ratio %.4f",
           r->ber, r->delay, r->delay + r->lag, trip, rate, formula, rate / formula);
}

/*
 * With errors goodput is a mean over few replays, so runs are as long as it takes for their spread
 * to be far below the 2 % allowed: longer with the round trip. Where the ratio is lowest (12.5
 * micropackets at 1e-4: how long a nak waits for the end of a micropacket and the next fetch counts
 * most there) `lags` seeds and ways for the micropackets to lie are tried.
 */
static void goodput(uint64_t seed, unsigned lags, unsigned delays)
{
    enum { NEAR = 43, FIRST_LAG = 5 };
    static const struct {
        double ber, clocks, clocks_per_trip;
    } noise[] = {{1e-9, 100000, 0},
                 {1e-7, 100000, 0},
                 {1e-6, 100000, 0},
                 {1e-5, 200000, 25000},
                 {3e-5, 200000, 25000}};
    static const unsigned delay[] = {1, NEAR, 96, 207};
    for (unsigned d = 0; d < delays && d < sizeof delay / sizeof *delay; d++) {
        for (unsigned i = 0; i < sizeof noise / sizeof *noise; i++)
            goodput_of(&(struct noisy_run){delay[d], i, noise[i].ber, noise[i].clocks,
                                           noise[i].clocks_per_trip},
                       seed + i);
        for (unsigned i = 0; i < (delay[d] == NEAR ? lags : 1); i++)
            goodput_of(&(struct noisy_run){delay[d], FIRST_LAG + i, 1e-4, 0,
                                           delay[d] == NEAR ? 160000 : 100000},
                       seed + FIRST_LAG + i);
    }
}

/*
 * A mark ends its micropacket and the next one is idle. So when all flits one way are marked, they come one in
 * two micropackets, and the other way keeps its rate: its credits travel in the idle ones.
 */
static void marks(uint64_t seed)
{
    static const unsigned delay[] = {1, 150};
    for (unsigned i = 0; i < sizeof delay / sizeof *delay; i++) {
        struct bench_config config = bench_defaults();
        set_delay(&config, delay[i]);
        set_deep_queues(&config);
        config.traffic[0].mark = 1;
        const bool runs = up(&config, seed + i);
        const uint64_t before[2] = {b.end[0].flow.delivered, b.end[1].flow.delivered};
        bench_run(&b, 40000);
        const double marked = (double)(b.end[0].flow.delivered - before[0]) / 40000;
        const double plain = (double)(b.end[1].flow.delivered - before[1]) / 40000;
        /* holds link.marks */
        finish(runs && marked >= 0.0499 && plain >= 0.8999,
               "delay %u, all flits marked: %.4f flits per clock, %.4f the other way", delay[i],
               marked, plain);
    }
}

/* The router sees a flit 18 clocks after it was taken: 17 later it stands in the link's output. */
static void latency(uint64_t seed)
{
    enum { LATENCY = 17 };
    struct bench_config config = bench_defaults();
    set_delay(&config, 0);
    bool runs = up(&config, seed);
    bench_run(&b, 20000);
    const uint64_t busy = b.end[0].latency_most;
    /* holds link.latency */
    finish(runs && busy <= LATENCY,
           "latency with a cable of no length, saturated: at most %" PRIu64, busy);

    config.traffic[0].load = config.traffic[1].load = 0.004;
    runs = up(&config, seed);
    bench_run(&b, 100000);
    const struct bench_end *e = &b.end[0];
    finish(runs && e->latency_most <= LATENCY,
           "latency with a cable of no length, idle link: at most %" PRIu64 ", mean %.1f",
           e->latency_most, (double)e->latency_sum / (double)e->latency_count);
}

int main(int argc, char **argv)
{
    uint64_t seed;
    unsigned lags = 1, delays = 3;
    test_options(
        argc, argv, &seed,
        args_unsigned("--lags", &lags, 1, UINT_MAX,
                      "ways for the micropackets to lie, at the delay where most depends on it"),
        args_unsigned("--delays", &delays, 1, UINT_MAX, "delays of the cable that are tried"));
    throughput(seed);
    marks(seed);
    window(seed);
    goodput(seed, lags, delays);
    latency(seed);
    return tap_done();
}
