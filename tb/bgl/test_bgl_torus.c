// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_torus.c - native nodes in tori of one to three dimensions, offered more packets of all kinds than they can carry: each arrives once, unchanged, in
 * order where that is promised, and in the end every token is at home. Cables of different lengths; then with bit errors on all of them.
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

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    run(2, 2, 2, 0, seed);
    run(3, 1, 2, 0, seed + 7);
    run(4, 4, 1, 0, seed + 13);
    run(2, 2, 2, 2e-5, seed + 1);
    return tap_done();
}
