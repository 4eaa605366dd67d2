// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_delivery.c - every packet once, whole, unchanged, at a port and on a VC that the plan allows, in
 * order where that is promised; all credits back; what is illegal or has no route counted and nothing else
 * touched.
 *
 * A case (router_cases.h) is a way to load the router or to hold it up. Each runs from reset, stops its sources, and must then be
 * empty. The router's own counters must agree with what went in. Together they are the soak of
 * build/reports/router-soak.json (other machines: router-soak-<machine>.json).
 *
 * --case is that case alone, --clocks lets each run so long: build/bin/router-soak, without sanitizers.
 *
 * Built for routers, p16, a16: san. Recorded for router, tile of proto.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/system/router/router_cases.h"

enum { DRAIN_LIMIT = 60000 };

static struct router_bench b;
static struct router_bench_config config;

static struct {
    uint64_t clocks, packets, lost, duplicated, corrupt, misrouted, reordered;
} soak;

/* The router's counters against what went in and came out. */
static bool counters_agree(void)
{
    const struct golden_router *g = &b.golden;
    uint64_t flits = 0, counted = 0;
    for (unsigned v = 0; v < RTR_VCS; v++) {
        counted += router_bench_count(&b, RTR_INCOMING_FLIT_VC0 + v);
        for (unsigned p = 0; p < RTR_PORTS; p++)
            flits += g->flits_in_vc[p][v];
    }
    const struct {
        const char *name;
        uint64_t is, due, more;
    } counts[] = {
        {"flits", counted, flits, 0},
        {"illegal packets", router_bench_count(&b, RTR_ILLEGAL), g->illegal, 0},
        {"packets without a route", router_bench_count(&b, RTR_NO_ROUTE), g->no_route,
         g->no_route_copies},
        {"non-minimal packets", router_bench_count(&b, RTR_NONMINIMAL), g->nonminimal, 0},
        {"corrected errors", router_bench_count(&b, RTR_CORRECTED), 0, 0},
        {"fatal errors", router_bench_count(&b, RTR_FATAL), 0, 0},
    };
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].is >= counts[i].due && counts[i].is <= counts[i].due + counts[i].more)
            continue;
        tap_why("%" PRIu64 " %s counted, %" PRIu64 " were there", counts[i].is, counts[i].name,
                counts[i].due);
        return false;
    }
    return true;
}

static void add_up(void)
{
    const struct golden_router *g = &b.golden;
    soak.clocks += b.clock;
    soak.packets += g->packets_in;
    soak.lost += golden_router_lost(g);
    soak.duplicated += g->duplicated;
    soak.corrupt += g->corrupt;
    soak.misrouted += g->misrouted;
    soak.reordered += g->reordered;
}

static void run_case(const struct router_case *c, uint64_t clocks, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed);
    router_case_configure(&config, c, &r);
    router_bench_start(&b, &config, seed);
    router_case_run(&b, c, clocks);
    const bool drained = router_bench_drain(&b, DRAIN_LIMIT);
    router_bench_run(&b, 40); /* every counter has had its turn, and nothing comes late */
    const struct golden_router *g = &b.golden;
    const bool busy = c->illegal >= 1 ? g->illegal > 500 : g->packets_out > 500;
    tap_why("%s, %" PRIu64 " packets are still inside",
            drained ? "hardly any traffic" : "not drained", golden_router_lost(g));
    const bool right = drained && busy && router_bench_clean(&b) && counters_agree();
    tap_ok(right, "delivery: %s", c->name);
    tap_note("%" PRIu64 " clocks, %" PRIu64 " packets in, %" PRIu64 " out, %" PRIu64
             " non-minimal, %" PRIu64 " illegal, %" PRIu64
             " without a route, latency %.1f, at most %" PRIu64,
             b.clock, g->packets_in, g->packets_out, g->nonminimal, g->illegal, g->no_route,
             b.latency_count ? (double)b.latency_sum / (double)b.latency_count : 0.0,
             b.latency_most);
    add_up();
    router_bench_free(&b);
}

static void report(const char *path, const struct golden_machine *m)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "machine", m->name);
    cJSON_AddNumberToObject(json, "clocks", (double)soak.clocks);
    cJSON_AddNumberToObject(json, "packets", (double)soak.packets);
    cJSON_AddNumberToObject(json, "lost", (double)soak.lost);
    cJSON_AddNumberToObject(json, "duplicated", (double)soak.duplicated);
    cJSON_AddNumberToObject(json, "corrupt", (double)soak.corrupt);
    cJSON_AddNumberToObject(json, "misrouted", (double)soak.misrouted);
    cJSON_AddNumberToObject(json, "reordered", (double)soak.reordered);
    report_write(path, json);
}

int main(int argc, char **argv)
{
    const unsigned count = router_cases_count;
    uint64_t seed, clocks = 0; /* as long as usual */
    unsigned only = count;     /* all of them */
    const char *json = NULL;
    test_options(
        argc, argv, &seed,
        args_unsigned("--case", &only, 0, count - 1, "this one alone, the first is 0"),
        args_number("--clocks", &clocks, 1, UINT64_MAX,
                    "clocks of a case (each has its usual number)"),
        args_text("--json", "FILE", &json,
                  "the report (build/reports/router-soak.json, with the machine's name in it)"));
    for (unsigned i = 0; i < count; i++) {
        const uint64_t usual = router_cases[i].clocks * (RTR_PORTS < 16 ? 6 : 1) * 2 / 3;
        if (only == count || only == i)
            run_case(&router_cases[i], clocks ? clocks : usual, seed + i);
    }
    const struct golden_machine *m = router_bench_machine();
    const bool main_machine = strcmp(m->name, "aries") == 0;
    char usual[80];
    snprintf(usual, sizeof usual, "build/reports/router-soak%s%s.json", main_machine ? "" : "-",
             main_machine ? "" : m->name);
    report(json ? json : usual, m);
    return tap_done();
}
