// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_torus.c - native nodes in tori of one to three dimensions, offered more packets of all kinds than they can carry: each arrives once, unchanged, in
 * order where that is promised, and in the end every token is at home. Cables of different lengths; then with bit errors on all of them. A high-priority packet
 * that is alone on its way waits in each receiver for two packets at most: one that has the bus, one that has the link.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

#include <stdio.h>

enum { CLOCKS = 5000, DRAIN = 400000 };

static const struct bgl_traffic heavy = {
    .rate = 0.03, .dynamic = 0.6, .high = 0.1, .broadcast = 0.05, .small = 0.2};

static void run(unsigned x, unsigned y, unsigned z, double ber, uint64_t seed)
{
    static struct bgl_bench b;
    char what[64];
    bench_start(&b, x, y, z, 1 + (unsigned)(seed % 40), seed);
    for (unsigned n = 0; n < b.nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            b.cable[n][p].ber = ber;
    traffic_run(&b, &heavy, CLOCKS);
    bench_drain(&b, DRAIN);
    for (unsigned n = 0; n < b.nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            b.cable[n][p].ber = 0;
    snprintf(what, sizeof what, "%u x %u x %u%s", x, y, z, ber > 0 ? ", bit errors" : "");
    traffic_check(&b, DRAIN, what);
    bench_free(&b);
}

/* Clocks that VC 3 of a receiver waits for the link's present packet, all else being there, with normal packets on all busses. */
static void high(uint64_t seed)
{
    enum { X = 4, Y = 3, FULL = 270, PACKETS = 60, LIMIT = 30000 };
    static const struct bgl_traffic normal = {.rate = 0.05, .dynamic = 0.8};
    static struct bgl_bench b;
    unsigned run[BENCH_MOST][PORTS] = {0}, most = 0, through = 0;
    int last = -1;
    bench_start(&b, X, Y, 1, 1, seed);
    traffic_run(&b, &normal, 1500);
    for (unsigned sent = 0; sent < PACKETS && b.now < LIMIT;) {
        if (last < 0 || b.packet[last].arrived) {
            const unsigned from = rng_below(&b.rng, X * Y);
            const struct bench_order order = {.from = from,
                                              .to = (from + 1 + rng_below(&b.rng, X * Y - 1)) %
                                                    (X * Y),
                                              .fifo = 3,
                                              .chunks = 1,
                                              .vc = 3};
            b.core[from][0].count =
                b.core[from][0].count != 0; /* it goes behind the packet under way */
            last = bench_send(&b, &order);
            sent++;
        }
        traffic_run(&b, &normal, 1);
        for (unsigned n = 0; n < b.nodes; n++) {
            for (unsigned p = 0; p < PORTS; p++) {
                const bool waits = b.node[n].port[p].channel[3].out.waits;
                through += waits && run[n][p] == 0;
                run[n][p] = waits ? run[n][p] + 1 : 0;
                most = run[n][p] > most ? run[n][p] : most;
            }
        }
    }
    tap_at_least(through, 5, "high-priority packets wait in a receiver");
    tap_at_most(most, 2 * FULL, "the longest of %u waits, %u clocks", through, most);
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    run(2, 2, 2, 0, seed);
    run(3, 1, 2, 0, seed + 7);
    run(4, 4, 1, 0, seed + 13);
    run(2, 2, 2, 2e-5, seed + 1);
    high(seed + 3);
    return tap_done();
}
