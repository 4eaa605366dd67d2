// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_ring.c - a ring of four native nodes under more packets than it can carry: every length, VC, priority and broadcasts. The bubble
 * keeps it going; everything arrives once, unchanged and in order, and in the end every token is at home. Then the same over cables with bit errors, and
 * with links that are trained again and restarted: every packet that was not counted as lost arrives.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

#include <string.h>

enum { RING = 4, CLOCKS = 12000, DRAIN = 400000 };

static const struct bgl_traffic heavy = {
    .rate = 0.02, .dynamic = 0.5, .high = 0.2, .broadcast = 0.1, .small = 0.3};
static const struct bgl_traffic bubble = {.rate = 0.02, .small = 0.6};

static void all_kinds(uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, RING, 1, 1, 3, seed);
    traffic_run(&b, &heavy, CLOCKS);
    traffic_check(&b, DRAIN, "all kinds");
    bench_free(&b);
}

/* Only the escape VC, one chunk or eight: the lengths that fall to pieces where real ones are charged. */
static void bubble_alone(uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, RING, 1, 1, 1, seed);
    traffic_run(&b, &bubble, CLOCKS);
    traffic_check(&b, DRAIN, "the bubble alone");
    bench_free(&b);
}

static uint64_t counter(struct bgl_bench *b, unsigned node, unsigned port, enum bgl_count which)
{
    return bench_read(b, node, BGL_REG_COUNTERS + BGL_REG_COUNTERS_STEP * port + which);
}

/* What the registers count is what was seen; of a link at rest one end sent what the other accepted. */
static void check_counters(struct bgl_bench *b, uint64_t timeouts)
{
    struct misses m = {0};
    uint64_t counted = 0, again = 0, wrong = 0;
    for (unsigned n = 0; n < RING; n++) {
        for (unsigned p = 0; p < 2; p++) {
            const struct bench_cable *c = &b->cable[n][p];
            must_equal(&m, counter(b, n, p, COUNT_SENT), counter(b, c->to, c->port, COUNT_ACCEPTED),
                       "packets sent by node %u port %u", n, p);
            counted += counter(b, n, p, COUNT_TIMEOUTS);
            again += counter(b, n, p, COUNT_AGAIN);
            wrong += counter(b, n, p, COUNT_CRC24) + counter(b, n, p, COUNT_CRC8) +
                     counter(b, n, p, COUNT_GAPS_LOST) + counter(b, n, p, COUNT_ACKS_REFUSED);
        }
    }
    tap_misses(&m, "counters: sent at one end, accepted at the other");
    tap_at_least(counted, timeouts, "counters: all time-outs that were seen");
    tap_at_least(again, counted, "counters: packets sent again");
    tap_at_least(wrong, 3, "counters: wrong CRCs, gap words and acks");
    bench_write(b, 0, BGL_REG_PORT, 1 << BGL_REG_PORT_CLEAR_AT | 1 << BGL_REG_PORT_DROP_AT);
    bench_run(b, 40);
    tap_equal(counter(b, 0, 0, COUNT_SENT), 0, "a counter that is cleared");
}

static void errors(uint64_t seed)
{
    static struct bgl_bench b;
    uint64_t flipped = 0, timeouts = 0;
    bench_start(&b, RING, 1, 1, 5, seed);
    for (unsigned n = 0; n < RING; n++)
        for (unsigned p = 0; p < 2; p++)
            b.cable[n][p].ber = 3e-5;
    for (unsigned i = 0; i < CLOCKS; i++) {
        traffic_run(&b, &heavy, 1);
        for (unsigned n = 0; n < RING; n++)
            for (unsigned p = 0; p < 2; p++)
                timeouts += b.node[n].port[p].link.resend.out.timed_out;
    }
    bench_drain(&b, DRAIN);
    for (unsigned n = 0; n < RING; n++) {
        for (unsigned p = 0; p < 2; p++) {
            flipped += b.cable[n][p].flipped;
            b.cable[n][p].ber = 0;
        }
    }
    tap_at_least(flipped, 20, "bits were wrong on the cables");
    tap_at_least(timeouts, 3, "packets were sent again");
    traffic_check(&b, DRAIN, "bit errors");
    check_counters(&b, timeouts);
    bench_free(&b);
}

/* Cables that are silent for a while: framing is lost, the link is trained again, nothing is lost. */
static void silence(uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, RING, 1, 1, 2, seed);
    for (unsigned i = 0; i < 6; i++) {
        struct bench_cable *c = &b.cable[rng_below(&b.rng, RING)][rng_below(&b.rng, 2)];
        traffic_run(&b, &heavy, 1000 + rng_below(&b.rng, 1000));
        c->cut = true;
        traffic_run(&b, &heavy, 1 + rng_below(&b.rng, 40));
        c->cut = false;
    }
    bench_run(&b, 3000);
    tap_ok(bench_up(&b), "links that were cut run again within 3,000 clocks");
    traffic_check(&b, DRAIN, "cables cut");
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    all_kinds(seed);
    bubble_alone(seed + 1);
    errors(seed + 2);
    silence(seed + 3);
    return tap_done();
}
