// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_reset.c - NICs are reset one by one in the middle of the traffic of all, and come back; netlinks, routers and links go on.
 *
 * With a NIC the port of its host is reset, as AXI wants it; or the NIC was stopped before, and its host knows nothing of the reset.
 *
 * What the others do with each other must not notice. What they ask of the one that was reset ends, with its status; nothing that it
 * had begun before is written into its memory afterwards, whatever of it is still on the way.
 *
 * Built for proto: fast.
 */
#include <limits.h>

#include "tb/system/chip/chip_bench.h"
#include "tb/system/nic/nic_program.h"

enum { NODES = CHIPS * CHIP_NICS, EPOCH = 1 << 13, PATIENCE = 200000, LIFE = 700 };

static struct nic_bench *b;
static struct program *p;
static struct golden_nic *golden;

static void run(unsigned clocks)
{
    while (clocks-- > 0) {
        program_clock(p, true);
    }
}

static const struct program_knobs busy = {.processes = 4,
                                          .most = 8,
                                          .limit = 6,
                                          .messages = 0.2,
                                          .atomics = 0.2,
                                          .flagged = true,
                                          .ordered = true,
                                          .virtually = true,
                                          .illegal = 0.02},
                                  single = {.processes = 1,
                                            .most = 4,
                                            .limit = 8,
                                            .messages = 0.3,
                                            .atomics = 0.2,
                                            .flagged = true};

static void start(uint64_t seed, const struct program_knobs *knobs)
{
    const struct channel_config cable = {.delay = 12};

    golden = gn_new(NODES, false);
    b = chip_bench_new(seed, golden, &cable, NULL);
    for (unsigned node = 0; node < NODES; node++) {
        host_set(b->node[node].host,
                 &(struct host_knobs){.latency = 50, .latency_extra = 100, .stall = 0.1});
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
    }
    p = program_new(b, seed + 1, knobs);
}

static void finish(const char *what)
{
    const struct gn_count *c;

    program_finish(p, PATIENCE);
    nic_bench_whole(b);
    c = gn_finish(golden);
    tap_note("%llu transactions, %llu ended UNREACHABLE, %llu TIMEOUT, %llu OK",
             (unsigned long long)c->transactions, (unsigned long long)c->by_status[GN_UNREACHABLE],
             (unsigned long long)c->by_status[GN_TIMEOUT], (unsigned long long)c->by_status[GN_OK]);
    tap_why("%s", c->first);
    /* holds nic.reset */
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: unexplained accesses %llu, missing accesses %llu, missing events %llu", what,
           (unsigned long long)c->unexplained, (unsigned long long)c->missing_accesses,
           (unsigned long long)c->missing_events);
    tap_misses(&b->unrest, "%s: all NICs are whole afterwards", what);
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
}

/* The node is reset, with its host's port or without, stays away for so long, and comes back. */
static void reset(unsigned node, bool host_too, unsigned away)
{
    chip_bench_reset_nic(b, node, host_too);
    program_rest(p, node, true);
    run(away);
    program_restart(p, node);
    nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
    for (unsigned other = 0; other < NODES; other++) {
        nic_bench_doubt(b, node, other, false);
    }
    program_rest(p, node, false);
}

static void test_resets(uint64_t seed, unsigned rounds)
{
    start(seed, &busy);
    for (unsigned i = 0; i < rounds && gn_counts(golden)->unexplained == 0; i++) {
        unsigned node = rng_below(&b->rng, NODES);

        run(2000 + rng_below(&b->rng, 4000));
        reset(node, true,
              rng_below(&b->rng, 2) == 0 ? rng_below(&b->rng, 100) : rng_below(&b->rng, 20000));
    }
    finish("NICs reset under traffic");
}

/*
 * One transaction of node 0 at a time, and in each of its clocks, step by step, one of the nodes is reset: that which began it, or one that
 * it may ask.
 */
static void test_life(uint64_t seed, unsigned step)
{
    start(seed, &single);
    for (unsigned node = 1; node < NODES; node++) {
        program_rest(p, node, true);
    }
    for (unsigned i = (unsigned)(seed % step);
         i < LIFE * NODES && gn_counts(golden)->unexplained == 0; i += step) {
        uint64_t begun = program_begun(p);

        while (program_begun(p) == begun) {
            program_clock(p, true);
        }
        for (unsigned clocks = i / NODES; clocks > 0; clocks--) {
            program_clock(p, false);
        }
        reset(i % NODES, true, 0);
        program_rest(p, i % NODES, i % NODES != 0);
    }
    finish("NICs reset in each clock of a transaction");
}

/* Stopped first; then nothing of what its host has may be from before. */
static void test_stopped(uint64_t seed, unsigned rounds)
{
    struct misses busy_hosts = {0};

    start(seed, &busy);
    for (unsigned i = 0; i < rounds && gn_counts(golden)->unexplained == 0; i++) {
        unsigned node = rng_below(&b->rng, NODES);

        run(2000 + rng_below(&b->rng, 4000));
        program_rest(p, node, true);
        must(&busy_hosts, nic_bench_stop(b, node, PATIENCE),
             "round %u, node %u: an access is under way, or it is not drained, after %d clocks", i,
             node, PATIENCE);
        run(rng_below(&b->rng, 2) * rng_below(&b->rng, 2000));
        must(&busy_hosts, host_idle(b->node[node].host),
             "round %u, node %u: an access came after STATUS.drained", i, node);
        reset(node, false, 0);
    }
    /* holds nic.drained */
    tap_misses(&busy_hosts,
               "NICs stopped: nothing is under way to their hosts when they say so, or later");
    finish("NICs stopped, and reset without their hosts");
}

int main(int argc, char **argv)
{
    uint64_t seed;
    unsigned rounds = 8, step = 155;

    test_options(argc, argv, &seed,
                 args_unsigned("--rounds", &rounds, 1, UINT_MAX, "resets under traffic"),
                 args_unsigned("--step", &step, 1, UINT_MAX,
                               "clocks of a transaction from one in which a node is reset to the "
                               "next: 1, or an odd number"));
    test_resets(seed, rounds);
    test_life(seed + 1, step);
    test_stopped(seed + 2, rounds);
    return tap_done();
}
