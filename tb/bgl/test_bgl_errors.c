// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_errors.c - goodput of a link with bit errors, both ways at once: full packets with an ack each take 270 clocks, and one that is hit the time-out and 270 clocks more. How many
 * are hit is luck; what each one costs is not: the clocks of this run beside those of its hits, within 2 %.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_bench.h"

enum { CHUNKS = 8, LENGTH = 32 * CHUNKS + 14, WARM = 20, SLOWEST = 600, SETTLE = 6000 };

struct way {
    uint64_t first, last; /* clocks of packet WARM and of the last one */
    uint64_t packets;     /* acknowledged */
    uint64_t hits, timed; /* time-outs, and clocks of them */
    uint8_t base;         /* number of the oldest packet that is kept, a clock ago */
};

/* Packets are counted as they are acknowledged, so a repeated one counts once. */
static void watch(struct bgl_bench *b, struct way *w, unsigned node)
{
    const struct bgl_resend *resend = &b->node[node].port[0].link.resend;
    const uint8_t now = (uint8_t)resend->out.base;
    if (now != w->base) {
        w->packets += (uint8_t)(now - w->base);
        w->last = b->now;
        if (w->first == 0 && w->packets >= WARM) {
            w->first = b->now;
            w->packets = w->hits = w->timed = 0;
        }
        w->base = now;
    }
    if (resend->out.timed_out && w->first != 0) {
        w->hits++;
        w->timed += (uint64_t)resend->limit;
    }
}

static void point(double ber, uint64_t packets, uint64_t seed)
{
    static struct bgl_bench b;
    struct way way[2] = {0};
    bench_start(&b, 2, 1, 1, 1, seed);
    for (unsigned n = 0; n < 2; n++)
        bench_write(&b, n, BGL_REG_PORT, 1 | 1 << BGL_REG_PORT_DROP_AT);
    bench_run(&b, SETTLE);
    for (unsigned n = 0; n < 2; n++)
        way[n].base = (uint8_t)b.node[n].port[0].link.resend.out.base;
    for (unsigned n = 0; n < 2; n++)
        b.cable[n][0].ber = b.cable[n][1].ber = ber;
    while ((way[0].packets < packets || way[1].packets < packets) &&
           b.now < SETTLE + SLOWEST * packets) {
        for (unsigned n = 0; n < 2; n++) {
            const struct bench_order o = {.from = n,
                                          .to = 1 - n,
                                          .fifo = 4 * rng_below(&b.rng, 2) + rng_below(&b.rng, 3),
                                          .chunks = CHUNKS,
                                          .dynamic = true,
                                          .vc = rng_below(&b.rng, 2),
                                          .hints = 0x20,
                                          .group = rng_below(&b.rng, 2)};
            if (b.core[n][o.fifo / 4].count < 4)
                bench_send(&b, &o);
        }
        bench_step(&b);
        for (unsigned n = 0; n < 2; n++)
            watch(&b, &way[n], n);
    }
    for (unsigned n = 0; n < 2; n++) {
        const struct way *w = &way[n];
        const double took = (double)(w->last - w->first);
        const double wanted =
            (double)w->packets * LENGTH + (double)w->timed + (double)w->hits * LENGTH;
        tap_note("%.0e, node %u: %u packets, %u hits, %.0f clocks, by the formula %.0f", ber, n,
                 (unsigned)w->packets, (unsigned)w->hits, took, wanted);
        tap_at_least(w->packets, packets, "node %u: packets at a bit error rate of %.0e", n, ber);
        tap_why("%.0f clocks, by the formula %.0f", took, wanted);
        tap_ok(took <= 1.02 * wanted && took >= 0.98 * wanted, "node %u: goodput within 2 %%", n);
    }
    tap_equal(b.wrong + b.unexplained + b.twice, 0, "nothing changed or doubled");
    bench_free(&b);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, packets = 1000;
    test_options(argc, argv, &seed, args_number("--packets", &packets, 100, 1000000, "of a point"));
    point(1e-6, packets, seed);
    point(1e-5, packets, seed + 1);
    return tap_done();
}
