// SPDX-License-Identifier: Apache-2.0
/*
 * ce_tree.h - trees of engines on the bench, and reductions over them, whose results are those of the golden model.
 */
#ifndef CE_TREE_H
#define CE_TREE_H

#include "tb/blocks/nic/ce/ce_bench.h"

enum { CE_LEAVES = 1024 };

/* An endpoint of a tree. */
struct ce_leaf {
    unsigned node, engine, child;
    struct gn_ce_value value;
    uint64_t joins; /* clock from which on it does */
    bool joined;
    unsigned controls, events; /* before */
};

struct ce_tree {
    struct ce_bench *bench;
    unsigned node, engine; /* the root */
    unsigned leaves;
    struct ce_leaf leaf[CE_LEAVES];
    unsigned order[CE_LEAVES]; /* in which they join */
    unsigned next, seen;
    unsigned id, operation;
    struct gn_ce_value result; /* expected */
};

/* An engine as the root of its tree, without children; and more children, the second and third with the number of the child. */
void ce_tree_root(struct ce_bench *b, unsigned node, unsigned engine, unsigned ptag);
unsigned ce_tree_endpoint(struct ce_bench *b, unsigned node, unsigned engine);
unsigned ce_tree_child_engine(struct ce_bench *b, unsigned node, unsigned engine, unsigned child,
                              unsigned child_engine);

/* The driver configures all engines from the root on, and the leaves are found. */
void ce_tree_start(struct ce_tree *t, struct ce_bench *b, unsigned node, unsigned engine);

/* Operands of an operation: any, equal and nearly equal ones, and those that matter to floating point. */
struct gn_ce_value ce_tree_draw(struct rng *r, unsigned operation);
unsigned ce_tree_operation(struct rng *r); /* any of the 26 */

/* A reduction begins: all leaves join in any order within so many clocks. */
void ce_tree_begin(struct ce_tree *t, unsigned id, unsigned operation, unsigned within);

/* What joins in this clock; to be called in each. */
void ce_tree_go_on(struct ce_tree *t);

/* All have their result, as expected: misses of the bench else. */
bool ce_tree_over(const struct ce_tree *t);
void ce_tree_check(struct ce_tree *t);

/* Begin, until it is over or a miss, check; the value is the clock of the last control word less that of the last join. */
uint64_t ce_tree_reduce(struct ce_tree *t, unsigned id, unsigned operation, unsigned within);

#endif
