// SPDX-License-Identifier: Apache-2.0
/*
 * loaded_device.c - the RTL of two whole devices, all links joined by cables with errors, in lockstep with the C under
 * traffic; golden routers watch every packet. A lane dies on the way.
 */
#include <inttypes.h>

#include "tb/system/device/device_bench.h"

extern const struct cosim_module device_cosim;

enum { FEW = 20, UP = 20000, DRAIN = 20000 };

static struct device_bench bench;
static struct progress progress;

static void run_until(uint64_t clock)
{
    while (bench.clock < clock && device_bench_mismatches(&bench) == 0) {
        device_bench_run(&bench, clock - bench.clock < FEW ? clock - bench.clock : FEW);
        progress_show(&progress, bench.clock);
    }
}

static bool report(const char *path, uint64_t seed)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "cycles", (double)bench.clock);
    cJSON_AddNumberToObject(json, "seed", (double)seed);
    cJSON_AddNumberToObject(json, "mismatches", (double)device_bench_mismatches(&bench));
    return report_write(path, json);
}

int main(int argc, char **argv)
{
    uint64_t seed, cycles = 10000;
    const char *json = NULL, *info = "/dev/null";
    test_options(argc, argv, &seed, args_number("--cycles", &cycles, 1, UINT64_MAX, "clocks"),
                 args_text("--info", "FILE", &info,
                           "what rtlgen says of the module: names of registers that differ"),
                 args_text("--json", "FILE", &json, "the report"));
    struct device_bench_config config = device_bench_defaults();
    config.cosim = &device_cosim;
    config.cable.ber = 1e-5;
    config.cable.burst_rate = 1e-4;
    progress_start(&progress, "two devices, clocks", cycles, seed);
    device_bench_start(&bench, &config, seed);
    run_until(cycles / 2);
    channel_lane(&bench.end[0].cable[0], 1, LANE_DOWN);
    run_until(cycles);
    const bool same = device_bench_mismatches(&bench) == 0;
    const bool drained = same && device_bench_drain(&bench, DRAIN);
    progress_end(&progress, bench.clock);
    for (unsigned i = 0; i < 2; i++)
        dut_explain(&bench.end[i].dut, info);
    tap_ok(same && device_bench_mismatches(&bench) == 0,
           "lockstep of two devices of %d links under traffic: %" PRIu64 " clocks", RTR_LINKS,
           bench.clock);
    tap_ok(drained && device_bench_clean(&bench) && bench.fabric.packets_in > 0 &&
               device_bench_link_count(&bench, COUNT_REPLAYS) > 0,
           "all %" PRIu64 " packets arrive once, whole, where they belong; %" PRIu64
           " micropackets were sent again",
           bench.fabric.packets_in, device_bench_link_count(&bench, COUNT_REPLAYS));
    if (json)
        tap_ok(report(json, seed), "report %s", json);
    device_bench_free(&bench);
    return tap_done();
}
