// SPDX-License-Identifier: Apache-2.0
/*
 * demo_router.c - two whole devices at work: routers of 2 x 2 tiles, two links between them over bad cables, C
 * and RTL in lockstep, golden routers watching every packet.
 *
 * A lane of one link dies on the way and comes back at the end. Ends with a table, build/reports/demo-router.json and
 * build/demo/device.fst; exit status 1 if anything was wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/whole.h"
#include "tb/system/device/device_bench.h"
#include "tb/system/programs/options.h"

extern const struct cosim_module device_cosim;

enum { FEW = 200, UP = 20000, DRAIN = 200000, TRACED = 2000, LEAST_CYCLES = 10000 };

static const char json_path[] = "build/reports/demo-router.json";
static const char fst_path[] = "build/demo/device.fst";

static struct device_bench bench;
static struct progress progress;

static void run_until(uint64_t clock)
{
    while (bench.clock < clock && device_bench_mismatches(&bench) == 0) {
        device_bench_run(&bench, clock - bench.clock < FEW ? clock - bench.clock : FEW);
        progress_show(&progress, bench.clock);
    }
}

static bool play(uint64_t cycles)
{
    bool good = device_bench_await(&bench, UP);
    run_until(cycles / 2);
    channel_lane(&bench.end[0].cable[0], 1, LANE_DOWN);
    run_until(cycles - TRACED);
    whole_make_folder("build/demo");
    bench.config.cosim->rtl_trace(bench.end[0].dut.rtl, fst_path);
    run_until(cycles);
    return good && device_bench_mismatches(&bench) == 0 && device_bench_drain(&bench, DRAIN);
}

static void row(const char *name, uint64_t value)
{
    printf("  %-38s %14" PRIu64 "\n", name, value);
}

static void print_table(double native, double rtl)
{
    const struct golden_router *f = &bench.fabric;
    printf("\n");
    row("packets sent by processors", f->packets_in);
    row("packets delivered", f->packets_out);
    row("lost", golden_router_lost(f));
    row("duplicated", f->duplicated);
    row("reordered", f->reordered);
    row("corrupt", f->corrupt);
    row("misrouted", f->misrouted + bench.end[0].golden.misrouted + bench.end[1].golden.misrouted);
    row("CRC errors on the links", device_bench_link_count(&bench, COUNT_CRC));
    row("micropackets sent again", device_bench_link_count(&bench, COUNT_REPLAYS));
    row("re-initialisations", device_bench_link_count(&bench, COUNT_REINITS));
    row("lockstep clocks, two devices each", bench.clock);
    row("lockstep mismatches", device_bench_mismatches(&bench));
    row("failed assertions", harness_failures());
    printf("  %-38s %14.0f clocks of the pair per second\n", "native C", native);
    printf("  %-38s %14.0f\n", "Verilator", rtl);
}

static bool write_report(double native, double rtl)
{
    const struct golden_router *f = &bench.fabric;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "packets_sent", (double)f->packets_in);
    cJSON_AddNumberToObject(json, "packets_delivered", (double)f->packets_out);
    cJSON_AddNumberToObject(json, "flits_delivered", (double)f->flits_out);
    cJSON_AddNumberToObject(json, "lost", (double)golden_router_lost(f));
    cJSON_AddNumberToObject(json, "duplicated", (double)f->duplicated);
    cJSON_AddNumberToObject(json, "reordered", (double)f->reordered);
    cJSON_AddNumberToObject(json, "corrupt", (double)f->corrupt);
    cJSON_AddNumberToObject(
        json, "misrouted",
        (double)(f->misrouted + bench.end[0].golden.misrouted + bench.end[1].golden.misrouted));
    cJSON_AddNumberToObject(json, "lockstep_cycles", (double)bench.clock);
    cJSON_AddNumberToObject(json, "mismatches", (double)device_bench_mismatches(&bench));
    cJSON_AddNumberToObject(json, "failed_checks", (double)harness_failures());
    cJSON_AddNumberToObject(json, "native_clocks_per_second", native);
    cJSON_AddNumberToObject(json, "verilator_clocks_per_second", rtl);
    cJSON_AddNumberToObject(json, "seed", (double)progress.seed);
    return report_write(json_path, json);
}

int main(int argc, char **argv)
{
    uint64_t seed, cycles = 100000;
    const char *info = "build/rtl/proto/device.json";
    const struct args_option rows[] = {options_demo(&cycles, LEAST_CYCLES, &info), args_end()};
    const struct args args = {
        .about = "Two routers with their links at work, C and Verilog in lockstep.",
        .option = rows,
        .seed = &seed};
    (void)args_read(&args, argc, argv);
    struct device_bench_config config = device_bench_defaults();
    config.cosim = &device_cosim;
    config.cable.ber = 1e-5;

    printf(
        "two devices back to back: routers of %d x %d tiles, %d links, %d processors each, %" PRIu64
        " clocks, --seed %" PRIu64 "\n",
        RTR_ROWS, RTR_COLS, RTR_LINKS, DEV_PROCESSORS, cycles, seed);
    fflush(stdout);
    progress_start(&progress, "demo, clocks", cycles, seed);
    device_bench_start(&bench, &config, seed);
    const bool arrived = play(cycles);
    progress_end(&progress, bench.clock);

    const struct device_end *end = bench.end;
    const double native =
        (double)bench.clock / (end[0].dut.native_seconds + end[1].dut.native_seconds);
    const double rtl = (double)bench.clock / (end[0].dut.rtl_seconds + end[1].dut.rtl_seconds);
    print_table(native, rtl);
    for (unsigned i = 0; i < 2; i++) {
        dut_explain(&end[i].dut, info);
        if (end[i].golden.first_error[0])
            printf("router %u: %s\n", i, end[i].golden.first_error);
    }
    const bool good = arrived && device_bench_clean(&bench) && harness_failures() == 0;
    const bool written = write_report(native, rtl);
    device_bench_free(&bench);
    printf("\nreport: %s   waveform: %s\n%s\n", json_path, fst_path,
           good ? "everything agreed" : "SOMETHING IS WRONG");
    return whole_status(good && written);
}
