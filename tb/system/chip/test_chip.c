// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip.c - two chips, of aries and gemini with several NICs each, NIC to NIC over routers and links with bit errors: random programs, every access explained; the last
 * one all in mode IN_ORDER, whose writes come in the order in which they were posted.
 *
 * Built for aries, proto, proto24, gemini: fast.
 */
#include "tb/system/chip/chip_bench.h"
#include "tb/system/nic/nic_program.h"

static void test_programs(uint64_t seed, uint64_t transactions, double ber, bool in_order)
{
    struct golden_nic *golden = gn_new(CHIPS * CHIP_NICS, false);
    const struct channel_config cable = {
        .delay = 12, .ber = ber, .burst_rate = 1e-5, .burst_min = 1, .burst_max = 16};
    struct nic_bench *b = chip_bench_new(seed, golden, &cable, NULL);
    const struct program_knobs knobs = {.processes = 4,
                                        .most = 8,
                                        .limit = 4,
                                        .messages = 0.2,
                                        .sequences = 0.2,
                                        .atomics = 0.2,
                                        .flagged = true,
                                        .ordered = true,
                                        .in_order = in_order,
                                        .paged = true,
                                        .illegal = 0.05};
    struct program *p = program_new(b, seed + 1, &knobs);
    const struct gn_count *c;
    uint64_t begin;

    for (unsigned i = 0; i < b->nodes; i++) {
        host_set(b->node[i].host,
                 &(struct host_knobs){.latency = 50, .latency_extra = 100, .stall = 0.1});
    }
    begin = b->clock;
    while (program_begun(p) < transactions && gn_counts(golden)->unexplained == 0) {
        program_clock(p, true);
    }
    program_finish(p, 100000);
    c = gn_finish(golden);
    tap_note("%llu transactions, %llu operations, %llu events in %llu clocks; %llu micropackets "
             "sent again",
             (unsigned long long)c->transactions, (unsigned long long)c->operations,
             (unsigned long long)c->events, (unsigned long long)(b->clock - begin),
             (unsigned long long)chip_bench_link_count(b, COUNT_REPLAYS));
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "bit errors %g: unexplained accesses %llu, missing accesses %llu, missing events %llu",
           ber, (unsigned long long)c->unexplained, (unsigned long long)c->missing_accesses,
           (unsigned long long)c->missing_events);
    if (in_order) {
        tap_at_least(c->ordered, transactions + 1, "writes in order");
        tap_why("%s", c->first);
        tap_ok(c->overtaken == 0, "of %llu writes in order %llu were overtaken",
               (unsigned long long)c->ordered, (unsigned long long)c->overtaken);
    }
    tap_misses(&b->unrest, "bit errors %g: both NICs are drained afterwards", ber);
    nic_bench_judge_hosts(b, in_order ? "in order" : "in any order");
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
}

int main(int argc, char **argv)
{
    /* what 48 tiles with long packets do in some seconds */
    uint64_t seed, transactions = RTR_LENGTH_BITS == 0 && RTR_PORTS > 16 ? 200 : 1000;

    test_options(argc, argv, &seed,
                 args_number("--transactions", &transactions, 1, UINT64_MAX,
                             "transactions of each of the programs"));
    test_programs(seed, transactions, 0, false);
    test_programs(seed + 1, transactions, 1e-5, false);
    test_programs(seed + 2, transactions, 1e-5, true);
    return tap_done();
}
