// SPDX-License-Identifier: Apache-2.0
/*
 * chip_pair.c - what two processes have, and what they post.
 */
#include "tb/system/chip/chip_pair.h"

#include <string.h>

struct nic_bench *chip_pair_new(uint64_t seed, const struct channel_config *cable, bool open)
{
    struct nic_bench *b = chip_bench_new(seed, NULL, cable, NULL);

    for (unsigned node = 0; node < CHIPS; node++) {
        struct gn_segment s = {.valid = true,
                               .read = true,
                               .write = true,
                               .base = 0x10000,
                               .length = PAIR_SEGMENT,
                               .ptag = PAIR_DOMAIN,
                               .queue = PAIR_QUEUE};

        nic_bench_segment(b, node, PAIR_THERE, &s);
        s.base = 0x30000;
        nic_bench_segment(b, node, PAIR_HERE, &s);
        nic_bench_queue(
            b, node, PAIR_QUEUE,
            &(struct gn_ring){.enabled = true, .base = 0, .log2 = 10, .ptag = PAIR_DOMAIN});
        nic_bench_descriptor(b, node, PAIR_FMA, PAIR_DOMAIN, 4);
        chip_pair_post(
            b, node,
            store_word(PAIR_FMA, WORD_MODES,
                       PAIR_THERE | (uint64_t)PAIR_HERE << 12 | (uint64_t)PAIR_QUEUE << 30));
        chip_pair_post(b, node,
                       store_word(PAIR_FMA, WORD_BASE, (uint64_t)b->node[1 - node].address << 40));
        if (open) {
            chip_pair_post(b, node, store_word(PAIR_FMA, WORD_OPEN, 0));
        }
    }
    nic_bench_settle_drivers(b);
    return b;
}

void chip_pair_post(struct nic_bench *b, unsigned node, struct driver_burst burst)
{
    driver_burst(&b->node[node].driver, &burst);
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
