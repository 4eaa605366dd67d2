// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_send.c - messages between two nodes: every byte at any alignment, in buffers that the receiver has posted, with length, immediate word
 * and event; what has no buffer, is too long or of another domain; senders that give up; channels that are taken away.
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
    LOCAL_AT = 0x400000,
    RING_AT = 0x10000,     /* of events */
    SENDS_AT = 0x7F0000,   /* descriptors */
    POSTS_AT = 0x7E0000,   /* of buffers */
    BUFFERS_AT = 0x800000, /* buffers, PLACE bytes apart */
    PLACE = 1024,
    POSTS_LOG2 = 6,
    LENGTHS = 300,
};

static struct nic_bench *start(uint64_t seed)
{
    struct nic_bench *b = channel_bench_new(2, seed, NULL);
    struct gn_segment segment = {.valid = true,
                                 .read = true,
                                 .base = LOCAL_AT,
                                 .length = 1 << 20,
                                 .ptag = DOMAIN,
                                 .queue = QUEUE};

    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        nic_bench_write(b, node, NR_ORB_EPOCH, 1 << 14);
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        nic_bench_segment(b, node, HERE, &segment);
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = 10, .ptag = DOMAIN});
        for (uint64_t i = 0; i < 1 << 16; i++) {
            host_memory(b->node[node].host)[LOCAL_AT + i] = (uint8_t)rng_next(&b->rng);
        }
    }
    return b;
}

static uint64_t event_at(const struct nic_bench *b, unsigned node, uint64_t n)
{
    uint64_t word;

    memcpy(&word, host_memory(b->node[node].host) + RING_AT + 8 * (n % 1024), sizeof word);
    return word;
}

static void await(struct nic_bench *b, uint64_t clocks)
{
    while (clocks-- != 0) {
        nic_bench_clock(b);
    }
}

static uint64_t place_of(uint64_t n)
{
    return BUFFERS_AT + PLACE * (n % (1u << POSTS_LOG2));
}

/* The next message of node 0 to node 1. */
static struct nic_transfer message(unsigned channel, uint64_t n)
{
    return (struct nic_transfer){.pe = 1,
                                 .mdh = channel,
                                 .local_mdh = HERE,
                                 .op = NIC_BTE_SEND,
                                 .ptag = DOMAIN,
                                 .wants = NIC_BTE_GLOBAL,
                                 .queue = QUEUE,
                                 .event = 0x1000 + n,
                                 .write_back = true};
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct nic_bench *b = start(seed);
    struct nic_ring r = {.b = b, .node = 0, .channel = 1, .log2 = 4, .at = SENDS_AT};
    struct nic_posts p = {.b = b, .node = 1, .channel = 1, .log2 = POSTS_LOG2, .at = POSTS_AT};
    struct nic_transfer t = message(1, 0);

    nic_ring_open(&r, 4);
    nic_posts_open(&p);
    nic_posts_put(
        &p,
        &(struct nic_buffer){
            .address = place_of(0), .bytes = PLACE, .event = true, .queue = QUEUE, .ptag = DOMAIN});
    nic_posts_doorbell(&p);
    await(b, 200);
    tap_note("status %llx",
             (unsigned long long)nic_bench_read(b, 1, (uint16_t)(NR_BTE + NR_BTE_STEP + 9)));
    t.bytes = 333;
    t.local = 5;
    t.immediate = true;
    t.target = 0x123456789ABCDEF0;
    nic_ring_put(&r, &t);
    nic_ring_doorbell(&r);
    await(b, 2000);
    tap_equal(event_at(b, 0, 0), (uint64_t)3 << 56 | t.event, "the sender's event");
    tap_equal(nic_ring_word(&r, 0), 1ull << 63, "its completion");
    tap_ok(memcmp(host_memory(b->node[0].host) + LOCAL_AT + t.local,
                  host_memory(b->node[1].host) + place_of(0), t.bytes) == 0,
           "all bytes");
    tap_equal(event_at(b, 1, 0), (uint64_t)6 << 56 | nic_buffer_event(1, 0, 333),
              "the receiver's event");
    tap_equal(nic_posts_word(&p, 0, 3), nic_buffer_over(true, b->node[0].address, 0, 333),
              "the buffer's last word");
    tap_equal(nic_posts_word(&p, 0, 2), t.target, "its immediate word");
    tap_equal(nic_posts_taken(&p), 1, "buffers taken");
    tap_ok(nic_bench_drain(b, 10000) && nic_bench_whole(b), "both NICs are drained and whole");
    nic_bench_judge_hosts(b, "messages");
    nic_bench_free(b);
    return tap_done();
}
