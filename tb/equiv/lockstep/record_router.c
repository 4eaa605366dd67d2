// SPDX-License-Identifier: Apache-2.0
/*
 * record_router.c - what a module of a tile gets as input in a router under traffic: light, full, with bubbles, with
 * back-pressure, with illegal heads and marks; one port is dead.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tb/equiv/lockstep/record.h"
#include "tb/system/router/router_bench.h"

enum { DRAIN = 100000 };

int main(int argc, char **argv)
{
    static struct router_bench_config config;
    static struct router_bench b;
    uint64_t seed, cycles = 8000;
    const char *record = NULL;
    test_options(argc, argv, &seed,
                 args_text("--record", "FILE", &record, "the record, which is wanted"),
                 args_number("--cycles", &cycles, 1, UINT64_MAX, "clocks of the router"));
    FILE *all = record_open(record);

    router_bench_defaults(&config);
    config.dead = 1;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        router_bench_route(&config.plan, p)->nonminimal = (uint64_t)1 << (p + 1) % RTR_PORTS;
    router_bench_start(&b, &config, seed);
    for (unsigned kind = 0; b.clock < cycles; kind = (kind + 1) % ROUTER_BENCH_KINDS) {
        router_bench_change(&b, kind);
        router_bench_run(&b, cycles / (2 * ROUTER_BENCH_KINDS) + 1);
    }
    const bool clean = router_bench_drain(&b, DRAIN) && router_bench_clean(&b);
    tap_note("%" PRIu64 " packets in, %" PRIu64 " out", b.golden.packets_in, b.golden.packets_out);
    tap_ok(clean, "packets as the golden router wants them");
    record_add_to(all);
    tap_ok(!ferror(all) && fclose(all) == 0, "the record is written");
    router_bench_free(&b);
    return tap_done();
}
