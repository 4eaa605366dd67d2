// SPDX-License-Identifier: Apache-2.0
/*
 * test_bte.c - block transfers: every byte, in packets of lines; fences, chains, limits, failing reads, bad descriptors.
 *
 * Built for aries: fast; proto: san. Recorded for bte.
 */
#include "tb/blocks/nic/bte/bte_bench.h"

#include <stdlib.h>

enum { BTE_CLOCKS = BTE_CHANNELS == 4 ? 5 : 7 }; /* of 64 bytes in the stream */

static cJSON *report; /* rows of build/reports/nic-rate-bte.json */

static void tell(const char *name, double clocks)
{
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "name", name);
    cJSON_AddNumberToObject(row, "clocks_per_64_bytes", clocks);
    cJSON_AddItemToArray(report, row);
}

static struct bte_bench *fresh(uint64_t seed)
{
    struct bte_bench *b = calloc(1, sizeof *b);

    if (b == NULL) {
        abort();
    }
    bte_bench_start(b, seed);
    return b;
}

static uint64_t bits(struct rng *r, unsigned n)
{
    return rng_next(r) >> (64 - n);
}

/* Any legal transfer of at most so many bytes. */
static struct nic_transfer draw(struct rng *r, unsigned most)
{
    struct nic_transfer t = {
        .pe = (uint32_t)bits(r, 18),
        .offset = bits(r, 40),
        .mdh = (unsigned)bits(r, 12),
        .local_mdh = rng_below(r, BTE_BROKEN_MDH),
        .op = rng_below(r, 3),
        .mode = rng_below(r, 7),
        .queue = (unsigned)bits(r, 10),
        .ptag = (unsigned)bits(r, 8),
        .write_back = bits(r, 1),
        .immediate = bits(r, 1),
        .wants = (unsigned)bits(r, 3),
        .granularity = (unsigned)bits(r, 3),
        .local = bits(r, 40),
        .bytes = 1 + rng_below(r, most),
        .event = bits(r, 56),
        .target = bits(r, 64),
    };

    if (t.op == NIC_BTE_GET) {
        t.offset &= ~3ull;
        t.bytes = (t.bytes + 3) & ~3ull;
    }
    return t;
}

/* ---- every byte --------------------------------------------------------------------------------- */

/* One transfer after the other, in all channels; what is in flight when the ring is full goes on. */
static void post(struct bte_bench *b, const struct nic_transfer *t)
{
    unsigned c = rng_below(&b->rng, BTE_CHANNELS);

    while (!bte_bench_space(b, c)) {
        bte_bench_step(b);
        c = rng_below(&b->rng, BTE_CHANNELS);
    }
    bte_bench_post(b, c, t);
}

static void aligned(struct bte_bench *b, unsigned op, unsigned local, unsigned remote,
                    unsigned bytes)
{
    struct nic_transfer t = draw(&b->rng, 1);

    t.op = op;
    t.local = (t.local & ~63ull) | local;
    t.offset = (t.offset & ~63ull) | remote;
    t.bytes = bytes;
    post(b, &t);
}

/* Corners of both alignments and of the length, and drawn ones; with a pace all of them, in steps. */
static void test_alignments(uint64_t seed, unsigned drawn)
{
    static const unsigned corner[] = {0, 1, 3, 4, 15, 16, 17, 31, 60, 63};
    static const unsigned length[] = {1, 2, 4, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300};
    struct bte_bench *b = fresh(seed);

    for (unsigned i = 0; i < 10 * 10 * 13; i++) {
        const unsigned l = corner[i % 10], r = corner[i / 10 % 10], n = length[i / 100];

        aligned(b, NIC_BTE_PUT, l, r, n);
        aligned(b, NIC_BTE_SEND, l, r, n);
        if (r % 4 == 0 && n % 4 == 0) {
            aligned(b, NIC_BTE_GET, l, r, n);
        }
    }
    for (unsigned i = 0; i < drawn; i++) {
        aligned(b, NIC_BTE_PUT, rng_below(&b->rng, 64), rng_below(&b->rng, 64),
                1 + rng_below(&b->rng, 300));
        aligned(b, NIC_BTE_GET, rng_below(&b->rng, 64), 4 * rng_below(&b->rng, 16),
                4 + 4 * rng_below(&b->rng, 75));
        aligned(b, NIC_BTE_SEND, rng_below(&b->rng, 64), rng_below(&b->rng, 64),
                1 + rng_below(&b->rng, 300));
    }
    bte_bench_drain(b, 100000);
    /* holds bte.bytes */
    tap_misses(&b->wrong, "bte: %llu transfers of 1 to 300 bytes at any alignment, byte by byte",
               (unsigned long long)b->transfers);
    free(b);
}

static void test_all_alignments(uint64_t seed)
{
    struct bte_bench *b = fresh(seed);

    for (unsigned i = 0; i < 64 * 64 * 300; i++) {
        const unsigned l = i % 64, r = i / 64 % 64, n = 1 + i / 4096;

        aligned(b, NIC_BTE_PUT, l, r, n);
        aligned(b, NIC_BTE_SEND, l, r, n);
        if (r % 4 == 0 && n % 4 == 0) {
            aligned(b, NIC_BTE_GET, l, r, n);
        }
    }
    bte_bench_drain(b, 100000);
    tap_misses(&b->wrong, "bte: all %llu transfers of 1 to 300 bytes at all alignments",
               (unsigned long long)b->transfers);
    free(b);
}

/* ---- rates -------------------------------------------------------------------------------------- */

static struct nic_transfer plain(unsigned op, uint64_t bytes)
{
    return (struct nic_transfer){.pe = 5,
                                 .mdh = 3,
                                 .local_mdh = 7,
                                 .op = op,
                                 .ptag = 9,
                                 .bytes = bytes,
                                 .wants = NIC_BTE_GLOBAL};
}

/* One channel, 1 MB, memory latency 200, the stream takes each beat: share of 64 bytes per 5 clocks. */
static void test_rate(uint64_t seed, unsigned op)
{
    struct bte_bench *b = fresh(seed);
    struct nic_transfer t = plain(op, 1 << 20);

    b->latency = 200;
    bte_bench_post(b, 0, &t);
    bte_bench_drain(b, 200000);

    double clocks = 64 * (double)(b->last_tail - b->first_head) / (double)b->bytes;
    double rate = BTE_CLOCKS / clocks;

    tell(op == NIC_BTE_PUT ? "put of 1 MB" : "get of 1 MB", clocks);
    tap_misses(&b->wrong, "bte: %s of 1 MB", op == NIC_BTE_PUT ? "a put" : "a get");
    /* holds bte.rate */
    tap_ok(rate >= 0.98, "bte: 64 bytes per %d clocks of a %s, %.3f of it", BTE_CLOCKS,
           op == NIC_BTE_PUT ? "put" : "get", rate);
    free(b);
}

/* All channels, transfers of 512 bytes. */
static void test_small(uint64_t seed, unsigned op)
{
    struct bte_bench *b = fresh(seed);
    struct nic_transfer t = plain(op, 512);
    unsigned posted = 0;

    b->latency = 200;
    b->answer = 1;
    while (posted < 2000) {
        for (unsigned c = 0; c < BTE_CHANNELS; c++) {
            if (bte_bench_space(b, c)) {
                bte_bench_post(b, c, &t);
                posted++;
            }
        }
        bte_bench_step(b);
    }
    bte_bench_drain(b, 200000);

    double clocks = 64 * (double)(b->last_tail - b->first_head) / (double)b->bytes;
    double rate = BTE_CLOCKS / clocks;

    tell(op == NIC_BTE_PUT ? "puts of 512 bytes, all channels" : "gets of 512 bytes, all channels",
         clocks);
    tap_misses(&b->wrong, "bte: transfers of 512 bytes in all channels");
    /* A descriptor is five beats of replies, too: of 45 clocks 40 are of data. */
    /* holds bte.small */
    tap_ok(rate >= (BTE_CLOCKS == 5 ? 0.82 : 0.9),
           "bte: 64 bytes per %d clocks of %ss of 512 bytes, %.3f of it", BTE_CLOCKS,
           op == NIC_BTE_PUT ? "put" : "get", rate);
    free(b);
}

/* From the doorbell to the first head. */
static void test_latency(uint64_t seed)
{
    struct bte_bench *b = fresh(seed);
    struct nic_transfer t = plain(NIC_BTE_PUT, 64);
    uint64_t begin = 0;

    b->latency = 200;
    bte_bench_post(b, 0, &t); /* enables the rings, too */
    begin = bte_now;
    bte_bench_drain(b, 2000);
    tap_misses(&b->wrong, "bte: a put of 64 bytes");
    /* holds bte.latency */
    tap_at_most(b->first_head - begin, 2 * 200 + 40, "bte: clocks from doorbell to head, %llu",
                (unsigned long long)(b->first_head - begin));
    free(b);
}

/* ---- disorder ----------------------------------------------------------------------------------- */

/* What transfers are at random, beside their bytes. */
struct disorder {
    double fence, chain, bad, fails;
    unsigned most;
    bool launches; /* in channel 1, for which half of its slots are kept */
};

static void spoil(struct rng *r, struct nic_transfer *t)
{
    switch (rng_below(r, 5)) {
    case 0:
        t->bytes = 0;
        break;
    case 1:
        t->bytes = (1ull << 32) + 1 + rng_below(r, 1000);
        break;
    case 2:
        t->op = 3;
        break;
    case 3:
        t->mode = 7;
        break;
    default:
        t->op = NIC_BTE_GET;
        t->offset |= 1 + rng_below(r, 3);
        break;
    }
}

static void test_disorder(uint64_t seed, const char *name, const struct disorder *d,
                          unsigned transfers)
{
    struct bte_bench *b = fresh(seed);

    if (d->launches) {
        bte_bench_launches(b, 1);
    }
    b->latency = 10;
    b->spread = 150;
    b->room = 0.9;
    b->answer = 0.3;
    b->fault = d->fails / 100;
    b->limit = 1 + rng_below(&b->rng, BTE_SLOTS);
    for (unsigned i = 0; i < transfers; i++) {
        struct nic_transfer t = draw(&b->rng, d->most);

        t.fence = rng_chance(&b->rng, d->fence);
        t.concatenate = rng_chance(&b->rng, d->chain);
        if (rng_chance(&b->rng, d->bad)) {
            spoil(&b->rng, &t);
        }
        if (rng_chance(&b->rng, d->fails)) {
            t.local_mdh = rng_below(&b->rng, 2) != 0 ? BTE_REFUSED_MDH : BTE_BROKEN_MDH;
        }
        post(b, &t);
        for (unsigned n = rng_below(&b->rng, 60); n > 0 && rng_below(&b->rng, 2) != 0; n--) {
            bte_bench_step(b);
        }
    }
    for (unsigned c = 0; c < BTE_CHANNELS; c++) { /* no chain waits for its end */
        struct nic_transfer t = draw(&b->rng, d->most);

        while (!bte_bench_space(b, c)) {
            bte_bench_step(b);
        }
        bte_bench_post(b, c, &t);
    }
    bte_bench_drain(b, 1000000);
    tap_misses(&b->wrong, "bte: %s: %llu transfers, %llu with fence, %llu that fail", name,
               (unsigned long long)b->transfers, (unsigned long long)b->fences,
               (unsigned long long)b->failed);
    free(b);
}

int main(int argc, char **argv)
{
    static const struct disorder fences = {.fence = 0.3, .most = 500};
    static const struct disorder chains = {.chain = 0.7, .fence = 0.1, .most = 300};
    static const struct disorder failing = {
        .chain = 0.3, .fence = 0.1, .bad = 0.2, .fails = 0.2, .most = 1000};
    static const struct disorder launched = {
        .chain = 0.3, .fence = 0.1, .bad = 0.1, .fails = 0.1, .most = 300, .launches = true};
    uint64_t seed = 0;
    bool all = false;
    unsigned drawn = BTE_CHANNELS == 4 ? 50000 : 2000;

    test_options(argc, argv, &seed, args_flag("all", &all, "all alignments with all lengths"));
    harness_clock = &bte_now;
    report = cJSON_CreateArray();
    test_rate(seed, NIC_BTE_PUT);
    test_rate(seed, NIC_BTE_GET);
    test_small(seed, NIC_BTE_PUT);
    test_small(seed, NIC_BTE_GET);
    tap_ok(report_write(BTE_CHANNELS == 4 ? "build/reports/nic-rate-bte.json"
                                          : "build/reports/nic-rate-bte-proto.json",
                        report),
           "build/reports/nic-rate-bte.json");
    test_latency(seed);
    test_alignments(seed, drawn);
    if (all) {
        test_all_alignments(seed);
    }
    /* holds bte.fence, bte.limit */
    test_disorder(seed, "fences", &fences, 1000);
    /* holds bte.chain */
    test_disorder(seed, "chains", &chains, 1000);
    /* holds bte.launch */
    test_disorder(seed, "launched in one channel, rings in the others", &launched, 1000);
    /* holds bte.wrong, bte.stops */
    test_disorder(seed, "descriptors that are none, reads and requests that fail", &failing, 1000);
    return tap_done();
}
