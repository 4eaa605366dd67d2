// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_rate.c - how many clocks a link has for a packet with an ack each: 32 n + 14, both ways at once, as its wire shows; and how long a
 * packet takes through a node.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_bench.h"

#include <string.h>

enum { PACKETS = 300, WARM = 20, ENOUGH = 400000, BYPASS = 20, STORED = 26 };

/* First bytes of packets on a wire. */
struct meter {
    const struct bgl_bench *b;
    uint64_t first, last; /* clocks of packet WARM, and of the last one */
    unsigned packets;
};

static void on_packet(void *owner, const uint8_t *bytes, unsigned n)
{
    struct meter *m = owner;
    (void)bytes;
    (void)n;
    if (m->packets == WARM)
        m->first = m->b->now;
    m->last = m->b->now;
    m->packets++;
}

/* Both nodes of a ring of two send to each other by their x+ ports alone. */
static double clocks_of(unsigned chunks, uint64_t seed)
{
    static struct bgl_bench b;
    struct meter meter[2] = {0};
    double worst = 0;
    bench_start(&b, 2, 1, 1, 1, seed);
    b.listen = true;
    for (unsigned n = 0; n < 2; n++) {
        meter[n].b = &b;
        b.wire[n][0].owner = &meter[n];
        b.wire[n][0].packet = on_packet;
    }
    for (unsigned n = 0; n < 2; n++)
        bench_write(&b, n, BGL_REG_PORT, 1 | 1 << 5);
    bench_run(&b, 6000);
    while ((meter[0].packets < PACKETS || meter[1].packets < PACKETS) && b.now < ENOUGH) {
        for (unsigned i = 0; i < 2; i++) {
            const struct bench_order o = {.from = i,
                                          .to = 1 - i,
                                          .fifo = 4 * rng_below(&b.rng, 2) + rng_below(&b.rng, 3),
                                          .chunks = chunks,
                                          .dynamic = true,
                                          .vc = rng_below(&b.rng, 2),
                                          .hints = 0x20,
                                          .group = rng_below(&b.rng, 2)};
            if (b.core[i][o.fifo / 4].count < 8)
                bench_send(&b, &o);
        }
        bench_step(&b);
    }
    for (unsigned n = 0; n < 2; n++) {
        const double clocks =
            (double)(meter[n].last - meter[n].first) / (meter[n].packets - 1 - WARM);
        if (clocks > worst)
            worst = clocks;
    }
    tap_equal(b.wire[0][0].unexplained + b.wire[1][0].unexplained, 0,
              "n = %u: every byte of both wires explained", chunks);
    bench_free(&b);
    return worst;
}

/* A packet from node 0 to node 2 of a ring of four: clocks between its last bytes on the wire into node 1 and on the one out of it. */
static unsigned hop(unsigned chunks, bool bypass, uint64_t seed)
{
    static struct bgl_bench b;
    struct meter meter[2] = {0};
    const struct bench_order o = {.from = 0, .to = 2, .chunks = chunks, .vc = 2, .hints = 0x20};
    bench_start(&b, 4, 1, 1, 1, seed);
    b.listen = true;
    for (unsigned n = 0; n < 2; n++) {
        meter[n].b = &b;
        b.wire[n][0].owner = &meter[n];
        b.wire[n][0].packet = on_packet;
        bench_write(&b, n, BGL_REG_PORT, 1 | 1 << 5);
        if (!bypass)
            bench_write(&b, n, BGL_REG_BYPASS, 0);
    }
    bench_run(&b, 6000 + seed % 16);
    bench_send(&b, &o);
    bench_drain(&b, ENOUGH);
    bench_free(&b);
    return meter[0].packets == 1 && meter[1].packets == 1
               ? (unsigned)(meter[1].last - meter[0].last)
               : 0;
}

/* With the lanes and a cable of one clock. */
static void hops(bool bypass, uint64_t seed)
{
    unsigned least = ~0u, most = 0;
    for (unsigned i = 0; i < 8; i += 2) {
        const unsigned clocks = hop(1 + i, bypass, seed + i);
        least = clocks < least ? clocks : least;
        most = clocks > most ? clocks : most;
    }
    tap_at_least(least, 10, "a hop is seen");
    tap_at_most(most, bypass ? BYPASS : STORED, "clocks of a hop %s, %u to %u",
                bypass ? "by the bypass" : "through a VC FIFO", least, most);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    for (unsigned n = 1; n <= 8; n++) {
        const double clocks = clocks_of(n, seed + n);
        tap_note("n = %u: %.2f clocks a packet", n, clocks);
        tap_why("%.2f clocks", clocks);
        tap_ok(clocks <= 32 * n + 14.0,
               "n = %u: at most %u clocks for a packet and an ack, both ways at once", n,
               32 * n + 14);
    }
    hops(true, seed);
    hops(false, seed);
    return tap_done();
}
