// SPDX-License-Identifier: Apache-2.0
/*
 * loaded_chip.c - the RTL of two whole chips in lockstep with the C under real traffic: random programs of puts, gets and
 * messages over links with bit errors, each access explained by the golden NIC.
 */
#include <inttypes.h>

#include "tb/system/chip/chip_play.h"

extern const struct cosim_module chip_cosim;

enum { FEW = 200 };

static bool report(const char *path, const struct chip_play *p, uint64_t seed)
{
    cJSON *json = cJSON_CreateObject();

    cJSON_AddNumberToObject(json, "cycles", (double)chip_play_clock(p));
    cJSON_AddNumberToObject(json, "seed", (double)seed);
    cJSON_AddNumberToObject(json, "mismatches", (double)chip_bench_mismatches(p->bench));
    return report_write(path, json);
}

int main(int argc, char **argv)
{
    static struct chip_play play;
    uint64_t seed, cycles = 100000;
    const char *json = NULL, *info = "/dev/null";
    struct progress progress;
    bool whole;

    test_options(argc, argv, &seed, args_number("--cycles", &cycles, 1, UINT64_MAX, "clocks"),
                 args_text("--info", "FILE", &info,
                           "what rtlgen says of the module: names of registers that differ"),
                 args_text("--json", "FILE", &json, "the report"));
    progress_start(&progress, "two chips, clocks", cycles, seed);
    chip_play_start(&play, seed, &chip_cosim);
    for (uint64_t clock = chip_play_clock(&play); clock < cycles; clock += FEW) {
        chip_play_run(&play, clock < cycles - FEW ? clock + FEW : cycles);
        progress_show(&progress, chip_play_clock(&play));
    }
    progress_end(&progress, chip_play_clock(&play));
    whole = chip_play_finish(&play);
    tap_ok(whole,
           "accesses, events and packets as they must be: %" PRIu64 " transactions, %" PRIu64
           " bit errors",
           gn_counts(play.golden)->transactions, play.bit_errors);
    for (unsigned i = 0; i < CHIPS; i++) {
        dut_explain(&chip_network(play.bench)->end[i].dut, info);
    }
    tap_ok(chip_bench_mismatches(play.bench) == 0,
           "lockstep of two chips under traffic: %" PRIu64 " clocks", chip_play_clock(&play));
    if (json) {
        tap_ok(report(json, &play, seed), "report %s", json);
    }
    chip_play_free(&play);
    return tap_done();
}
