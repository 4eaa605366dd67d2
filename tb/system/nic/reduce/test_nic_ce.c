// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_ce.c - the shortest way of a reduction through NICs: two nodes, a process on each; from the stores of both to the result in the
 * memory of both and its events.
 *
 * Built for aries: fast.
 */
#include "tb/system/nic/nic_channel.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    HERE = 5,
    FMA = 2,
    RING_AT = 0x10000,
    LOCAL_AT = 0x20000,
    RESULT = 0x48, /* in the segment */
};

/* Words of a descriptor's page (hls/nic/PROGRAMMING.md). */
enum { MODES = 1, RESULT_AT = 4, EVENT = 5, OPERAND = 6, JOIN = 11 };

enum { IADD_64 = 0x15 };

static struct nic_bench *start(uint64_t seed)
{
    struct nic_bench *b = channel_bench_new(2, seed, NULL);

    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        nic_bench_segment(
            b, node, HERE,
            &(struct gn_segment){
                .valid = true, .write = true, .base = LOCAL_AT, .length = 4096, .ptag = DOMAIN});
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = 6, .ptag = DOMAIN});
        nic_bench_descriptor(b, node, FMA, DOMAIN, 4);
    }
    return b;
}

/* Node 0 is the root, whose children are its own process and the engine of node 1. */
static void plant(struct nic_bench *b)
{
    const uint64_t config = DOMAIN | (uint64_t)1 << NR_CE_EVENT_AT | (uint64_t)1 << NR_CE_ENABLE_AT;
    const uint64_t process = (uint64_t)1 << NR_CE2_KIND_AT | (uint64_t)FMA << NR_CE2_FMA_AT;

    nic_bench_write(b, 0, NR_CE + 2, process);
    nic_bench_write(b, 0, NR_CE + 3, b->node[1].address | (uint64_t)2 << NR_CE2_KIND_AT);
    nic_bench_write(b, 0, NR_CE,
                    config | (uint64_t)2 << NR_CE_CHILDREN_AT | (uint64_t)1 << NR_CE_ROOT_AT);
    nic_bench_write(b, 1, NR_CE + 1, b->node[0].address | (uint64_t)1 << NR_CE1_CHILD_AT);
    nic_bench_write(b, 1, NR_CE + 2, process);
    nic_bench_write(b, 1, NR_CE, config | (uint64_t)1 << NR_CE_CHILDREN_AT);
}

static void post(struct nic_bench *b, unsigned node, unsigned word, uint64_t value)
{
    struct driver_burst burst = store_word(FMA, word, value);

    driver_burst(&b->node[node].driver, &burst);
}

static void join(struct nic_bench *b, unsigned node, unsigned id, uint64_t operand)
{
    post(b, node, MODES, (uint64_t)HERE << 12 | (uint64_t)QUEUE << 30 | (uint64_t)IADD_64 << 40);
    post(b, node, RESULT_AT, RESULT);
    post(b, node, EVENT, 0xC0DE + node);
    post(b, node, OPERAND, operand);
    post(b, node, JOIN, id);
}

static uint64_t word_at(const struct nic_bench *b, unsigned node, uint64_t at)
{
    uint64_t word;

    memcpy(&word, host_memory(b->node[node].host) + at, sizeof word);
    return word;
}

int main(int argc, char **argv)
{
    struct nic_bench *b = start(test_seed(argc, argv));
    uint64_t begin;

    nic_bench_write(b, 0, NR_ORB_EPOCH, 4096);
    plant(b);
    begin = b->clock;
    join(b, 0, 7, 1000);
    join(b, 1, 7, 234);
    while ((word_at(b, 0, RING_AT) == 0 || word_at(b, 1, RING_AT) == 0) &&
           b->clock - begin < 2000) {
        nic_bench_clock(b);
    }
    tap_note("a sum of two nodes: %llu clocks", (unsigned long long)(b->clock - begin));
    for (unsigned node = 0; node < 2; node++) {
        tap_equal(word_at(b, node, LOCAL_AT + RESULT), (uint64_t)1 << 63 | 7 << 16,
                  "node %u: done, OK, of that reduction", node);
        tap_equal(word_at(b, node, LOCAL_AT + RESULT + 8), 1234, "node %u: the sum", node);
        tap_equal(word_at(b, node, RING_AT), (uint64_t)4 << 56 | (0xC0DE + node),
                  "node %u: its event", node);
        tap_equal(b->node[node].driver.refused, 0, "node %u: no store was refused", node);
    }
    tap_ok(nic_bench_drain(b, 10000), "both NICs are drained");
    tap_ok(nic_bench_whole(b), "all that they lend is back");
    nic_bench_free(b);
    return tap_done();
}
