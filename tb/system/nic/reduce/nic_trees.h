// SPDX-License-Identifier: Apache-2.0
/*
 * nic_trees.h - trees of collective engines over the NICs of a bench: written by the driver's registers and told to the golden model; and the
 * processes that are their endpoints, each with a descriptor of its own.
 */
#ifndef NIC_TREES_H
#define NIC_TREES_H

#include "tb/system/nic/nic_channel.h"

enum {
    TREES = 4,      /* one in each engine of all nodes */
    TREE_MOST = 3,  /* endpoints of an engine */
    TREE_RING = 10, /* log2 of events */
};

/* The first of the names that trees take on each node, one a tree (descriptors: TREE_MOST), and TREE_BYTES of memory. */
struct tree_names {
    unsigned fma, mdh, queue, ptag;
    uint64_t at;
};

enum { TREE_SEGMENT = 0x10000, TREE_BYTES = 2 * TREES * TREE_SEGMENT };

/* A process: a descriptor, a place for its result, and how far it is. */
struct tree_process {
    unsigned node, engine, child, fma;
    uint64_t result; /* in its tree's segment */
    unsigned id;     /* of the reduction that it joins, or has joined */
    bool waits;      /* for its result */
    uint64_t events; /* so many it has joined for */
};

struct trees {
    struct nic_bench *bench;
    struct tree_names names;
    uint64_t seed;
    struct gn_engine engine[GN_NODES][TREES];
    struct tree_process process[GN_NODES * TREES * TREE_MOST];
    unsigned processes;
    unsigned read[GN_NODES][TREES]; /* events of a tree's queue */
    struct rng rng;
};

/* Segments, queues and descriptors of all processes, and random trees over all nodes, each with an event for each endpoint or without. */
void trees_plant(struct trees *t, struct nic_bench *b, const struct tree_names *names,
                 uint64_t seed);
/* The engine of a tree on a node is enabled. */
void trees_enable(struct trees *t, unsigned node, unsigned tree);

/* A process joins the next reduction of its tree. */
void trees_join(struct trees *t, struct tree_process *p, unsigned operation,
                struct gn_ce_value value);
/*
 * Before or after a clock of the bench: processes that have their result join, each with this chance, the next reduction of their tree, until each
 * has joined `reductions`; events are read. Whether one joined; whether all have their results and need no more.
 */
bool trees_step(struct trees *t, unsigned reductions, double hurry);
bool trees_rest(const struct trees *t, unsigned reductions);
/* The process that is furthest has joined so many reductions of its tree, of all trees the most. */
unsigned trees_joined(const struct trees *t);
/* Its control word: 0 until it has its result. */
uint64_t trees_control(const struct trees *t, const struct tree_process *p);

#endif
