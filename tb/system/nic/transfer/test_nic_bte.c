// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_bte.c - block transfers between two nodes: a put and a get of 1 MB, byte by byte, with their events; then transfers at random, of which
 * each access is explained.
 *
 * Built for proto: fast; aries: fast.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/transfer/nic_transfers.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    HERE = 5,
    THERE = 6,
    BACK = 7,          /* for data of gets */
    HIDDEN = 0x400000, /* what transfers read here, and their rings */
    LOCAL_AT = 0x400003,
    BTE_RING_AT = 0x7F0000,
    REMOTE_AT = 0x800005,
    RING_AT = 0x10000,
    BACK_AT = 0xA00003,
    PLACE = 1024, /* of a transfer */
    MEGABYTE = 1 << 20,
    SEGMENT = MEGABYTE + 1000,
};

static struct golden_nic *golden;

static struct nic_bench *start(uint64_t seed, bool explained)
{
    struct gn_segment segment = {.valid = true,
                                 .read = true,
                                 .write = true,
                                 .length = SEGMENT,
                                 .ptag = DOMAIN,
                                 .queue = QUEUE,
                                 .event = true};
    struct nic_bench *b;

    golden = explained ? gn_new(2, false) : NULL;
    b = channel_bench_new(2, seed, golden);
    b->hidden = HIDDEN;
    b->hidden_end = REMOTE_AT - 5;
    for (unsigned node = 0; node < 2; node++) {
        nic_bench_write(b, node, NR_ORB_EPOCH, 1 << 14);
    }
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        segment.base = LOCAL_AT;
        nic_bench_segment(b, node, HERE, &segment);
        segment.base = REMOTE_AT;
        nic_bench_segment(b, node, THERE, &segment);
        segment.base = BACK_AT;
        nic_bench_segment(b, node, BACK, &segment);
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = 10, .ptag = DOMAIN});
        for (uint64_t i = 0; i < 2 * MEGABYTE; i++) {
            host_memory(b->node[node].host)[HIDDEN + i] = (uint8_t)rng_next(&b->rng);
        }
    }
    return b;
}

static uint64_t event_at(const struct nic_bench *b, unsigned node, unsigned n)
{
    uint64_t word;

    memcpy(&word, host_memory(b->node[node].host) + RING_AT + 8 * n, sizeof word);
    return word;
}

/* A transfer of 1 MB from node 0's ring, all bytes and none beside them; its event and its completion. */
static void megabyte(struct nic_bench *b, struct nic_ring *r, unsigned op)
{
    const bool put = op == NIC_BTE_PUT;
    struct nic_transfer t = {.pe = 1,
                             .offset = put ? 77 : 76,
                             .mdh = put ? THERE : HERE,
                             .local_mdh = put ? HERE : THERE,
                             .op = op,
                             .ptag = DOMAIN,
                             .local = 5,
                             .bytes = MEGABYTE,
                             .wants = NIC_BTE_GLOBAL,
                             .queue = QUEUE,
                             .event = 0xABC000 + op,
                             .write_back = true};
    const uint8_t *from =
        host_memory(b->node[put ? 0 : 1].host) + LOCAL_AT + (put ? t.local : t.offset);
    uint8_t *to = host_memory(b->node[put ? 1 : 0].host) + REMOTE_AT + (put ? t.offset : t.local);
    const unsigned n = (unsigned)r->written;
    const uint64_t begin = b->clock;

    memset(host_memory(b->node[put ? 1 : 0].host) + REMOTE_AT, 0x5A, SEGMENT);
    nic_ring_put(r, &t);
    nic_ring_doorbell(r);
    while (event_at(b, 0, n) == 0 && b->clock - begin < 400000) {
        nic_bench_clock(b);
    }
    tap_note("%s of 1 MB: %llu clocks, 64 bytes in %.2f", put ? "put" : "get",
             (unsigned long long)(b->clock - begin), (double)(b->clock - begin) * 64 / MEGABYTE);
    tap_ok(memcmp(from, to, MEGABYTE) == 0, "all bytes of a %s of 1 MB are there when its event is",
           put ? "put" : "get");
    tap_ok(to[-1] == 0x5A && to[MEGABYTE] == 0x5A, "and none beside them");
    tap_equal(event_at(b, 0, n), (uint64_t)3 << 56 | t.event, "its event");
    for (unsigned i = 0; i < 200; i++) {
        nic_bench_clock(b);
    }
    tap_equal(nic_ring_word(r, n), 1ull << 63, "its completion");
    tap_equal(nic_ring_read(r), r->written, "READ_INDEX");
}

/* ---- each access explained ----------------------------------------------------------------------- */

/* Transfer n of a node, at places of its own. */
static struct nic_transfer draw(struct nic_bench *b, unsigned node, unsigned n)
{
    struct rng *rng = &b->rng;
    const bool put = rng_below(rng, 2) != 0;
    struct nic_transfer t = {
        .pe = 1 - node,
        .op = put ? NIC_BTE_PUT : NIC_BTE_GET,
        .mdh = THERE,
        .local_mdh = put ? HERE : BACK,
        .ptag = DOMAIN,
        .bytes = 1 + rng_below(rng, 600),
        .mode = rng_below(rng, 7),
        .wants = NIC_BTE_GLOBAL | rng_below(rng, 2) | (rng_below(rng, 2) ? NIC_BTE_TARGET : 0),
        .queue = QUEUE,
        .event = 0x10000 * (node + 1) + n,
        .target = 0x1000000 * (node + 1) + n,
        .fence = rng_below(rng, 8) == 0,
        .write_back = true,
        .offset = PLACE * (2 * n + put) + rng_below(rng, 64),
        .local = PLACE * n + rng_below(rng, 64),
    };

    if (!put) {
        t.bytes = (t.bytes + 3) & ~3ull;
        t.offset &= ~3ull;
    }
    return t;
}

/* Its packets, as operations of a transaction that is closed. */
static void explain(const struct nic_bench *b, unsigned node, const struct nic_transfer *t)
{
    const bool counts = (t->wants & NIC_BTE_TARGET) != 0;
    const unsigned transaction = gn_open(golden, node, DOMAIN, counts);
    const struct gn_wants wants = {.local = (t->wants & NIC_BTE_LOCAL) != 0,
                                   .global = true,
                                   .target = counts,
                                   .to = (int)t->pe,
                                   .mdh = (uint16_t)t->mdh,
                                   .target_event = t->target,
                                   .queue = QUEUE,
                                   .event = t->event};

    for (uint64_t at = 0; at < t->bytes; at += nic_transfer_piece(t, at)) {
        struct gn_operation o = {
            .kind = t->op == NIC_BTE_PUT ? GN_PUT : GN_GET,
            .to = (int)t->pe,
            .mdh = (uint16_t)t->mdh,
            .offset = t->offset + at,
            .bytes = nic_transfer_piece(t, at),
            .local_mdh = (uint16_t)t->local_mdh,
            .local_offset = t->local + at,
        };

        if (t->op == NIC_BTE_PUT) {
            memcpy(o.data, host_memory(b->node[node].host) + LOCAL_AT + t->local + at, o.bytes);
        }
        gn_post(golden, transaction, &o);
    }
    gn_close(golden, transaction, &wants);
}

/* Both nodes, two channels each, rings of 16 places that are used again and again. */
static void test_explained(uint64_t seed)
{
    enum { TRANSFERS = 300, RINGS = 4 };
    struct nic_bench *b = start(seed, true);
    struct nic_ring ring[RINGS];
    unsigned posted[RINGS] = {0}, told = 0, all = 0;
    const uint64_t begin = b->clock;

    for (unsigned i = 0; i < RINGS; i++) {
        ring[i] = (struct nic_ring){.b = b,
                                    .node = i / 2,
                                    .channel = i % 2,
                                    .log2 = 4,
                                    .at = BTE_RING_AT + 0x1000 * (i % 2)};
        nic_ring_open(&ring[i], 4);
    }
    while (all < TRANSFERS && b->clock - begin < 400000) {
        const unsigned i = rng_below(&b->rng, RINGS);
        const bool again = posted[i] >= 16;

        if (!again || nic_ring_word(&ring[i], ring[i].written) >> 63 != 0) {
            const struct nic_transfer t = draw(b, i / 2, all);

            told += again && nic_ring_word(&ring[i], ring[i].written) == 1ull << 63;
            explain(b, i / 2, &t);
            nic_ring_put(&ring[i], &t);
            nic_ring_doorbell(&ring[i]);
            posted[i]++;
            all++;
        }
        nic_bench_clock(b);
    }
    while (gn_waiting(golden) != 0 && b->clock - begin < 400000) {
        nic_bench_clock(b);
    }
    tap_ok(nic_bench_drain(b, 10000) && nic_bench_whole(b), "both NICs are drained and whole");

    const struct gn_count *count = gn_finish(golden);

    if (count->first[0] != '\0') {
        tap_why("%s", count->first);
    }
    tap_ok(all == TRANSFERS && count->unexplained == 0 && count->missing_events == 0 &&
               count->missing_accesses == 0,
           "%u transfers between two nodes: %llu writes, %llu reads, %llu events, each explained",
           all, (unsigned long long)count->writes, (unsigned long long)count->reads,
           (unsigned long long)count->events);
    tap_at_least(told, TRANSFERS / 2, "completions that say OK, of places that are used again");
    nic_bench_judge_hosts(b, "block transfers at random");
    nic_bench_free(b);
    gn_free(golden);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct nic_bench *b = start(seed, false);
    struct nic_ring r = {.b = b, .node = 0, .channel = 1, .log2 = 4, .at = BTE_RING_AT};

    nic_ring_open(&r, 4);
    megabyte(b, &r, NIC_BTE_PUT);
    megabyte(b, &r, NIC_BTE_GET);
    tap_ok(nic_bench_drain(b, 10000) && nic_bench_whole(b), "both NICs are drained and whole");
    nic_bench_judge_hosts(b, "block transfers");
    nic_bench_free(b);
    test_explained(seed);
    return tap_done();
}
