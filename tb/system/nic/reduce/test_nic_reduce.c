// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_reduce.c - reductions over trees of several NICs, from the stores of processes to results and events in their memories: four random
 * trees over all nodes at once, every operation, processes that join whenever they like; a barrier. The golden NIC explains each access, so
 * nobody has a result before all have joined. Arguments: --reductions N, in each tree.
 *
 * Built for aries: fast. Recorded for nic, nic_initiator, nic_target.
 */
#include "tb/system/nic/reduce/nic_trees.h"

enum { NODES = 6, PATIENCE = 20000 };

static struct trees trees;

/* Processes join, each when it has had its last result, until each has joined so many; the value: in time. */
static bool run(unsigned reductions, double hurry)
{
    struct nic_bench *b = trees.bench;
    uint64_t last = b->clock;
    bool more = true;

    while (more && b->clock - last < PATIENCE) {
        last = trees_step(&trees, reductions, hurry) ? b->clock : last;
        more = !trees_rest(&trees, reductions) || gn_waiting(b->golden) != 0;
        nic_bench_clock(b);
    }
    return !more;
}

/* holds ce.barrier: one process of a tree joins last: until then no other has a result; then all have, soon. */
static void test_barrier(void)
{
    struct nic_bench *b = trees.bench;
    struct tree_process *late = &trees.process[rng_below(&trees.rng, trees.processes)];
    unsigned early = 0, there = 0, all = 0;
    uint64_t begin;

    for (unsigned i = 0; i < trees.processes; i++) {
        struct tree_process *p = &trees.process[i];

        if (p->engine == late->engine && p != late) {
            trees_join(&trees, p, 0, (struct gn_ce_value){0});
            all++;
        }
    }
    for (unsigned i = 0; i < 3000; i++) {
        nic_bench_clock(b);
    }
    for (unsigned i = 0; i < trees.processes; i++) {
        const struct tree_process *p = &trees.process[i];

        early += p->engine == late->engine && p != late && trees_control(&trees, p) != 0;
    }
    tap_equal(early, 0, "a barrier: nobody of %u passes while one has not come", all);
    begin = b->clock;
    trees_join(&trees, late, 0, (struct gn_ce_value){0});
    while (gn_waiting(b->golden) != 0 && b->clock - begin < PATIENCE) {
        nic_bench_clock(b);
    }
    for (unsigned i = 0; i < trees.processes; i++) {
        there += trees.process[i].engine == late->engine &&
                 trees_control(&trees, &trees.process[i]) != 0;
    }
    tap_equal(there, all + 1, "then all do");
    tap_note(
        "a barrier of %u processes on %u nodes: %llu clocks from the last join to the last event",
        all + 1, b->nodes, (unsigned long long)(b->clock - begin));
}

int main(int argc, char **argv)
{
    static const struct tree_names names = {.mdh = 16, .ptag = 3, .at = 0x100000};
    static const struct channel_knobs ways[] = {{.delay = 10},
                                                {.delay = 5, .delay_extra = 200, .stall = 0.2}};
    unsigned reductions = 30;
    const struct gn_count *count;
    uint64_t seed;

    test_options(argc, argv, &seed,
                 args_unsigned("--reductions", &reductions, 1, 300, "reductions in each tree"));
    for (unsigned way = 0; way < 2; way++) {
        struct golden_nic *golden = gn_new(NODES, false);
        struct nic_bench *b = channel_bench_new(NODES, seed + way, golden);
        const bool slow = way != 0;

        channel_of(b)->knobs = ways[way];
        for (unsigned node = 0; node < NODES; node++) {
            nic_bench_write(b, node, NR_ORB_EPOCH, 4096);
            host_set(b->node[node].host,
                     &(struct host_knobs){.latency = 20, .stall = slow ? 0.3 : 0});
        }
        trees_plant(&trees, b, &names, seed + way);
        tap_ok(run(reductions, slow ? 0.01 : 1),
               "%s: %u reductions in each of four trees, %u processes",
               slow ? "a channel that delays, slow hosts" : "a quick channel, quick hosts",
               reductions, trees.processes);
        test_barrier();
        tap_ok(nic_bench_drain(b, 10000), "all NICs are drained");
        count = gn_finish(golden);
        tap_why("%s", count->first);
        tap_ok(count->unexplained == 0 && count->missing_events == 0 &&
                   count->missing_accesses == 0,
               "every access and event explained: %llu writes, %llu events",
               (unsigned long long)count->writes, (unsigned long long)count->events);
        tap_ok(nic_bench_whole(b), "all that the NICs lend is back");
        nic_bench_judge_hosts(b, "reductions");
        nic_bench_free(b);
        gn_free(golden);
    }
    return tap_done();
}
