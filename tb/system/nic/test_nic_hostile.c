// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_hostile.c - a process that writes nonsense wherever it may harms only its own transactions: the same random
 * programs run without it and beside it, every access of theirs is explained in both, and they are not much slower.
 *
 * It may write its descriptor's page, its two windows and its queue's page: any word, any bytes, any value. It has one
 * segment of its own and a queue; nothing else in any memory may change but by the others.
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_program.h"

#include <string.h>

enum {
    NODES = 3,
    FMA = 3, /* all of these are one bit away from what the others have */
    QUEUE = 3,
    DOMAIN = 5,
    SEGMENT = 24,
    HIDDEN = 8 << 20,
    SIZE = 1 << 16,
    RING_LOG2 = 6
};

/* A burst somewhere into what it may write; half of the words are small numbers, as lengths and handles are. */
static struct driver_burst nonsense(struct rng *r)
{
    static const unsigned words[] = {0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16, 24};
    uint64_t value = rng_next(r) >> rng_below(r, 64), offset;
    uint8_t data[64];

    for (unsigned i = 0; i < sizeof(data); i++) {
        data[i] = (uint8_t)rng_next(r);
    }
    offset = rng_below(r, 1u << NIC_WINDOW_LOG2);
    switch (rng_below(r, 8)) {
    case 0:
        return store_word(FMA, rng_below(r, 512), value);
    case 1:
        return store_word(FMA, words[rng_below(r, sizeof(words) / sizeof(words[0]))], value);
    case 2:
        return store_word(FMA, rng_below(r, 2) == 0 ? 8 : 13, value);
    case 3:
        return store_put(FMA, offset & ~(uint64_t)63, data, 1 + rng_below(r, 64));
    case 4:
        return store_get(FMA, offset & ~(uint64_t)7, value & 0xFFFFFFFFFF, 4 + 4 * rng_below(r, 16),
                         (u1)value);
    case 5:
        return store_launch(FMA, value & 0x3FFFFFFFFFFFFFF, (u1)rng_next(r), rng_next(r));
    case 6:
        return store_queue(QUEUE, value);
    default:
        /* MODES and BASE that mean something now and then, so that some of it goes out. */
        return store_word(FMA, rng_below(r, 2),
                          rng_below(r, 2) == 0
                              ? SEGMENT | (uint64_t)SEGMENT << 12 | (uint64_t)QUEUE << 30
                              : (uint64_t)rng_below(r, NODES) << 40 | rng_below(r, SIZE));
    }
}

static void prepare(struct nic_bench *b)
{
    b->hidden = HIDDEN;
    b->hidden_end = HIDDEN + (1 << 20);
    for (unsigned node = 0; node < NODES; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 30, .latency_extra = 30});
        nic_bench_write(b, node, NR_ORB_EPOCH, 1 << 13); /* much of it goes to nobody */
        nic_bench_segment(b, node, SEGMENT,
                          &(struct gn_segment){.valid = true,
                                               .read = true,
                                               .write = true,
                                               .ptag = DOMAIN,
                                               .base = HIDDEN + SIZE,
                                               .length = SIZE,
                                               .queue = QUEUE,
                                               .event = true});
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = HIDDEN, .log2 = RING_LOG2, .ptag = DOMAIN});
    }
    nic_bench_descriptor(b, 0, FMA, DOMAIN, 4);
}

/* Clocks that the programs take; 0 if anything of theirs is wrong. */
static uint64_t run(uint64_t seed, uint64_t transactions, bool hostile)
{
    struct golden_nic *golden = gn_new(NODES, false);
    struct nic_bench *b = channel_bench_new(NODES, seed, golden);
    const struct program_knobs knobs = {.processes = 3,
                                        .most = 6,
                                        .limit = 4,
                                        .messages = 0.2,
                                        .sequences = 0.2,
                                        .atomics = 0.2,
                                        .illegal = 0.05};
    struct program *p = program_new(b, seed + 1, &knobs);
    const struct gn_count *c;
    struct rng r;
    uint64_t begin, clocks, sent = 0;
    bool whole;

    rng_seed(&r, seed + 2);
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    prepare(b);
    begin = b->clock;
    while (program_begun(p) < transactions && gn_counts(golden)->unexplained == 0) {
        if (hostile && b->node[0].driver.bursts_in - b->node[0].driver.bursts_done < 400) {
            driver_burst(&b->node[0].driver, (struct driver_burst[]){nonsense(&r)});
            sent++;
        }
        program_clock(p, true);
    }
    clocks = b->clock - begin;
    nic_bench_write(b, 0, NR_FMA + NR_FMA_STEP * FMA,
                    (uint64_t)DOMAIN << NR_FMA_PTAG_AT); /* taken away */
    whole = program_finish(p, 100000);
    c = gn_finish(golden);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: %llu transactions, unexplained accesses %llu, missing %llu",
           hostile ? "beside it" : "without it", (unsigned long long)c->transactions,
           (unsigned long long)c->unexplained,
           (unsigned long long)c->missing_accesses + c->missing_events);
    tap_ok(whole, "%s: all NICs are drained afterwards", hostile ? "beside it" : "without it");
    if (hostile) {
        tap_note("%llu stores of nonsense, %llu answered SLVERR; requests sent by node 0: %llu",
                 (unsigned long long)sent, (unsigned long long)b->node[0].driver.refused,
                 (unsigned long long)nic_bench_read(b, 0, NR_ORB_REQUESTS));
    }
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
    return clocks;
}

int main(int argc, char **argv)
{
    uint64_t seed, transactions = 4000;

    test_options(argc, argv, &seed,
                 args_number("--transactions", &transactions, 1, UINT64_MAX,
                             "transactions of each of the two runs"));
    uint64_t alone = run(seed, transactions, false), beside = run(seed, transactions, true);

    /* Its stores share the processor's AXI manager with theirs, so they cannot be as fast. */
    tap_ok(beside < 3 * alone, "the others take %llu clocks alone and %llu beside it",
           (unsigned long long)alone, (unsigned long long)beside);
    return tap_done();
}
