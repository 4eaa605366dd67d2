// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_latency.c - clocks of a head through an idle router, from every input to every output.
 *
 * One packet at a time. The latency is counted from the clock in which the head is on the router's input to the
 * clock in which the link takes it from the output register. For two-step machines and all others alike:
 * at most 20.
 *
 * Built for aries, gemini, yarc: fast.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tb/system/router/router_bench.h"

enum { MOST = 20, PATIENCE = 200, LENGTH = 3 };

static struct router_bench b;
static struct router_bench_config config;

/* One packet from an input to an output; its latency, 0 if it did not come. */
static uint64_t send_one(unsigned input, unsigned output)
{
    struct port_source *s = &b.source[input];
    const uint64_t before = b.golden.packets_out;
    s->config.place[0] = router_bench_place(&config.plan, output);
    s->stopped = false;
    router_bench_step(&b);
    s->stopped = true;
    for (unsigned i = 0; i < PATIENCE; i++) {
        router_bench_step(&b);
        if (b.golden.packets_out != before)
            return b.golden.last_clock - b.golden.last.clock;
    }
    return 0;
}

static void measure(uint64_t *least, uint64_t *most, uint64_t *lost)
{
    for (unsigned input = 0; input < RTR_PORTS; input++) {
        for (unsigned output = 0; output < RTR_PORTS; output++) {
            const uint64_t latency = send_one(input, output);
            *lost += latency == 0;
            *least = latency < *least ? latency : *least;
            *most = latency > *most ? latency : *most;
        }
    }
}

static void report(const struct golden_machine *m, uint64_t most)
{
    char path[80];
    const bool main_machine = strcmp(m->name, "aries") == 0;
    snprintf(path, sizeof path, "build/reports/router-latency%s%s.json", main_machine ? "" : "-",
             main_machine ? "" : m->name);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "machine", m->name);
    cJSON_AddNumberToObject(json, "head_latency_clocks", (double)most);
    report_write(path, json);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    uint64_t least = UINT64_MAX, most = 0, lost = 0;
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        config.source[p].places = 1;
        config.source[p].min_length = config.source[p].max_length = LENGTH;
    }
    router_bench_start(&b, &config, seed);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        b.source[p].stopped = true;
    measure(&least, &most, &lost);
    const bool drained = router_bench_drain(&b, PATIENCE);
    tap_why("%" PRIu64 " packets did not come", lost);
    tap_ok(lost == 0 && drained && router_bench_clean(&b) &&
               b.golden.packets_out == RTR_PORTS * RTR_PORTS,
           "one packet at a time from every input to every output");
    /* holds router.latency */
    tap_at_most(most, MOST,
                "head latency of an idle router: %" PRIu64 " to %" PRIu64 " clocks, at most %d",
                least, most, MOST);
    report(config.plan.machine, most);
    router_bench_free(&b);
    return tap_done();
}
