// SPDX-License-Identifier: Apache-2.0
/*
 * demo_nic.c - two whole chips at work: processes on both put, get and send messages to each other, beside block transfers, from AXI to AXI over
 * NICs, routers and two links over bad cables, C and RTL in lockstep, the golden NIC explaining every access of both memories.
 *
 * Ends with a table, build/reports/demo-nic.json and build/demo/chip.fst; exit status 1 if anything was wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/whole.h"
#include "tb/system/chip/chip_play.h"
#include "tb/system/programs/options.h"

extern const struct cosim_module chip_cosim;

enum { FEW = 200, TRACED = 2000, LEAST_CYCLES = 30000 };

static const char json_path[] = "build/reports/demo-nic.json";
static const char fst_path[] = "build/demo/chip.fst";

static struct chip_play play;
static struct progress progress;

static void run_until(uint64_t clock)
{
    while (chip_play_clock(&play) < clock && chip_bench_mismatches(play.bench) == 0 &&
           gn_counts(play.golden)->unexplained == 0) {
        const uint64_t left = clock - chip_play_clock(&play);

        chip_play_run(&play, chip_play_clock(&play) + (left < FEW ? left : FEW));
        progress_show(&progress, chip_play_clock(&play));
    }
}

static void row(const char *name, uint64_t value)
{
    printf("  %-38s %14" PRIu64 "\n", name, value);
}

static void print_traffic(void)
{
    const struct chip_traffic *t = &play.traffic;

    printf("\n  %-38s %14s %14s\n", "what NICs sent", "packets", "flits");
    for (unsigned k = 0; k < TRAFFIC_KINDS; k++) {
        if (t->packets[k] != 0) {
            printf("  %-38s %14" PRIu64 " %14" PRIu64 "\n", traffic_names[k], t->packets[k],
                   t->flits[k]);
        }
    }
}

/* Of each operation, from its head flit to the tail flit of its answer. */
static void print_latency(void)
{
    enum { WIDEST = 40 };
    const struct chip_traffic *t = &play.traffic;
    const uint64_t all = t->answers != 0 ? t->answers : 1;

    printf("\n  clocks from request to answer, mean %" PRIu64 ", most %" PRIu64 "\n", t->sum / all,
           t->most);
    for (unsigned b = 0; b < TRAFFIC_BINS; b++) {
        printf("  from %4u %28" PRIu64 "  ", TRAFFIC_STEP * b, t->latency[b]);
        for (uint64_t i = 0; i < (t->latency[b] * WIDEST + all - 1) / all; i++) {
            putchar('#');
        }
        putchar('\n');
    }
    printf("\n");
}

static void print_table(double native, double rtl)
{
    const struct gn_count *c = gn_counts(play.golden);

    printf("\n");
    row("transactions", c->transactions);
    row("operations", c->operations);
    row("bytes put", play.traffic.put_bytes);
    row("bytes asked for by gets", play.traffic.get_bytes);
    row("events", c->events);
    row("block transfers", play.blocks.transfers);
    row("their bytes", play.blocks.bytes);
    row("of them with an event at the target", play.blocks.at_target);
    row("memory accesses explained", c->writes + c->reads);
    row("not explained", c->unexplained);
    row("accesses and events missing", c->missing_accesses + c->missing_events);
    row("bit errors on the links", play.bit_errors);
    row("micropackets sent again", chip_bench_link_count(play.bench, COUNT_REPLAYS));
    print_traffic();
    print_latency();
    row("lockstep clocks, two chips each", chip_play_clock(&play));
    row("lockstep mismatches", chip_bench_mismatches(play.bench));
    row("failed assertions", harness_failures());
    printf("  %-38s %14.0f clocks of the pair per second\n", "native C", native);
    printf("  %-38s %14.0f\n", "Verilator", rtl);
}

static void add_traffic(cJSON *json)
{
    const struct chip_traffic *t = &play.traffic;
    cJSON *kinds = cJSON_AddObjectToObject(json, "sent");
    cJSON *bins = cJSON_AddArrayToObject(json, "latency");

    for (unsigned k = 0; k < TRAFFIC_KINDS; k++) {
        cJSON *kind = cJSON_AddObjectToObject(kinds, traffic_names[k]);

        cJSON_AddNumberToObject(kind, "packets", (double)t->packets[k]);
        cJSON_AddNumberToObject(kind, "flits", (double)t->flits[k]);
    }
    for (unsigned b = 0; b < TRAFFIC_BINS; b++) {
        cJSON_AddItemToArray(bins, cJSON_CreateNumber((double)t->latency[b]));
    }
    cJSON_AddNumberToObject(json, "latency_bin_clocks", TRAFFIC_STEP);
    cJSON_AddNumberToObject(json, "latency_sum", (double)t->sum);
    cJSON_AddNumberToObject(json, "latency_most", (double)t->most);
    cJSON_AddNumberToObject(json, "bytes_put", (double)t->put_bytes);
    cJSON_AddNumberToObject(json, "bytes_get", (double)t->get_bytes);
}

static bool write_report(double native, double rtl)
{
    const struct gn_count *c = gn_counts(play.golden);
    cJSON *json = cJSON_CreateObject();

    cJSON_AddNumberToObject(json, "transactions", (double)c->transactions);
    cJSON_AddNumberToObject(json, "operations", (double)c->operations);
    cJSON_AddNumberToObject(json, "events", (double)c->events);
    cJSON_AddNumberToObject(json, "block_transfers", (double)play.blocks.transfers);
    cJSON_AddNumberToObject(json, "unexplained", (double)c->unexplained);
    cJSON_AddNumberToObject(json, "missing", (double)(c->missing_accesses + c->missing_events));
    cJSON_AddNumberToObject(json, "bit_errors", (double)play.bit_errors);
    cJSON_AddNumberToObject(json, "replays",
                            (double)chip_bench_link_count(play.bench, COUNT_REPLAYS));
    add_traffic(json);
    cJSON_AddNumberToObject(json, "lockstep_cycles", (double)chip_play_clock(&play));
    cJSON_AddNumberToObject(json, "mismatches", (double)chip_bench_mismatches(play.bench));
    cJSON_AddNumberToObject(json, "failed_checks", (double)harness_failures());
    cJSON_AddNumberToObject(json, "native_clocks_per_second", native);
    cJSON_AddNumberToObject(json, "verilator_clocks_per_second", rtl);
    cJSON_AddNumberToObject(json, "seed", (double)progress.seed);
    return report_write(json_path, json);
}

int main(int argc, char **argv)
{
    uint64_t seed, cycles = 100000;
    const char *info = "build/rtl/proto/chip.json";
    const struct args_option rows[] = {options_demo(&cycles, LEAST_CYCLES, &info), args_end()};
    const struct args args = {.about =
                                  "Two chips with their NICs at work, C and Verilog in lockstep.",
                              .option = rows,
                              .seed = &seed};
    double native = 0, rtl = 0;
    bool good;
    bool written;

    (void)args_read(&args, argc, argv);
    printf("two chips back to back: a NIC each, %d processes on it, routers of %d x %d tiles, %d "
           "links, %" PRIu64 " clocks, --seed %" PRIu64 "\n",
           CHIP_PLAY_PROCESSES, RTR_ROWS, RTR_COLS, RTR_LINKS, cycles, seed);
    fflush(stdout);
    progress_start(&progress, "demo, clocks", cycles, seed);
    chip_play_start(&play, seed, &chip_cosim);
    run_until(cycles - TRACED);
    whole_make_folder("build/demo");
    chip_cosim.rtl_trace(chip_network(play.bench)->end[0].dut.rtl, fst_path);
    run_until(cycles);
    progress_end(&progress, chip_play_clock(&play));
    good = chip_play_finish(&play);

    for (unsigned i = 0; i < CHIPS; i++) {
        native += chip_network(play.bench)->end[i].dut.native_seconds;
        rtl += chip_network(play.bench)->end[i].dut.rtl_seconds;
    }
    print_table((double)chip_play_clock(&play) / native, (double)chip_play_clock(&play) / rtl);
    for (unsigned i = 0; i < CHIPS; i++) {
        dut_explain(&chip_network(play.bench)->end[i].dut, info);
    }
    if (!good) {
        printf("%s\n", gn_counts(play.golden)->first);
    }
    good = good && chip_bench_mismatches(play.bench) == 0 && harness_failures() == 0;
    written = write_report(native, rtl);
    chip_play_free(&play);
    printf("\nreport: %s   waveform: %s\n%s\n", json_path, fst_path,
           good ? "everything agreed" : "SOMETHING IS WRONG");
    return whole_status(good && written);
}
