// SPDX-License-Identifier: Apache-2.0
/*
 * chip_pair.c - what two processes have, and what they post.
 */
#include "tb/system/chip/chip_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/system/nic/bench_host.h"

enum { RING_LOG2 = 10, PAIR_JOB = 1, PAIR_EPOCH = 1 << 30 };

static struct ptags ptags;
static struct drv *driver[CHIPS];
static struct drv_process *process[CHIPS];

/* What the driver gives a process cannot be refused here: both NICs are all its own. */
static void must_be_given(enum drv_result result)
{
    if (result != DRV_OK) {
        fprintf(stderr, "chip_pair: %s\n", drv_says(result));
        exit(1);
    }
}

static void start_driver(struct nic_bench *b, unsigned node)
{
    const struct nic_host host = bench_host(&b->node[PAIR_NODE(node)]);
    const struct drv_config config = {.node = b->node[PAIR_NODE(node)].address,
                                      .epoch = PAIR_EPOCH,
                                      .memory_bytes = BENCH_MEMORY,
                                      .window_log2 = NIC_WINDOW_LOG2,
                                      .ptags = &ptags};

    must_be_given(drv_start(&driver[node], &host, &config));
}

/* A ring where processes may launch, too. */
static void give_ring(struct nic_bench *b, unsigned node)
{
    struct drv_ring ring = {.log2 = 4, .transactions = 4, .launches = true};

    must_be_given(drv_kernel_memory(driver[node], (uint64_t)64 << ring.log2, &ring.place));
    ring.memory = host_memory(b->node[PAIR_NODE(node)].host) + ring.place;
    must_be_given(drv_ring(driver[node], PAIR_CHANNEL, &ring));
}

/* Memory of a process with a handle of its own. */
static void give_segment(struct drv_process *p, int handle)
{
    struct drv_segment s = {.bytes = PAIR_SEGMENT, .read = true, .write = true};
    unsigned mdh;

    must_be_given(drv_memory(p, 0, PAIR_SEGMENT, &s.place));
    must_be_given(drv_segment(p, handle, &s, &mdh));
}

/* A process with a queue, memory and PAIR_FMA, the first descriptor that the driver gives. Its queue. */
static unsigned start_process(unsigned node)
{
    const struct drv_descriptor fma = {
        .transactions = 4, .requests = (1 << NIC_TAG_LOG2) - 8, .channels = 1 << PAIR_CHANNEL};
    struct drv_queue queue = {.log2 = RING_LOG2, .threshold = 1};
    struct drv_process *p;
    unsigned name;

    must_be_given(drv_process(driver[node], PAIR_JOB, &p));
    must_be_given(drv_memory(p, 0, (uint64_t)8 << RING_LOG2, &queue.place));
    must_be_given(drv_queue(p, NAMES_ANY, &queue, &name));
    give_segment(p, PAIR_HERE);
    give_segment(p, PAIR_THERE);
    unsigned descriptor;
    must_be_given(drv_descriptor(p, &fma, &descriptor));
    must_be_given(descriptor == PAIR_FMA ? DRV_OK : DRV_FULL);
    process[node] = p;
    return name;
}

struct nic_bench *chip_pair_new(uint64_t seed, const struct channel_config *cable, bool open)
{
    struct nic_bench *b = chip_bench_new(seed, NULL, cable, NULL);

    ptags_start(&ptags);
    for (unsigned node = 0; node < CHIPS; node++) {
        start_driver(b, node);
        give_ring(b, node);
    }
    for (unsigned node = 0; node < CHIPS; node++) {
        const uint64_t queue = start_process(node);

        chip_pair_post(
            b, node,
            store_word(PAIR_FMA, WORD_MODES, PAIR_THERE | (uint64_t)PAIR_HERE << 12 | queue << 30));
        chip_pair_post(
            b, node,
            store_word(PAIR_FMA, WORD_BASE, (uint64_t)b->node[PAIR_NODE(1 - node)].address << 40));
        if (open) {
            chip_pair_post(b, node, store_word(PAIR_FMA, WORD_OPEN, 0));
        }
    }
    nic_bench_settle_drivers(b);
    return b;
}

void chip_pair_free(struct nic_bench *b)
{
    for (unsigned node = 0; node < CHIPS; node++) {
        drv_stop(driver[node]);
    }
    nic_bench_free(b);
}

void chip_pair_transfer(struct nic_bench *b, unsigned node, uint64_t bytes)
{
    struct drv_over over;
    const struct drv_transfer t = {.pe = b->node[PAIR_NODE(1 - node)].address,
                                   .mdh = PAIR_THERE,
                                   .local_mdh = PAIR_HERE,
                                   .bytes = bytes};

    while (drv_over(driver[node], &over)) {
    }
    must_be_given(drv_post(process[node], PAIR_CHANNEL, &t));
}

void chip_pair_post(struct nic_bench *b, unsigned node, struct driver_burst burst)
{
    driver_burst(&b->node[PAIR_NODE(node)].driver, &burst);
}

struct driver_burst chip_pair_line(struct nic_bench *b, bool get)
{
    uint64_t line = rng_below(&b->rng, PAIR_SEGMENT / 64 - 1);
    uint8_t data[64];

    if (get) {
        return store_get(PAIR_FMA, line * 8, line * 64, 64, false);
    }
    memset(data, (int)line, 64);
    return store_put(PAIR_FMA, line * 64, data, 64);
}

void chip_pair_clock(struct nic_bench *b, uint64_t answers[CHIPS])
{
    nic_bench_clock(b);
    for (unsigned node = 0; node < CHIPS; node++) {
        answers[node] += chip_network(b)->end[node].chip->nic[0].initiator.orb.out.answer.valid;
    }
}
