// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_hang.c - a processor that tells no room: what waits for it is dropped after its port's patience, so inputs that send a quarter of
 * their packets there carry the rest as before.
 *
 * Four inputs of one row send to a processor's port and to three others each. With patience 1 the first packet is dropped 2^12 to 2^13
 * clocks after the last one left, and not before.
 *
 * Built for p16: fast.
 */
#include <inttypes.h>

#include "hls/router/rtr_regs.h"
#include "tb/system/router/router_bench.h"

enum {
    HUNG = RTR_PORTS - 1,
    SENDERS = RTR_COLS,
    PATIENCE = 1 << 12,
    WINDOW = 4000,
};

static struct router_bench b;
static struct router_bench_config config;

static void start(bool hangs, unsigned patience, uint64_t seed)
{
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        if (p >= SENDERS)
            config.source[p].load = 0;
        else
            router_bench_aim(&config, p,
                             UINT64_C(1) << HUNG | UINT64_C(0x111) % (UINT64_C(1) << HUNG) << p);
    }
    if (hangs)
        config.sink[HUNG].guaranteed = config.sink[HUNG].shared = 0;
    router_bench_start(&b, &config, seed);
    router_bench_write(&b, router_bench_address(HUNG, RTR_REG_OUTPUT), (uint64_t)patience << 8);
}

/* Flits to the other outputs in so many clocks. */
static uint64_t others(uint64_t clocks)
{
    const uint64_t before = b.golden.flits_out - b.golden.to[HUNG];

    router_bench_run(&b, clocks);
    return b.golden.flits_out - b.golden.to[HUNG] - before;
}

static uint64_t dropped(void)
{
    return router_bench_read(&b, router_bench_address(HUNG, RTR_REG_VALVE));
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    start(false, 1, seed);
    others(WINDOW);
    const uint64_t free_rate = others(WINDOW), free_drops = dropped();
    struct misses drops_free = {0}, stopping = {0}, going = {0}, endless = {0};
    must_equal(&drops_free, free_drops, 0, "packets dropped");
    must_at_least(&drops_free, free_rate, WINDOW + 1, "flits to others");
    tap_misses(&drops_free,
               "a port that takes all drops nothing; %" PRIu64 " flits to others in %d clocks",
               free_rate, WINDOW);
    router_bench_free(&b);

    start(true, 1, seed);
    others(PATIENCE / 2);
    const uint64_t stopped = others(PATIENCE / 2 - 64), early = dropped();
    must_equal(&stopping, early, 0, "packets dropped before its patience ends");
    must_at_most(&stopping, stopped, free_rate / 20, "flits to others");
    /* holds valve.periods */
    tap_misses(&stopping,
               "one that hangs stops its senders (%" PRIu64 " flits) before its patience ends",
               stopped);
    others(PATIENCE + 64);
    const uint64_t late = dropped(), rate = others(WINDOW), drops = dropped();
    must_at_least(&going, late, 1, "packets dropped behind its patience");
    must_at_least(&going, rate, free_rate * 9 / 10, "flits to others");
    tap_misses(&going, "behind it they carry %" PRIu64 " flits to the others", rate);
    router_bench_free(&b);
    tap_at_least(drops, late + (uint64_t)WINDOW / 8 / 4 + 1,
                 "%" PRIu64 " packets dropped are counted", drops);

    start(true, 3, seed);
    others(2 * PATIENCE);
    must_at_most(&endless, others(WINDOW), free_rate / 20, "flits to others");
    must_equal(&endless, dropped(), 0, "packets dropped");
    tap_misses(&endless, "with patience 3 nothing is dropped");
    router_bench_free(&b);
    return tap_done();
}
