// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_campaign.c - one link between two nodes under packets, most of one chunk, both ways, phase by phase: bit errors at a rate drawn anew for each
 * direction from 1e-9 to 1e-3, and in two of five phases bursts, bytes that come twice or not at all, silence, or an end that is restarted. Then the
 * cable is good: every packet has come once, unchanged, in order; what is missing is missing behind a new epoch alone; in the end all tokens are home. A wrong packet is an escape of CRC-24
 * if the CRC-32 of the two ends differ, else missed.
 *
 * --packets N: so many. Writes build/reports/bgl-campaign.json.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PACKETS = 3000, PHASE = 3000, GOOD = 60000, PART = 100000, SLIP = 1000, REST = 4000 };

static const struct bgl_traffic load = {.rate = 0.05, .dynamic = 0.5, .high = 0.1, .small = 0.8};

struct tally {
    uint64_t packets, lost, duplicated, reordered, corrupt, escapes, crc32_missed;
    uint64_t epochs, behind_epochs; /* new epochs, packets that ended with them */
    uint64_t phases, clocks;
    struct misses rest; /* what is not at rest at the end of a part */
};

/* The two directions: node 0 by x+, node 1 by x-. */
static struct bench_cable *way(struct bgl_bench *b, unsigned n)
{
    return &b->cable[n][n];
}

/* The bits until its next error are drawn anew with its rate. */
static void set_rate(struct bench_cable *cable, double ber)
{
    cable->ber = ber;
    cable->skip = UINT64_MAX;
}

static const struct bgl_link *end_of(const struct bgl_bench *b, unsigned n)
{
    return &b->node[n].port[n].link;
}

enum act { NOTHING, BURST, BYTES, SILENCE, RESTART, ACTS };

static void disturb(struct bgl_bench *b, enum act act)
{
    const unsigned n = rng_below(&b->rng, 2);
    struct bench_cable *cable = way(b, n);
    const double ber = cable->ber;
    switch (act) {
    case BURST:
        set_rate(cable, 0.5);
        traffic_run(b, &load, 1 + rng_below(&b->rng, 8));
        break;
    case BYTES:
        cable->delay += rng_below(&b->rng, 2) ? 1 : (unsigned)-1;
        traffic_run(b, &load, SLIP);
        break;
    case SILENCE:
        cable->cut = true;
        traffic_run(b, &load, 1 + rng_below(&b->rng, 60));
        break;
    case RESTART:
        bench_write(b, n, BGL_REG_PORT + BGL_REG_PORT_STEP * n, 1 | 1 << BGL_REG_PORT_DROP_AT);
        break;
    default:
        break;
    }
    set_rate(cable, ber);
    cable->cut = false;
}

/* Copies that are missing of packets from this one on. */
static uint64_t missing(const struct bgl_bench *b, unsigned from)
{
    uint64_t count = 0;
    for (unsigned i = from; i < b->packets; i++)
        count += b->packet[i].arrived < b->packet[i].wanted;
    return count;
}

static bool sums_differ(const struct bgl_bench *b)
{
    return end_of(b, 0)->resend.out.crc != end_of(b, 1)->deframer.out.crc ||
           end_of(b, 1)->resend.out.crc != end_of(b, 0)->deframer.out.crc;
}

static void phase(struct bgl_bench *b, struct tally *t)
{
    const unsigned from = b->packets, epoch = end_of(b, 0)->link.out.epoch;
    const uint64_t wrong = b->wrong + b->unexplained;
    for (unsigned n = 0; n < 2; n++)
        set_rate(way(b, n), pow(10, -3 - 6.0 * rng_below(&b->rng, 1000) / 1000));
    traffic_run(b, &load, rng_below(&b->rng, PHASE));
    disturb(b, t->phases % 2 ? (enum act)(t->phases / 2 % ACTS) : NOTHING);
    t->phases++;
    traffic_run(b, &load, rng_below(&b->rng, PHASE));
    for (unsigned n = 0; n < 2; n++)
        set_rate(way(b, n), 0);
    const bool here = bench_drain(b, GOOD);
    const bool began = end_of(b, 0)->link.out.epoch != epoch;
    const bool bad = b->wrong + b->unexplained != wrong, differ = !began && sums_differ(b);
    t->epochs += began;
    t->behind_epochs += began ? missing(b, from) : 0;
    t->lost += began ? 0 : missing(b, from);
    t->escapes += differ;
    t->crc32_missed += bad && !differ;
    if (!here)
        bench_forgive(b);
}

/* At most PART packets on one pair of nodes, or as many more as it takes until all has been done once. */
static void part(struct tally *t, uint64_t packets, uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, 2, 1, 1, 1 + (unsigned)(seed % 60), seed);
    while (b.packets < packets || t->phases < 2 * ACTS)
        phase(&b, t);
    bench_run(&b, REST);
    bench_at_rest(&b, &t->rest);
    t->packets += b.packets;
    t->duplicated += b.twice;
    t->reordered += b.disordered;
    t->corrupt += b.wrong + b.unexplained;
    t->clocks += b.now;
    bench_free(&b);
}

static void report(const struct tally *t)
{
    static const char *const path = "build/reports/bgl-campaign.json";
    FILE *file = fopen("build/reports/bgl-campaign.json.part", "w");
    if (!file) {
        fprintf(stderr, "test_bgl_campaign: %s.part cannot be written\n", path);
        exit(1);
    }
    fprintf(file,
            "{\"packets\": %llu, \"lost\": %llu, \"duplicated\": %llu, \"reordered\": %llu, "
            "\"corrupt\": %llu, \"escapes\": %llu, \"crc32_missed\": %llu, \"epochs\": %llu, "
            "\"behind_epochs\": %llu}\n",
            (unsigned long long)t->packets, (unsigned long long)t->lost,
            (unsigned long long)t->duplicated, (unsigned long long)t->reordered,
            (unsigned long long)t->corrupt, (unsigned long long)t->escapes,
            (unsigned long long)t->crc32_missed, (unsigned long long)t->epochs,
            (unsigned long long)t->behind_epochs);
    fclose(file);
    rename("build/reports/bgl-campaign.json.part", path);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, packets = PACKETS;
    struct tally t = {0};
    test_options(argc, argv, &seed, args_number("--packets", &packets, 1, 1000000000, "of them"));
    const clock_t begin = clock();
    for (uint64_t i = 0; t.packets < packets; i++)
        part(&t, packets - t.packets < PART ? packets - t.packets : PART, seed + i);
    if (packets > PACKETS)
        tap_note("%.0f clocks/s, both ends",
                 (double)t.clocks * CLOCKS_PER_SEC / (double)(clock() - begin));
    tap_note("%u packets, %u new epochs, %u packets ended with them", (unsigned)t.packets,
             (unsigned)t.epochs, (unsigned)t.behind_epochs);
    tap_at_least(t.epochs, 1, "ends are restarted");
    tap_equal(t.lost, 0, "lost within an epoch");
    tap_equal(t.duplicated, 0, "doubled");
    tap_equal(t.reordered, 0, "out of order");
    tap_equal(t.corrupt > t.escapes ? t.corrupt - t.escapes : 0, 0, "corrupt, escapes apart");
    tap_equal(t.crc32_missed, 0, "escapes that CRC-32 does not show");
    tap_misses(&t.rest, "FIFOs empty, tokens home, CRC-32 of both ends alike");
    report(&t);
    return tap_done();
}
