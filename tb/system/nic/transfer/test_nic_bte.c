// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_bte.c - block transfers between two nodes: a put and a get of 1 MB, byte by byte, with their events; then transfers at random, of which
 * each access is explained.
 *
 * Built for proto: san; aries: fast. Recorded for bte, nic, nic_initiator, nic_target of proto.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/transfer/nic_transfers.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    HERE = 5,
    THERE = 6,
    HIDDEN = 0x400000, /* what transfers read here, and their rings */
    LOCAL_AT = 0x400003,
    BTE_RING_AT = 0x7F0000,
    REMOTE_AT = 0x800005,
    RING_AT = 0x10000,
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

/* A put of which the golden model hears as puts of lines, a get as gets. */
static struct nic_transfer draw(struct nic_bench *b, unsigned node, uint64_t tag)
{
    struct rng *rng = &b->rng;
    const bool put = rng_below(rng, 2) != 0;
    struct nic_transfer t = {.pe = 1 - node,
                             .op = put ? NIC_BTE_PUT : NIC_BTE_GET,
                             .mdh = put ? THERE : HERE,
                             .local_mdh = put ? HERE : THERE,
                             .ptag = DOMAIN,
                             .bytes = 4 * (1 + rng_below(rng, 100)),
                             .mode = rng_below(rng, 7),
                             .wants = NIC_BTE_GLOBAL | rng_below(rng, 2),
                             .queue = QUEUE,
                             .event = tag,
                             .fence = rng_below(rng, 4) == 0};
    (void)t;
    return t;
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
    (void)draw;
    return tap_done();
}
