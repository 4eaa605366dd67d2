// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_together.c - all at once on four nodes: random programs of puts, gets, messages, queue writes and atomic operations, of which the golden
 * NIC explains each access and event; beside them block transfers through page tables whose pages move, with events at their targets.
 *
 * Built for proto: fast. Linked again for make soak: build/bin/nic-together --transactions 1000000.
 */
#include "tb/system/nic/nic_report.h"
#include "tb/system/nic/transfer/nic_mover.h"
#include "tb/system/nic/nic_program.h"

#include <string.h>

enum { NODES = 4, PATIENCE = 400000 };

struct run {
    const char *name;
    struct program_knobs program;
    struct host_knobs host;
    struct channel_knobs channel;
    unsigned epoch_log2;
};

static const struct run runs[] = {
    {.name = "quick hosts",
     .program =
         {.processes = 4, .most = 8, .limit = 4, .messages = 0.2, .atomics = 0.3, .flagged = true},
     .host = {.latency = 4},
     .channel = {.delay = 5},
     .epoch_log2 = 14},
    {.name = "slow hosts, a channel that reorders",
     .program = {.processes = 4,
                 .most = 8,
                 .limit = 6,
                 .messages = 0.2,
                 .atomics = 0.3,
                 .quiet = 0.1,
                 .pause = 0.3},
     .host =
         {.latency = 100, .latency_extra = 200, .stall = 0.3, .pause = 0.001, .pause_clocks = 500},
     .channel = {.delay = 20, .delay_extra = 300, .stall = 0.2},
     .epoch_log2 = 15},
    {.name = "operations against the rules",
     .program =
         {.processes = 4, .most = 4, .limit = 6, .messages = 0.2, .atomics = 0.3, .illegal = 0.4},
     .host = {.latency = 30, .latency_extra = 30, .stall = 0.1},
     .channel = {.delay = 10, .delay_extra = 50},
     .epoch_log2 = 14},
    {.name = "one packet of a thousand is lost",
     .program = {.processes = 4, .most = 8, .limit = 4, .messages = 0.2, .atomics = 0.3},
     .host = {.latency = 20, .latency_extra = 100, .stall = 0.2},
     .channel = {.delay = 10, .delay_extra = 100, .loss = 0.001},
     .epoch_log2 = 12},
};

static struct {
    uint64_t transactions, transfers, unexplained, missing, extra, not_whole, wrong_bytes, lost,
        moved;
} total;

static void configure(struct nic_bench *b, const struct run *r)
{
    b->hidden = MOVER_AT;
    b->hidden_end = MOVER_END;
    for (unsigned i = 0; i < b->nodes; i++) {
        host_set(b->node[i].host, &r->host);
        nic_bench_write(b, i, NR_ORB_EPOCH, UINT64_C(1) << r->epoch_log2);
    }
}

/* Until so many transactions have begun, and a fifth as many block transfers; then until all is over. */
static bool play(struct nic_bench *b, struct program *p, struct movers *m, const char *name,
                 uint64_t transactions, uint64_t seed)
{
    struct progress shown;
    uint64_t begin;

    progress_start(&shown, name, transactions, seed);
    while ((program_begun(p) < transactions || movers_counts(m)->begun < transactions / 5) &&
           gn_counts(b->golden)->unexplained == 0 && movers_wrong(m)->count == 0) {
        program_clock(p, true);
        movers_step(m, true);
        progress_show(&shown, program_begun(p));
    }
    progress_end(&shown, program_begun(p));
    begin = b->clock;
    while ((movers_left(m) != 0 || gn_waiting(b->golden) != 0) && b->clock - begin < PATIENCE) {
        program_clock(p, false);
        movers_step(m, false);
    }
    const bool drained = program_finish(p, PATIENCE) && movers_left(m) == 0;
    const bool whole = nic_bench_whole(b);

    movers_step(m, false);
    return drained && whole;
}

static void run_one(const struct run *r, uint64_t seed, uint64_t transactions)
{
    const bool lossy = r->channel.loss != 0;
    struct golden_nic *golden = gn_new(NODES, lossy);
    struct nic_bench *b = channel_bench_new(NODES, seed, golden);

    configure(b, r);
    struct program *p = program_new(b, seed + 1, &r->program);
    struct movers *m = movers_new(b, seed + 2, lossy);

    channel_of(b)->knobs = r->channel;
    const bool whole = play(b, p, m, r->name, transactions, seed);
    const struct mover_counts *moves = movers_counts(m);

    movers_judge(m);
    const struct gn_count *c = gn_finish(golden);

    tap_note(
        "%s: %llu transactions; %llu block transfers, %llu bytes, %llu events at targets, %llu "
        "pages exchanged, %llu transfers lost; %llu clocks",
        r->name, (unsigned long long)c->transactions, (unsigned long long)moves->begun,
        (unsigned long long)moves->bytes, (unsigned long long)moves->target_events,
        (unsigned long long)moves->moved, (unsigned long long)moves->failed,
        (unsigned long long)b->clock);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: each access and event of the programs is explained", r->name);
    tap_misses(movers_wrong(m), "%s: each byte and event of the block transfers", r->name);
    tap_why("%s", b->unrest.first);
    tap_ok(whole, "%s: all NICs are drained and whole afterwards", r->name);
    nic_bench_judge_hosts(b, r->name);
    total.transactions += c->transactions;
    total.transfers += moves->begun;
    total.unexplained += c->unexplained;
    total.missing += c->missing_accesses + c->missing_events + moves->missing;
    total.extra += c->extra_events + moves->extra;
    total.not_whole += !whole;
    total.wrong_bytes += moves->wrong_bytes;
    total.lost += channel_of(b)->lost;
    total.moved += moves->moved;
    movers_free(m);
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
}

static void write_report(uint64_t seed)
{
    cJSON *report = cJSON_CreateObject();

    cJSON_AddNumberToObject(report, "seed", (double)seed);
    cJSON_AddNumberToObject(report, "transactions", (double)total.transactions);
    cJSON_AddNumberToObject(report, "block_transfers", (double)total.transfers);
    cJSON_AddNumberToObject(report, "pages_moved", (double)total.moved);
    cJSON_AddNumberToObject(report, "unexplained", (double)total.unexplained);
    cJSON_AddNumberToObject(report, "missing", (double)total.missing);
    cJSON_AddNumberToObject(report, "extra", (double)total.extra);
    cJSON_AddNumberToObject(report, "not_whole", (double)total.not_whole);
    cJSON_AddNumberToObject(report, "wrong_bytes", (double)total.wrong_bytes);
    cJSON_AddNumberToObject(report, "lost_packets", (double)total.lost);
    tap_ok(report_write("build/reports/nic-together.json", report),
           "build/reports/nic-together.json");
}

int main(int argc, char **argv)
{
    uint64_t seed, transactions = 1000;

    test_options(argc, argv, &seed,
                 args_number("--transactions", &transactions, 1, UINT64_MAX,
                             "transactions of each kind of hosts and channels"));
    for (unsigned i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        run_one(&runs[i], seed + 1000 * i, transactions);
    }
    write_report(seed);
    return tap_done();
}
