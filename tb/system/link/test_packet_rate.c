// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_rate.c - how fast packets go: phits per clock on clean lanes, goodput at bit error rates beside the formula, and clocks
 * from a flit that is taken to the flit that goes up. The figures go to build/reports/packet-rate.json.
 *
 * Goodput is (1 - p) / (1 + (W - 1) p) of the rate without errors: p the probability that a packet is in error, W the packets from a
 * head to its replay's, measured with one error.
 *
 * Built for proto24: san.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tb/system/link/pkt_bench.h"

enum {
    UP_LIMIT = 30000,
    WARM = 3000,
    CLOCKS = 20000,
    PAYLOAD_CLOCKS = 10000,
    NEAR = 1,
    FLIGHT = 8,
    FAR = 43 - FLIGHT + 1
};

static struct pkt_bench b;
static cJSON *list;

static void report_row(const char *name, double value, double wanted)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "name", name);
    cJSON_AddNumberToObject(row, "value", value);
    cJSON_AddNumberToObject(row, "wanted", wanted);
    cJSON_AddItemToArray(list, row);
}

static struct pkt_bench_config of_length(unsigned phits, unsigned vcs, unsigned delay, double ber)
{
    struct pkt_bench_config config = pkt_bench_defaults();
    for (unsigned i = 0; i < 2; i++) {
        config.traffic[i].min_length = config.traffic[i].max_length = phits;
        config.traffic[i].vcs = vcs;
        config.cable[i].delay = delay;
        config.cable[i].ber = ber;
    }
    return config;
}

/* Phits a clock that an end hands in. */
static double rate_of(const struct pkt_bench_config *config, bool one_way, uint64_t clocks,
                      uint64_t seed)
{
    pkt_bench_start(&b, config, seed);
    b.end[1].stopped = one_way;
    if (!pkt_bench_await(&b, LINK_RUN, UP_LIMIT))
        return 0;
    pkt_bench_run(&b, WARM);
    const uint64_t before = b.end[0].taken;
    pkt_bench_run(&b, clocks);
    return (double)(b.end[0].taken - before) / (double)clocks;
}

static void clean(const char *name, unsigned phits, unsigned vcs, bool one_way, double wanted,
                  uint64_t seed)
{
    const struct pkt_bench_config config = of_length(phits, vcs, FAR, 0);
    const double rate = rate_of(&config, one_way, CLOCKS, seed);
    tap_why("%.4f", rate);
    /* holds packet.rate */
    tap_ok(rate >= wanted, "rate: %s, packets of %u, 43 clocks one way: %.3f phits a clock", name,
           phits, wanted);
    tap_note("%.4f", rate);
    report_row(name, rate, wanted);
    pkt_bench_free(&b);
}

/*
 * Bits of payload of all bits that a link carries, both ways full of puts and their acks: each ack alone, of 3 phits, or two in a packet
 * of 4. A put has 7 phits, 3 for 8 bytes, and its end. Within 1 % of what was computed with records.
 */
static void payload(unsigned bytes, bool shared, double computed, uint64_t seed)
{
    const unsigned put = 7 + 3 * bytes / 8 + 1, puts = shared ? 2 : 1, acks = shared ? 4 : 3;
    char name[64];
    struct pkt_bench_config config = of_length(put, 3, FAR, 0);
    for (unsigned i = 0; i < 2; i++) {
        config.traffic[i].every = puts + 1;
        config.traffic[i].other = acks;
    }
    const double share = 8.0 * bytes * puts / (24.0 * (puts * put + acks)),
                 rate = rate_of(&config, false, PAYLOAD_CLOCKS, seed) * share;
    snprintf(name, sizeof name, "payload, puts of %u bytes, %s", bytes,
             shared ? "two acks a packet" : "an ack a packet");
    tap_why("%.4f", rate);
    /* holds packet.rate */
    tap_ok(rate >= 0.99 * computed, "rate: %s: %.3f of the link's bits, computed %.3f", name, rate,
           computed);
    report_row(name, rate, computed);
    pkt_bench_free(&b);
}

/* Heads in slot A are there soonest, ends with their verdict later. */
static void latency(uint64_t seed)
{
    struct pkt_bench_config config = of_length(19, 3, NEAR, 0);
    config.traffic[0].load = config.traffic[1].load = 0.01;
    rate_of(&config, true, CLOCKS, seed);
    /* the bench's cable has one clock of its own */
    const uint64_t head = b.end[1].latency_least - NEAR, most = b.end[1].latency_most - NEAR;
    /* holds packet.latency */
    tap_equal(head, 9, "latency: head taken in slot A, to the router at the other end, no cable");
    tap_at_most(most, 10, "latency: head taken in either slot, link idle");
    tap_at_most(b.end[1].end_most - NEAR, 9 + 3, "latency: end, taken in either slot");
    report_row("head, clocks", (double)head, 9);
    report_row("end, clocks", (double)(b.end[1].end_most - NEAR), 12);
    pkt_bench_free(&b);
}

/*
 * W of one error: packets from a head to its replay's, both ways full. All that were sent since the bad one are repeated, with it,
 * behind a SEEK.
 */
static double window_of(unsigned phits, unsigned delay, uint64_t seed)
{
    enum { ERRORS = 60, APART = 1500 };
    const struct pkt_bench_config config = of_length(phits, 3, delay, 0);
    rate_of(&config, false, WARM, seed);
    struct rng r;
    rng_seed(&r, seed);
    const uint64_t naks = pkt_bench_count(&b, 0, COUNT_NAKS),
                   repeats = pkt_bench_count(&b, 0, COUNT_REPLAYS);
    for (unsigned n = 0; n < ERRORS; n++) {
        b.cable[0].once = 1u << rng_below(&r, CHANNEL_LANE_BITS);
        pkt_bench_run(&b, APART + rng_below(&r, 64));
    }
    const double errors = (double)(pkt_bench_count(&b, 0, COUNT_NAKS) - naks);
    const double window =
        (double)(pkt_bench_count(&b, 0, COUNT_REPLAYS) - repeats) / errors + 2.0 / phits;
    pkt_bench_free(&b);
    return window;
}

/*
 * Goodput beside the formula, with the share of packets that were in error in this run: how many are is luck, within six standard
 * deviations, and what each one costs is not.
 */
static void with_errors(double ber, double window, double whole, uint64_t clocks, uint64_t seed)
{
    enum { PHITS = 32 };
    char name[64];
    const struct pkt_bench_config config = of_length(PHITS, 3, FAR, ber);
    const double rate = rate_of(&config, false, clocks, seed);
    const double naks = (double)pkt_bench_count(&b, 0, COUNT_NAKS),
                 sent = naks + (double)b.end[0].packets, wanted = 1 - pow(1 - ber, PHITS * 24),
                 p = naks / sent, formula = whole * (1 - p) / (1 + (window - 1) * p);
    snprintf(name, sizeof name, "goodput at BER %.0e", ber);
    tap_why("%.0f of %.0f, wanted %.4f", naks, sent, wanted);
    tap_ok(fabs(naks - sent * wanted) <= 6 * sqrt(sent * wanted) + 1,
           "rate: %s: as many packets in error as the rate of bits says", name);
    tap_why("%.4f, the formula %.4f with W = %.1f", rate, formula, window);
    /* holds packet.goodput */
    tap_ok(rate >= 0.98 * formula,
           "rate: %s, packets of 32: not under the formula by more than 2 %%", name);
    tap_note("%.4f, formula %.4f", rate, formula);
    report_row(name, rate, formula);
    pkt_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    list = cJSON_CreateArray();
    clean("both ways full", 32, 3, false, 0.96, seed);
    clean("both ways full", 19, 3, false, 0.955, seed + 1);
    clean("both ways full", 3, 3, false, 0.95, seed + 2);
    clean("one VC alone", 32, 1, false, 0.95, seed + 3);
    clean("one way full", 32, 3, true, 0.98, seed + 4);
    payload(8, false, 0.184, seed + 11);
    payload(32, false, 0.448, seed + 12);
    payload(64, false, 0.589, seed + 13);
    payload(8, true, 0.198, seed + 14);
    payload(32, true, 0.468, seed + 15);
    payload(64, true, 0.606, seed + 16);
    latency(seed + 5);
    const struct pkt_bench_config config = of_length(32, 3, FAR, 0);
    const double whole = rate_of(&config, false, CLOCKS, seed + 6);
    pkt_bench_free(&b);
    const double window = window_of(32, FAR, seed + 7);
    tap_note("W = %.2f packets of 32", window);
    with_errors(1e-6, window, whole, 60000, seed + 8);
    with_errors(1e-5, window, whole, 80000, seed + 9);
    with_errors(1e-4, window, whole, 150000, seed + 10);
    tap_ok(report_write("build/reports/packet-rate.json", list),
           "build/reports/packet-rate.json is written");
    return tap_done();
}
