// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_software.c - a driver that writes registers in the middle of traffic, right ones, wrong ones and at any time: tables as they are,
 * rings over each other, rings and segments that cannot be, epochs, drain, masks, counters; read indices that are none. The random
 * programs of all nodes must not notice, and all NICs are whole afterwards.
 *
 *     ACTS=n
 */
#include "tb/nic/nic_channel.h"
#include "tb/nic/nic_program.h"

enum { NODES = 3, PROCESSES = 3, FMA = 6, DOMAIN = 9, QUEUE = 9, HERE = 40, PATIENCE = 200000 };
enum { HIDDEN = 8 << 20, RINGS = HIDDEN, DATA = HIDDEN + 0x10000, RING_LOG2 = 6 };

static struct nic_bench *b;
static struct program *p;
static uint64_t refused[NODES]; /* register writes that had to be */

static void run(unsigned clocks)
{
    while (clocks-- > 0) {
        program_clock(p, true);
    }
}

static void write(unsigned node, unsigned address, uint64_t data)
{
    nic_bench_write(b, node, (uint16_t)address, data);
}

static void write_refused(unsigned node, unsigned address, uint64_t data)
{
    write(node, address, data);
    refused[node]++;
}

/* ---- acts ------------------------------------------------------------------------------------------ */

/* Two queues of the actor in one ring, or half over each other; their indices begin anew. */
static void act_rings(unsigned node)
{
    for (unsigned i = 0; i < 2; i++) {
        write(node, NR_CQ + NR_CQ_STEP * (QUEUE + i), RINGS + 64 * rng_below(&b->rng, 8));
        write(node, NR_CQ + NR_CQ_STEP * (QUEUE + i) + 1,
              (uint64_t)(rng_below(&b->rng, 4) != 0) << NR_CQ1_ENABLE_AT |
                  (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT | (uint64_t)DOMAIN << NR_CQ1_PTAG_AT |
                  (uint64_t)rng_below(&b->rng, 70) << NR_CQ1_THRESHOLD_AT);
    }
}

/* What the register description does not allow: nothing of it is done. */
static void act_wrong(unsigned node)
{
    unsigned queue = NR_CQ + NR_CQ_STEP * rng_below(&b->rng, PROCESSES);
    unsigned mdd = NR_MDD + NR_MDD_STEP * rng_below(&b->rng, PROCESSES * PROGRAM_SEGMENTS);
    static const unsigned sizes[] = {0, 1, 5, 21, 31};

    switch (rng_below(&b->rng, 6)) {
    case 0: /* a ring of no size, or too large a one */
        write(node, queue, RINGS);
        write_refused(node, queue + 1,
                      (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)sizes[rng_below(&b->rng, 5)]
                                                            << NR_CQ1_LOG2_AT);
        break;
    case 1: /* one that is not aligned */
        write(node, queue, RINGS + 8);
        write_refused(node, queue + 1,
                      (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT);
        break;
    case 2: /* a segment that ends behind all memory */
        write(node, mdd, (((uint64_t)1 << 48) - 100) | (uint64_t)1 << NR_MDD_VALID_AT);
        write_refused(node, mdd + 1, 101);
        break;
    case 3: /* the second half of an entry alone */
        write(node, NR_MDD + NR_MDD_STEP * HERE, 0);
        write_refused(node, mdd + 1, 0);
        break;
    case 4: /* more transactions than there are ids */
        write_refused(node, NR_FMA + NR_FMA_STEP * FMA,
                      (uint64_t)NIC_SSIDS << NR_FMA_LIMIT_AT | (uint64_t)1 << NR_FMA_ENABLE_AT);
        break;
    default: /* an epoch that is too short; what is read alone; what is not there */
        write_refused(node, NR_ORB_EPOCH, rng_below(&b->rng, 64));
        write_refused(node, NR_STATUS, 0);
        write_refused(node, NR_NTT - 1, 0);
        break;
    }
}

/* The actor's own process: any words, in any order, any read index. */
static void act_process(unsigned node)
{
    static const unsigned words[] = {8, 8, 13, 13, 1, 9, 5, 0};
    struct driver_burst burst;
    unsigned word = words[rng_below(&b->rng, 8)];
    uint64_t value = rng_next(&b->rng) >> rng_below(&b->rng, 64);

    if (word == 1) {
        value = HERE | (uint64_t)HERE << 12 | (uint64_t)(QUEUE + rng_below(&b->rng, 3)) << 30;
    } else if (word == 0) {
        value = (uint64_t)rng_below(&b->rng, NODES) << 40 | rng_below(&b->rng, 8192);
    } else if (word == 13) {
        value &= ~((uint64_t)12 << 56);
    }
    burst = rng_below(&b->rng, 4) == 0   ? store_queue(QUEUE + rng_below(&b->rng, 2), value)
            : rng_below(&b->rng, 3) == 0 ? store_put(FMA, 0, (const uint8_t *)&value, 8)
                                         : store_word(FMA, word, value);
    driver_burst(&b->node[node].driver, &burst);
}

/* Its descriptor comes and goes, as open as it is. */
static void act_descriptor(unsigned node)
{
    write(node, NR_FMA + NR_FMA_STEP * FMA,
          (uint64_t)DOMAIN << NR_FMA_PTAG_AT | (uint64_t)3 << NR_FMA_LIMIT_AT |
              (uint64_t)(rng_below(&b->rng, 2)) << NR_FMA_ENABLE_AT);
}

/* A table of the others, as it is. */
static void act_again(unsigned node)
{
    program_segments(p, node);
}

static void act_management(unsigned node)
{
    switch (rng_below(&b->rng, 5)) {
    case 0:
        write(node, NR_CONTROL, 1 | 1 << NR_CONTROL_DRAIN_AT);
        for (unsigned i = rng_below(&b->rng, 600); i > 0; i--) {
            nic_bench_clock(b); /* without programs, which would wait for an answer */
        }
        write(node, NR_CONTROL, 1);
        break;
    case 1:
        write(node, NR_ORB_EPOCH, (uint64_t)1 << (15 + rng_below(&b->rng, 4)));
        break;
    case 2:
        write(node, NR_IRQ_MASK, rng_next(&b->rng));
        write(node, NR_IRQ_PENDING, rng_next(&b->rng));
        write(node, NR_IRQ_TIMER, rng_below(&b->rng, 1000));
        break;
    case 3:
        write(node, NR_FIRST_ERROR, 0);
        break;
    default:
        write(node, NR_CONTROL, 1 | 1 << NR_CONTROL_SETTLE_AT);
        write(node, NR_NODE, b->node[node].address);
        write(node, NR_PHYS_SIZE, BENCH_MEMORY);
        break;
    }
}

static void (*const acts[])(unsigned node) = {act_rings,      act_wrong, act_process,
                                              act_descriptor, act_again, act_management};

/* ---- together -------------------------------------------------------------------------------------- */

static void start(struct golden_nic *golden, uint64_t seed)
{
    b = channel_bench_new(NODES, seed, golden);
    b->hidden = HIDDEN;
    b->hidden_end = HIDDEN + (1 << 20);
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10, .delay_extra = 100};
    for (unsigned node = 0; node < NODES; node++) {
        host_set(b->node[node].host,
                 &(struct host_knobs){.latency = 40, .latency_extra = 40, .stall = 0.1});
        write(node, NR_ORB_EPOCH, 1 << 16);
        write(node, NR_MDD + NR_MDD_STEP * HERE,
              DATA | (uint64_t)1 << NR_MDD_VALID_AT | (uint64_t)1 << NR_MDD_WRITE_AT |
                  (uint64_t)1 << NR_MDD_EVENT_AT);
        write(node, NR_MDD + NR_MDD_STEP * HERE + 1,
              4096 | (uint64_t)DOMAIN << NR_MDD1_PTAG_AT | (uint64_t)QUEUE << NR_MDD1_QUEUE_AT);
    }
    p = program_new(b, seed + 1,
                    &(struct program_knobs){.processes = PROCESSES,
                                            .most = 6,
                                            .limit = 4,
                                            .messages = 0.2,
                                            .flagged = true,
                                            .ordered = true,
                                            .illegal = 0.05});
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv), n = test_number(argc, argv, "ACTS", 3000);
    struct golden_nic *golden = gn_new(NODES, false);
    const struct gn_count *c;
    bool counted = true, whole;

    start(golden, seed);
    for (uint64_t i = 0; i < n && gn_counts(golden)->unexplained == 0; i++) {
        run(rng_below(&b->rng, 60));
        acts[rng_below(&b->rng, sizeof(acts) / sizeof(acts[0]))](rng_below(&b->rng, NODES));
    }
    for (unsigned node = 0; node < NODES; node++) {
        write(node, NR_FMA + NR_FMA_STEP * FMA, (uint64_t)DOMAIN << NR_FMA_PTAG_AT);
        write(node, NR_ORB_EPOCH, 1 << 12);
    }
    whole = program_finish(p, PATIENCE) && nic_bench_whole(b);
    for (unsigned node = 0; node < NODES; node++) {
        uint64_t count = nic_bench_read(b, node, NR_REGISTER_REFUSED);

        counted &= count == refused[node] && b->node[node].driver.lite_refused == refused[node] &&
                   host_broken_rules(b->node[node].host) == 0;
    }
    c = gn_finish(golden);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%llu acts of a driver, %llu transactions of others: unexplained accesses %llu, missing "
           "%llu",
           (unsigned long long)n, (unsigned long long)c->transactions,
           (unsigned long long)c->unexplained,
           (unsigned long long)c->missing_accesses + c->missing_events);
    tap_ok(c->transactions > 2 * n / 3, "the others get on");
    tap_ok(whole, "all NICs are whole afterwards");
    tap_ok(counted, "%llu writes of registers were refused, each counted",
           (unsigned long long)(refused[0] + refused[1] + refused[2]));
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
    return tap_done();
}
