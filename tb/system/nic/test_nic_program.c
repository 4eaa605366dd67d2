// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_program.c - random programs on four nodes; the golden NIC explains every access and every event.
 *
 * Runs: quiet hosts; slow ones that answer in any order; illegal operations; ordered modes; packets that are lost; that are late.
 *
 * Built for proto: fast.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_program.h"

#include <string.h>

enum { NODES = 4 };

struct run {
    const char *name;
    struct program_knobs program;
    struct host_knobs host;
    struct channel_knobs channel;
    unsigned epoch_log2; /* 0: as after reset */
};

static const struct run runs[] = {
    {.name = "quick hosts",
     .program = {PROGRAM_USUAL, .flagged = true},
     .host = {.latency = 4},
     .channel = {.delay = 5}},
    {.name = "slow hosts that answer in any order, a channel that reorders",
     .program = {PROGRAM_IDLE, .paged = true},
     .host = {HOST_SLOW},
     .channel = {.delay = 20, .delay_extra = 300, .stall = 0.2}},
    {.name = "operations against the rules",
     .program = {PROGRAM_ILLEGAL},
     .host = {HOST_UNEVEN},
     .channel = {.delay = 10, .delay_extra = 50}},
    {.name = "modes in which order counts",
     .program = {.processes = 4,
                 .most = 8,
                 .limit = 6,
                 .messages = 0.1,
                 .sequences = 0.3,
                 .atomics = 0.3,
                 .ordered = true,
                 .paged = true,
                 .flagged = true},
     .host = {.latency = 50, .latency_extra = 50},
     .channel = {.delay = 10}},
    {.name = "one packet of a thousand is lost, responses come twice",
     .program = {PROGRAM_USUAL, .paged = true},
     .host =
         {.latency = 20, .latency_extra = 100, .stall = 0.2, .pause = 0.0005, .pause_clocks = 500},
     .channel =
         {.delay = 10, .delay_extra = 100, .loss = 0.001, .repeat = 0.01, .repeat_delay = 2500},
     .epoch_log2 = 12},
    /* An answer comes when its tag has been given out again and again, but for the quarantine. */
    {.name = "a request of 1,000 and its answer live for an epoch each",
     .program = {.processes = 4, .most = 8, .limit = 8, PROGRAM_MIX},
     .host = {.latency = 4},
     .channel = {.delay = 300, .late = 0.001, .late_delay = 31000},
     .epoch_log2 = 15},
};

/* Totals of all runs, for the report. */
static struct {
    uint64_t transactions, unexplained, missing, extra, not_whole, lost, timeouts;
} total;

static void configure(struct nic_bench *b, const struct run *r)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        host_set(b->node[i].host, &r->host);
        if (r->epoch_log2 != 0) {
            nic_bench_write(b, i, NR_ORB_EPOCH, (uint64_t)1 << r->epoch_log2);
        }
    }
}

static void run_one(const struct run *r, uint64_t seed, uint64_t transactions)
{
    struct golden_nic *golden = gn_new(NODES, r->channel.loss != 0 || r->channel.late != 0);
    struct nic_bench *b = channel_bench_new(NODES, seed, golden);
    struct program *p;
    const struct gn_count *c;
    struct progress shown;
    uint64_t rules = 0;
    bool whole;

    configure(b, r);
    p = program_new(b, seed + 1, &r->program);
    channel_of(b)->knobs = r->channel;
    progress_start(&shown, r->name, transactions, seed);
    while (program_begun(p) < transactions && gn_counts(golden)->unexplained == 0) {
        program_clock(p, true);
        progress_show(&shown, program_begun(p));
    }
    progress_end(&shown, program_begun(p));
    whole = program_finish(p, 200000);
    c = gn_finish(golden);
    for (unsigned i = 0; i < NODES; i++) {
        rules += host_broken_rules(b->node[i].host);
    }
    tap_note("%s: %llu transactions, %llu operations, %llu writes, %llu reads, %llu events in %llu "
             "clocks",
             r->name, (unsigned long long)c->transactions, (unsigned long long)c->operations,
             (unsigned long long)c->writes, (unsigned long long)c->reads,
             (unsigned long long)c->events, (unsigned long long)b->clock);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: unexplained accesses %llu, missing accesses %llu, missing events %llu", r->name,
           (unsigned long long)c->unexplained, (unsigned long long)c->missing_accesses,
           (unsigned long long)c->missing_events);
    tap_ok(whole, "%s: all NICs are drained afterwards", r->name);
    tap_ok(rules == 0, "%s: the rules of AXI4 are kept", r->name);
    total.transactions += c->transactions;
    total.unexplained += c->unexplained;
    total.extra += c->extra_events;
    total.missing += c->missing_accesses + c->missing_events;
    total.not_whole += !whole;
    total.lost += channel_of(b)->lost;
    total.timeouts += c->timeouts;
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
}

static void write_report(uint64_t seed)
{
    cJSON *report = cJSON_CreateObject();

    cJSON_AddNumberToObject(report, "seed", (double)seed);
    cJSON_AddNumberToObject(report, "transactions", (double)total.transactions);
    cJSON_AddNumberToObject(report, "unexplained", (double)total.unexplained);
    cJSON_AddNumberToObject(report, "events_missing", (double)total.missing);
    cJSON_AddNumberToObject(report, "events_extra", (double)total.extra);
    cJSON_AddNumberToObject(report, "not_whole", (double)total.not_whole);
    cJSON_AddNumberToObject(report, "lost_packets", (double)total.lost);
    cJSON_AddNumberToObject(report, "timeouts", (double)total.timeouts);
    tap_ok(report_write("build/reports/nic-soak.json", report), "build/reports/nic-soak.json");
}

int main(int argc, char **argv)
{
    uint64_t seed, transactions = 2000;

    test_options(argc, argv, &seed,
                 args_number("--transactions", &transactions, 1, UINT64_MAX,
                             "transactions of each program"));
    for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        run_one(&runs[i], seed + 1000 * i, transactions);
    }
    write_report(seed);
    return tap_done();
}
