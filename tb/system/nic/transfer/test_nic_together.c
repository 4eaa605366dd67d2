// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_together.c - all at once on four nodes: random programs of puts, gets, messages, queue writes and atomic operations, with flags and
 * events at targets; messages to posted buffers; where there are engines, reductions over four trees. The golden NIC explains each access and
 * event of them. Beside them block transfers through page tables whose pages move, of which each byte is compared.
 *
 * Runs: quick hosts; slow ones that answer in any order, and more messages than there are buffers; illegal operations; ordered modes; packets that
 * are lost, and responses that come twice; packets that are late.
 *
 * Built for proto: fast; aries: fast. Linked again for make soak: build/bin/nic-soak --transactions 170000.
 */
#include "tb/system/nic/nic_program.h"
#include "tb/system/nic/reduce/nic_trees.h"
#include "tb/system/nic/transfer/nic_messages.h"

#include <limits.h>
#include <string.h>

enum { NODES = 4, PATIENCE = 400000, TREES_AT = 11 << 20 };

/* An epoch in which nothing times out, nor does a message that waits long in ordered modes. */
enum { LONG_LOG2 = 18 };

/* What runs beside the programs. */
enum { BLOCKS = 1, GREEDY = 2, REDUCTIONS = NIC_CE ? 4 : 0 };

struct run {
    const char *name;
    struct program_knobs program;
    struct host_knobs host;
    struct channel_knobs channel;
    unsigned beside; /* a bit each */
    unsigned epoch_log2;
};

static const struct run runs[] = {
    {.name = "quick hosts",
     .program = {PROGRAM_USUAL, .late = true, .flagged = true},
     .host = {.latency = 4},
     .channel = {.delay = 5},
     .beside = BLOCKS | REDUCTIONS,
     .epoch_log2 = LONG_LOG2},
    {.name = "slow hosts that answer in any order, a channel that reorders, too many messages",
     .program = {.processes = 4,
                 .most = 8,
                 .limit = 6, /* with those of block transfers no more than there are ids */
                 PROGRAM_MIX,
                 .late = true,
                 .flagged = true,
                 .quiet = 0.1,
                 .paged = true,
                 .pause = 0.3},
     .host = {HOST_SLOW},
     .channel = {.delay = 20, .delay_extra = 300, .stall = 0.2},
     .beside = BLOCKS | GREEDY | REDUCTIONS,
     .epoch_log2 = 16 /* buffers of messages that have found none come back soon */},
    {.name = "operations against the rules",
     .program = {PROGRAM_ILLEGAL, .late = true},
     .host = {HOST_UNEVEN},
     .channel = {.delay = 10, .delay_extra = 50},
     .beside = BLOCKS | REDUCTIONS,
     .epoch_log2 = LONG_LOG2},
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
     .channel = {.delay = 10},
     .beside = BLOCKS | REDUCTIONS,
     .epoch_log2 = LONG_LOG2},
    {.name = "one packet of a thousand is lost, responses come twice",
     .program = {PROGRAM_USUAL, .paged = true},
     .host =
         {.latency = 20, .latency_extra = 100, .stall = 0.2, .pause = 0.0005, .pause_clocks = 500},
     .channel =
         {.delay = 10, .delay_extra = 100, .loss = 0.001, .repeat = 0.01, .repeat_delay = 2500},
     .beside = BLOCKS,
     .epoch_log2 = 12},
    /* An answer comes when its tag has been given out again and again, but for the quarantine. */
    {.name = "a request of 1,000 and its answer live for an epoch each",
     .program = {.processes = 4, .most = 8, .limit = 8, PROGRAM_MIX},
     .host = {.latency = 4},
     .channel = {.delay = 300, .late = 0.001, .late_delay = 31000},
     .epoch_log2 = 15},
};

/* Names and memory of trees: none that anybody else has. */
static const struct tree_names tree_names = {
    .fma = 16, .mdh = 64, .queue = 16, .ptag = 16, .at = TREES_AT};

/* All that runs. */
struct play {
    const struct run *run;
    struct nic_bench *b;
    struct program *program;
    struct movers *movers;
    struct messages *messages;
    struct trees trees;
};

static struct {
    uint64_t transactions, transfers, messages, reductions, moved, unexplained, missing, extra,
        not_whole, wrong_bytes, lost, timeouts;
} total;

/* Changes of variables that nodes keep back. */
static const unsigned lazies[] = {0, 5, 200, 3000};

static void configure(struct nic_bench *b, const struct run *r)
{
    if ((r->beside & BLOCKS) != 0) {
        b->hidden = MOVER_AT;
        b->hidden_end = MOVER_END;
    }
    for (unsigned i = 0; i < b->nodes; i++) {
        host_set(b->node[i].host, &r->host);
        nic_bench_write(b, i, NR_ORB_EPOCH, UINT64_C(1) << r->epoch_log2);
        if (r->program
                .late) { /* not where operations may be lost: nobody could say in which order they came */
            nic_bench_lazy(b, i, lazies[i % 4]);
        }
    }
}

static void begin(struct play *p, const struct run *r, uint64_t seed)
{
    const bool lossy = r->channel.loss != 0 || r->channel.late != 0;

    memset(p, 0, sizeof *p);
    p->run = r;
    p->b = channel_bench_new(NODES, seed, gn_new(NODES, lossy));
    configure(p->b, r);
    p->program = program_new(p->b, seed + 1, &r->program);
    if ((r->beside & BLOCKS) != 0) {
        p->movers = movers_new(p->b, seed + 2, lossy);
        p->messages = messages_new(p->b, p->movers, seed + 3, lossy, (r->beside & GREEDY) != 0);
    }
    if ((r->beside & REDUCTIONS) != 0) {
        trees_plant(&p->trees, p->b, &tree_names, seed + 4);
    }
    channel_of(p->b)->knobs = r->channel;
}

/* A clock of all; new ones begin while `more`, and reductions that some have joined end. */
static void step(struct play *p, bool more)
{
    program_clock(p->program, more);
    if (p->movers != NULL) {
        movers_step(p->movers, more);
        messages_step(p->messages, more);
    }
    if (p->trees.processes != 0) {
        trees_step(&p->trees, more ? UINT_MAX : trees_joined(&p->trees), 0.03);
    }
}

static bool is_wrong(const struct play *p)
{
    return gn_counts(p->b->golden)->unexplained != 0 ||
           (p->movers != NULL &&
            (movers_wrong(p->movers)->count != 0 || messages_wrong(p->messages)->count != 0));
}

/* Fewer than there shall be, of one kind. */
static bool is_short(const struct play *p, uint64_t transactions)
{
    return program_begun(p->program) < transactions ||
           (p->movers != NULL && (movers_counts(p->movers)->begun < transactions / 5 ||
                                  messages_counts(p->messages)->begun < transactions / 5)) ||
           (p->trees.processes != 0 && trees_joined(&p->trees) < transactions / 20);
}

static bool goes_on(const struct play *p)
{
    return gn_waiting(p->b->golden) != 0 ||
           (p->movers != NULL &&
            (movers_left(p->movers) != 0 || messages_left(p->messages) != 0)) ||
           (p->trees.processes != 0 && !trees_rest(&p->trees, trees_joined(&p->trees)));
}

/* Until so many transactions have begun, and a fifth as many block transfers and messages; then until all is over. */
static bool play(struct play *p, uint64_t transactions, uint64_t seed)
{
    struct progress shown;
    uint64_t begin;

    progress_start(&shown, p->run->name, transactions, seed);
    while (is_short(p, transactions) && !is_wrong(p)) {
        step(p, true);
        progress_show(&shown, program_begun(p->program));
    }
    progress_end(&shown, program_begun(p->program));
    if (is_wrong(p)) {
        return false;
    }
    begin = p->b->clock;
    while (goes_on(p) && !is_wrong(p) && p->b->clock - begin < PATIENCE) {
        step(p, false);
    }
    const bool over = !goes_on(p);

    if (is_wrong(p)) {
        return false;
    }
    const bool drained = program_finish(p->program, PATIENCE);

    for (unsigned i = 0; i < NODES;
         i++) { /* nothing is under way: what rests need not do so for long */
        nic_bench_write(p->b, i, NR_ORB_EPOCH, 4 * NIC_TAGS);
    }
    const bool whole = nic_bench_whole(p->b);

    step(p, false);
    return over && drained && whole;
}

static void judge_blocks(struct play *p)
{
    const struct mover_counts *moves = movers_counts(p->movers);
    const struct messages_counts *sent = messages_counts(p->messages);

    movers_judge(p->movers);
    messages_judge(p->messages);
    tap_note("%s: %llu block transfers, %llu bytes, %llu events at targets, %llu pages exchanged, "
             "%llu transfers lost; %llu messages, %llu of them failed, %llu buffers came back",
             p->run->name, (unsigned long long)moves->begun, (unsigned long long)moves->bytes,
             (unsigned long long)moves->target_events, (unsigned long long)moves->moved,
             (unsigned long long)moves->failed, (unsigned long long)sent->begun,
             (unsigned long long)sent->failed, (unsigned long long)sent->returned);
    tap_misses(movers_wrong(p->movers), "%s: each byte and event of the block transfers",
               p->run->name);
    tap_misses(messages_wrong(p->messages), "%s: each message and buffer", p->run->name);
    total.transfers += moves->begun;
    total.messages += sent->begun;
    total.missing += moves->missing;
    total.extra += moves->extra;
    total.wrong_bytes += moves->wrong_bytes;
    total.moved += moves->moved;
    if ((p->run->beside & GREEDY) != 0) {
        tap_at_least(sent->failed, 1, "%s: messages that found no buffer", p->run->name);
    }
}

static void run_one(const struct run *r, uint64_t seed, uint64_t transactions)
{
    static struct play p;

    begin(&p, r, seed);
    const bool whole = play(&p, transactions, seed);
    struct golden_nic *golden = p.b->golden;
    const struct gn_count *c = gn_finish(golden);

    tap_note("%s: %llu transactions, %llu operations, %llu writes, %llu reads, %llu events, %u "
             "reductions in %llu clocks",
             r->name, (unsigned long long)c->transactions, (unsigned long long)c->operations,
             (unsigned long long)c->writes, (unsigned long long)c->reads,
             (unsigned long long)c->events, TREES * trees_joined(&p.trees),
             (unsigned long long)p.b->clock);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: unexplained accesses %llu, missing accesses %llu, missing events %llu", r->name,
           (unsigned long long)c->unexplained, (unsigned long long)c->missing_accesses,
           (unsigned long long)c->missing_events);
    if (p.movers != NULL) {
        judge_blocks(&p);
    }
    tap_why("%s", p.b->unrest.first);
    tap_ok(whole, "%s: all NICs are drained and whole afterwards", r->name);
    nic_bench_judge_hosts(p.b, r->name);
    total.transactions += c->transactions;
    total.reductions += TREES * trees_joined(&p.trees);
    total.unexplained += c->unexplained;
    total.missing += c->missing_accesses + c->missing_events;
    total.extra += c->extra_events;
    total.not_whole += !whole;
    total.lost += channel_of(p.b)->lost;
    total.timeouts += c->timeouts;
    if (p.movers != NULL) {
        messages_free(p.messages);
        movers_free(p.movers);
    }
    program_free(p.program);
    nic_bench_free(p.b);
    gn_free(golden);
}

static void write_report(uint64_t seed)
{
    const char *path = NIC_CE ? "build/reports/nic-soak-aries.json" : "build/reports/nic-soak.json";
    cJSON *report = cJSON_CreateObject();

    cJSON_AddNumberToObject(report, "seed", (double)seed);
    cJSON_AddNumberToObject(report, "transactions", (double)total.transactions);
    cJSON_AddNumberToObject(report, "block_transfers", (double)total.transfers);
    cJSON_AddNumberToObject(report, "messages", (double)total.messages);
    cJSON_AddNumberToObject(report, "reductions", (double)total.reductions);
    cJSON_AddNumberToObject(report, "pages_moved", (double)total.moved);
    cJSON_AddNumberToObject(report, "unexplained", (double)total.unexplained);
    cJSON_AddNumberToObject(report, "missing", (double)total.missing);
    cJSON_AddNumberToObject(report, "extra", (double)total.extra);
    cJSON_AddNumberToObject(report, "not_whole", (double)total.not_whole);
    cJSON_AddNumberToObject(report, "wrong_bytes", (double)total.wrong_bytes);
    cJSON_AddNumberToObject(report, "lost_packets", (double)total.lost);
    cJSON_AddNumberToObject(report, "timeouts", (double)total.timeouts);
    tap_ok(report_write(path, report), "%s", path);
}

int main(int argc, char **argv)
{
    const unsigned count = sizeof runs / sizeof runs[0];
    uint64_t seed, transactions = NIC_CE ? 300 : 1000;
    unsigned only = count;

    test_options(argc, argv, &seed,
                 args_number("--transactions", &transactions, 1, UINT64_MAX,
                             "transactions of the programs of each kind of hosts and channels"),
                 args_unsigned("--only", &only, 0, count, "one kind; as many as there are: all"));
    for (unsigned i = 0; i < count; i++) {
        if (only == count || only == i) {
            run_one(&runs[i], seed + 1000 * i, transactions);
        }
    }
    write_report(seed);
    return tap_done();
}
