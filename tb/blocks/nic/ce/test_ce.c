// SPDX-License-Identifier: Apache-2.0
/*
 * test_ce.c - reductions over trees of collective engines: all operations bit for bit as the golden fold, whatever the order of arrival;
 * four engines at once, trees of 32 x 32 endpoints, and how long they take.
 *
 * Built for aries: fast. Recorded for ce.
 */
#include "tb/blocks/nic/ce/ce_tree.h"

#include <stdlib.h>

enum { OPERATIONS = 64, ROUNDINGS = 4, IADD_64 = 0x15, FPADD_64 = 0x1D };

static cJSON *report; /* rows of build/reports/nic-ce.json */
static unsigned drawn = 1000;

static struct ce_bench *fresh(unsigned nodes, uint64_t seed)
{
    struct ce_bench *b = calloc(1, sizeof *b);

    if (b == NULL) {
        abort();
    }
    ce_bench_start(b, nodes, seed);
    return b;
}

/* ---- two nodes ------------------------------------------------------------------------------------ */

static void test_two(uint64_t seed)
{
    struct ce_bench *b = fresh(2, seed);
    struct ce_tree t;

    ce_tree_root(b, 0, 0, 17);
    ce_tree_endpoint(b, 0, 0);
    ce_tree_child_engine(b, 0, 0, 1, 2);
    ce_tree_endpoint(b, 1, 2);
    ce_tree_start(&t, b, 0, 0);
    for (unsigned i = 0; i < 100; i++) {
        ce_tree_reduce(&t, i, IADD_64, 50);
    }
    ce_bench_drain(b, 10000);
    tap_misses(&b->wrong, "two nodes: 100 sums of integers");
    free(b);
}

/* ---- operations ----------------------------------------------------------------------------------- */

static void test_operations(uint64_t seed)
{
    struct ce_bench *b = fresh(1, seed);
    unsigned operations = 0, reductions = 0;
    struct ce_tree t;

    b->memory = 1;
    for (unsigned rounding = 0; rounding < ROUNDINGS; rounding++) {
        ce_tree_root(b, 0, 1, 200);
        b->node[0].tree[1].rounding = rounding;
        for (unsigned k = 0; k < 5 + rounding; k++) {
            ce_tree_endpoint(b, 0, 1);
        }
        ce_tree_start(&t, b, 0, 1);
        operations = 0;
        for (unsigned operation = 0; operation < OPERATIONS; operation++) {
            operations += gn_ce_exists(operation);
            for (unsigned i = 0; i < drawn / 25 && gn_ce_exists(operation); i++) {
                ce_tree_reduce(&t, ++reductions, operation, 10);
            }
        }
        ce_bench_drain(b, 10000);
        ce_bench_disable(b, 0, 1);
    }
    /* holds ce.operations */
    tap_misses(&b->wrong, "%u operations, four roundings: %u reductions bit for bit", operations,
               reductions);
    tap_equal(operations, 26, "there are 26 operations");
    free(b);
}

/* ---- random arrival ------------------------------------------------------------------------------- */

/* Eight endpoints, some behind an engine of another node, in any order, with any speed of the neighbours. */
static void test_arrival(uint64_t seed, unsigned reductions)
{
    struct ce_bench *b = fresh(3, seed);
    struct ce_tree t;

    b->spread = 30;
    ce_tree_root(b, 0, 3, 1);
    ce_tree_endpoint(b, 0, 3);
    ce_tree_child_engine(b, 0, 3, 1, 0);
    ce_tree_endpoint(b, 0, 3);
    ce_tree_child_engine(b, 0, 3, 2, 3);
    for (unsigned k = 0; k < 3; k++) {
        ce_tree_endpoint(b, 1, 0);
        ce_tree_endpoint(b, 2, 3);
    }
    ce_tree_start(&t, b, 0, 3);
    for (unsigned i = 0; i < reductions; i++) {
        b->room = i % 3 == 0 ? 1 : i % 3 == 1 ? 0.5 : 0.1;
        b->memory = 1 + rng_below(&b->rng, 40);
        ce_tree_reduce(&t, 0x7F00 + i, ce_tree_operation(&b->rng), 1u << rng_below(&b->rng, 9));
    }
    ce_bench_drain(b, 10000);
    /* holds ce.order */
    tap_misses(&b->wrong,
               "%u reductions of 8 endpoints, any order of arrival, equal to the golden fold",
               reductions);
    free(b);
}

/* Endpoints that join again in the clock in which their control word is written: events of the reduction before are still to come. */
static void test_again(uint64_t seed)
{
    enum { ENDPOINTS = 4, TIMES = 200 };

    static uint64_t event[ENDPOINTS][TIMES];
    struct ce_bench *b = fresh(1, seed);
    unsigned joined[ENDPOINTS] = {0}, heard[ENDPOINTS] = {0};
    struct ce_tree t;

    ce_tree_root(b, 0, 0, 3);
    for (unsigned k = 0; k < ENDPOINTS; k++) {
        ce_tree_endpoint(b, 0, 0);
    }
    ce_tree_start(&t, b, 0, 0);
    for (unsigned clocks = 0; clocks < 400 * TIMES && b->wrong.count == 0; clocks++) {
        for (unsigned k = 0; k < ENDPOINTS; k++) {
            struct ce_party *p = &b->node[0].party[k];
            const unsigned i = joined[k];

            if (i < TIMES && p->controls == i) {
                ce_bench_join(b, 0, 0, k, i, IADD_64, (struct gn_ce_value){7 * i + k, 0, 0});
                event[k][i] = p->event;
                joined[k]++;
            }
            if (p->events > heard[k]) {
                must_equal(&b->wrong, p->word, UINT64_C(4) << 56 | event[k][heard[k]],
                           "event of reduction %u", heard[k]);
                heard[k]++;
            }
            if (p->controls != 0 && p->controls == i) {
                must_equal(&b->wrong, p->first, ENDPOINTS * 7 * (p->controls - 1) + 6,
                           "sum of reduction %u", p->controls - 1);
            }
        }
        b->room = rng_chance(&b->rng, 0.5) ? 1 : 0.2;
        ce_bench_step(b);
    }
    for (unsigned k = 0; k < ENDPOINTS; k++) {
        must_be(&b->wrong, heard[k], TIMES);
    }
    /* holds ce.again */
    tap_misses(&b->wrong, "endpoints that join again before the events of the last reduction");
    free(b);
}

/* Four trees over the same nodes, each engine's reductions one behind the other. */
static void test_engines(uint64_t seed)
{
    struct ce_bench *b = fresh(5, seed);
    static struct ce_tree t[CE_BENCH_ENGINES];
    unsigned left[CE_BENCH_ENGINES], reductions = 0;

    b->spread = 20;
    b->room = 0.7;
    for (unsigned e = 0; e < CE_BENCH_ENGINES; e++) {
        ce_tree_root(b, e, e, 10 + e);
        b->node[e].tree[e].rounding = e;
        b->node[e].tree[e].mode = e;
        ce_tree_endpoint(b, e, e);
        for (unsigned i = 1; i < 5; i++) {
            ce_tree_child_engine(b, e, e, (e + i) % 5, e);
            for (unsigned k = 0; k < i; k++) {
                ce_tree_endpoint(b, (e + i) % 5, e);
            }
        }
        ce_tree_start(&t[e], b, e, e);
        left[e] = 50;
        ce_tree_begin(&t[e], 1, ce_tree_operation(&b->rng), 100);
    }
    for (unsigned clocks = 0; left[0] + left[1] + left[2] + left[3] != 0; clocks++) {
        if (!must(&b->wrong, clocks < 1000000, "reductions do not end") || b->wrong.count != 0) {
            break;
        }
        for (unsigned e = 0; e < CE_BENCH_ENGINES; e++) {
            if (left[e] == 0) {
                continue;
            }
            ce_tree_go_on(&t[e]);
            if (ce_tree_over(&t[e])) {
                ce_tree_check(&t[e]);
                reductions++;
                if (--left[e] != 0) {
                    ce_tree_begin(&t[e], t[e].id + 1, ce_tree_operation(&b->rng),
                                  1u << rng_below(&b->rng, 8));
                }
            }
        }
        ce_bench_step(b);
    }
    ce_bench_drain(b, 10000);
    tap_misses(&b->wrong, "four engines of five nodes at once: %u reductions", reductions);
    free(b);
}

/* ---- how long it takes ---------------------------------------------------------------------------- */

enum { NETWORK = 100, PER_ENGINE = 40, LEVELS = 4 };

static unsigned per_child(unsigned operation)
{
    return operation == FPADD_64 ? 6 : 2;
}

static void tell(const char *name, unsigned operation, unsigned networks, uint64_t clocks,
                 uint64_t bound)
{
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "name", name);
    cJSON_AddStringToObject(row, "operation", gn_ce_name(operation));
    cJSON_AddNumberToObject(row, "networks", networks);
    cJSON_AddNumberToObject(row, "network", NETWORK);
    cJSON_AddNumberToObject(row, "clocks", (double)clocks);
    if (bound != 0) {
        cJSON_AddNumberToObject(row, "bound", (double)bound);
    }
    cJSON_AddItemToArray(report, row);
}

/* The node sends the first of its results in this clock: a word of an endpoint, or CE_DOWN. */
static bool tells(const struct ce_node *n)
{
    const struct beat *x = &n->dut.out.beat;

    return n->dut.out.local.valid || (x->valid && x->head && (u4)x->word == CMD_CE_DOWN);
}

/*
 * All have joined but the first leaf, which is child 0 on all ways up, so that nothing is folded yet; then it joins. Clocks from there until
 * the node tells its first result.
 */
static uint64_t last_join(struct ce_tree *t, unsigned id, unsigned operation, unsigned node)
{
    struct ce_bench *b = t->bench;
    uint64_t clocks = 0;

    ce_tree_begin(t, id, operation, 0);
    t->leaf[0].joins = ce_now + 3000;
    while (!ce_tree_over(t) && b->wrong.count == 0) {
        ce_tree_go_on(t);
        ce_bench_step(b);
        if (clocks == 0 && tells(&b->node[node])) {
            clocks = ce_now - b->joined;
        }
    }
    ce_tree_check(t);
    return clocks;
}

/* A way up of so many engines, of nodes one behind the other, each with 31 endpoints beside the engine below, the lowest with 32. */
static void test_levels(uint64_t seed)
{
    struct ce_bench *b = fresh(LEVELS, seed);
    static struct ce_tree t;

    b->network = NETWORK;
    for (unsigned levels = 1; levels <= LEVELS; levels++) {
        ce_tree_root(b, 0, 0, 5);
        for (unsigned n = 0; n < levels; n++) {
            if (n + 1 < levels) {
                ce_tree_child_engine(b, n, 0, n + 1, 0);
            }
            while (b->node[n].tree[0].children < CE_BENCH_CHILDREN) {
                ce_tree_endpoint(b, n, 0);
            }
        }
        ce_tree_start(&t, b, 0, 0);
        for (unsigned i = 0; i < 2; i++) {
            const unsigned operation = i == 0 ? IADD_64 : FPADD_64;
            const uint64_t clocks = last_join(&t, i, operation, 0);
            const uint64_t bound =
                levels * (PER_ENGINE + 32 * per_child(operation)) + (levels - 1) * NETWORK;

            tell("up", operation, levels - 1, clocks, bound);
            must_at_most(&b->wrong, clocks, bound, "clocks of %u levels, %s", levels,
                         gn_ce_name(operation));
        }
        ce_bench_drain(b, 10000);
        for (unsigned n = 0; n < levels; n++) {
            ce_bench_disable(b, n, 0);
        }
    }
    /* holds ce.latency, ce.fold */
    tap_misses(&b->wrong,
               "up to %u levels: 40 clocks each and 2 per child, sums of floating point 6", LEVELS);
    free(b);
}

/* 33 nodes: the root's 32 children are the other nodes, each with 32 endpoints. */
static void test_tree(uint64_t seed)
{
    struct ce_bench *b = fresh(CE_NODES, seed);
    static struct ce_tree t;

    b->network = NETWORK;
    ce_tree_root(b, 0, 0, 5);
    for (unsigned i = 1; i < CE_NODES; i++) {
        ce_tree_child_engine(b, 0, 0, i, 0);
        for (unsigned k = 0; k < CE_BENCH_CHILDREN; k++) {
            ce_tree_endpoint(b, i, 0);
        }
    }
    ce_tree_start(&t, b, 0, 0);
    must_equal(&b->wrong, t.leaves, 1024, "endpoints");
    for (unsigned i = 0; i < 2; i++) {
        const unsigned operation = i == 0 ? IADD_64 : FPADD_64;
        const uint64_t bound = 2 * (NETWORK + PER_ENGINE) + 2 * 32 * per_child(operation);
        const uint64_t first = last_join(&t, 3 * i, operation, 1);

        tell("tree of 32 x 32, first result", operation, 2, first, bound);
        must_at_most(&b->wrong, first, bound, "clocks to the first result, %s",
                     gn_ce_name(operation));
        tell("tree of 32 x 32, last result, all join at once", operation, 2,
             ce_tree_reduce(&t, 3 * i + 1, operation, 0), 0);
        ce_tree_reduce(&t, 3 * i + 2, ce_tree_operation(&b->rng), 5000);
    }
    /* holds ce.tree */
    tap_misses(&b->wrong, "a tree of 32 x 32 endpoints on 33 nodes");
    free(b);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0;

    test_options(
        argc, argv, &seed,
        args_unsigned("--reductions", &drawn, 25, 10000000, "reductions in any order of arrival"));
    harness_clock = &ce_now;
    report = cJSON_CreateArray();
    test_two(seed);
    test_operations(seed);
    test_arrival(seed, drawn);
    test_again(seed);
    test_engines(seed);
    test_levels(seed);
    test_tree(seed);
    tap_ok(report_write("build/reports/nic-ce.json", report), "build/reports/nic-ce.json");
    return tap_done();
}
