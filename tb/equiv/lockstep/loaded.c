// SPDX-License-Identifier: Apache-2.0
/*
 * loaded.c - the RTL of a whole router, or of one of its tiles, in lockstep with the C under real traffic.
 *
 * The native router runs in its bench, packets checked by the golden router. The RTL of the router gets what the
 * native one gets. The RTL of a tile gets what that tile gets inside the native router: the linker
 * hands every call of tile() to __wrap_tile (--wrap=tile), which steps the RTL beside those that are watched:
 * one, or all of them.
 * Traffic changes as it goes: light, full, with bubbles, with back-pressure, with illegal heads; one port is dead.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"
#include "tb/system/router/router_bench.h"

/* tile_cosim or router_cosim: the linker gets which (--defsym). */
extern const struct cosim_module loaded_cosim;

void __real_tile(struct tile *self, const struct tile_in *in);
void __wrap_tile(struct tile *self, const struct tile_in *in);

static struct dut watched[RTR_PORTS]; /* tiles, if it is they */
static bool watch;
static unsigned watched_first, watched_last;
static uint64_t tile_calls;

static void model_reset(void *self)
{
    tile_reset(self);
}

static void model_step(void *self, const void *in)
{
    __real_tile(self, in);
}

static const struct dut_model tile_model = {sizeof(struct tile), model_reset, model_step};

/* The router calls its tiles in the order of their ports. */
void __wrap_tile(struct tile *self, const struct tile_in *in)
{
    const unsigned port = (unsigned)(tile_calls % RTR_PORTS);
    const bool mine = watch && port >= watched_first && port <= watched_last;
    if (mine && tile_calls < RTR_PORTS)
        dut_start(&watched[port], "tile", &tile_model, &loaded_cosim, self);
    tile_calls++;
    if (mine)
        dut_step(&watched[port], in);
    else
        __real_tile(self, in);
}

static void watch_tile(void *to, const char *name, const char *value)
{
    (void)to;
    const bool all = strcmp(value, "all") == 0;
    watched_first = all ? 0 : (unsigned)sim_number(name, value, 0, RTR_PORTS - 1);
    watched_last = all ? RTR_PORTS - 1 : watched_first;
}

/* ---- traffic ------------------------------------------------------------------------------------ */

enum { DRAIN = 100000 };

/* Clocks in which RTL and C differed, time and clocks of all that are watched. */
static struct dut sum_up(const struct router_bench *b)
{
    if (!watch)
        return b->dut;
    struct dut sum = {.name = "tile", .clocks = watched[watched_first].clocks};
    for (unsigned p = watched_first; p <= watched_last; p++) {
        sum.mismatches += watched[p].mismatches;
        sum.rtl_failed |= watched[p].rtl_failed;
        sum.native_seconds += watched[p].native_seconds;
        sum.rtl_seconds += watched[p].rtl_seconds;
    }
    return sum;
}

static uint64_t differences(const struct router_bench *b)
{
    const struct dut sum = sum_up(b);
    return sum.mismatches + sum.rtl_failed;
}

static void run(struct router_bench *b, uint64_t cycles, struct progress *progress)
{
    const uint64_t turn = cycles / (4 * ROUTER_BENCH_KINDS) + 1;
    for (uint64_t k = 0; b->clock < cycles && differences(b) == 0; k++) {
        router_bench_change(b, k % ROUTER_BENCH_KINDS);
        for (uint64_t end = b->clock + turn; b->clock < end && differences(b) == 0;) {
            router_bench_run(b, 50);
            progress_show(progress, b->clock);
        }
    }
}

static bool report(const char *path, const struct dut *d, uint64_t seed)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "cycles", (double)d->clocks);
    cJSON_AddNumberToObject(json, "seed", (double)seed);
    cJSON_AddNumberToObject(json, "mismatches", (double)d->mismatches + d->rtl_failed);
    cJSON_AddNumberToObject(json, "native_seconds", d->native_seconds);
    cJSON_AddNumberToObject(json, "rtl_seconds", d->rtl_seconds);
    return report_write(path, json);
}

int main(int argc, char **argv)
{
    static struct router_bench_config config;
    static struct router_bench bench;
    uint64_t seed, cycles = 100000;
    const char *json = NULL, *info = "/dev/null";
    struct progress progress;

    watched_first = watched_last = RTR_PORTS / 2 + 1;
    test_options(argc, argv, &seed, args_number("--cycles", &cycles, 1, UINT64_MAX, "clocks"),
                 args_by("--tile", "PORT|all", watch_tile, NULL,
                         "tile in lockstep (one in the middle), where it is not the router"),
                 args_text("--info", "FILE", &info,
                           "what rtlgen says of the module: names of registers that differ"),
                 args_text("--json", "FILE", &json, "the report"));
    watch = strcmp(loaded_cosim.name, "tile") == 0;
    router_bench_defaults(&config);
    config.cosim = watch ? NULL : &loaded_cosim;
    config.dead = 1;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        router_bench_route(&config.plan, p)->nonminimal = (uint64_t)1 << (p + 1) % RTR_PORTS;
    progress_start(&progress, "loaded, clocks", cycles, seed);
    router_bench_start(&bench, &config, seed);
    run(&bench, cycles, &progress);
    progress_end(&progress, bench.clock);

    const struct dut sum = sum_up(&bench);
    tap_note("%" PRIu64 " packets in, %" PRIu64 " out; native %.0f, RTL %.0f clocks per second",
             bench.golden.packets_in, bench.golden.packets_out,
             (double)sum.clocks / sum.native_seconds, (double)sum.clocks / sum.rtl_seconds);
    for (unsigned p = watched_first; p <= watched_last; p++)
        dut_explain(watch ? &watched[p] : &bench.dut, info);
    tap_ok(differences(&bench) == 0, "lockstep %s under traffic: %" PRIu64 " clocks of %u",
           loaded_cosim.name, sum.clocks, watch ? watched_last - watched_first + 1 : 1);
    tap_ok(differences(&bench) || (router_bench_drain(&bench, DRAIN) && router_bench_clean(&bench)),
           "packets as the golden router wants them");
    if (json)
        tap_ok(report(json, &sum, seed), "report %s", json);
    router_bench_free(&bench);
    for (unsigned p = watched_first; watch && p <= watched_last; p++)
        dut_free(&watched[p]);
    return tap_done();
}
