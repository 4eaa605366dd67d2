// SPDX-License-Identifier: Apache-2.0
/*
 * ce_bench.h - up to 33 nodes with four collective engines each, joined by a channel that delays, loses and repeats packets; of each node the
 * request stream with its transactions, what answers packets, memory of endpoints and their queue.
 *
 * Packets are taken apart here by the layout of the specification, not by hls/.
 */
#ifndef CE_BENCH_H
#define CE_BENCH_H

#include "nic/ce/ce.h"
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_ce.h"

enum {
    CE_NODES = 33,
    CE_BENCH_ENGINES = 4,
    CE_BENCH_CHILDREN = 32,
    CE_BENCH_PLACES = CE_BENCH_ENGINES * CE_BENCH_CHILDREN,
    CE_FLYING = 1024, /* packets */
    CE_WORDS = 64,    /* of one node that are being written */
    CE_JOINS = 64,
    CE_QUEUE = 9, /* of the first endpoint */
};

/* Handles whose words are refused by rat_local, and by memory. */
enum { CE_REFUSED_MDH = 0xF00, CE_BROKEN_MDH = 0xE00 };

/* A child of an engine; or, of a node and engine, its place in the tree. */
struct ce_tree_child {
    unsigned kind; /* 0 none, 1 endpoint, 2 engine */
    unsigned node, engine, fma;
};

struct ce_tree_engine {
    bool root, event, errors;
    unsigned ptag, rounding, mode, timeout;
    unsigned children;
    struct ce_tree_child child[CE_BENCH_CHILDREN];
    unsigned parent, parent_engine, as;
};

/* What an endpoint says, and what it has got since. */
struct ce_party {
    unsigned mdh, queue, fma, ptag;
    uint64_t offset, event;
    uint64_t control, first, second; /* in its memory */
    bool has_results;                /* both are there */
    unsigned controls, events;       /* since the bench was asked to forget */
    uint64_t word;                   /* of the last event */
    uint64_t done;                   /* clock of the last control word */
};

struct ce_join {
    struct ce_party party;
    unsigned engine, child, id, operation;
    bool two, bad_head, bad_data;
    uint64_t first, second;
    unsigned exceptions;
};

/* A transaction of a channel of the request stream. */
struct ce_transaction {
    bool open, closed;
    unsigned outstanding, status;
    uint64_t over; /* clock, once nothing is outstanding */
};

struct ce_flying {
    bool used, answered; /* it waits for its turn, or for its answer */
    bool lost;
    unsigned from, to, channel;
    uint64_t due, expires;
    beat_word head;
    beat_data data;
};

struct ce_written {
    uint64_t due;
    unsigned child, party; /* whose word it is */
    bool control, refused, results;
    uint64_t first, second;
    unsigned status;
};

struct ce_node {
    struct ce dut;
    struct ce_in in;
    struct ce_tree_engine tree[CE_BENCH_ENGINES];
    struct ce_party party[CE_BENCH_PLACES]; /* by engine and child */

    struct ce_join join[CE_JOINS];
    unsigned joins_in, joins_out, join_beat;
    unsigned asking; /* beats of a request that are out; 0: none */
    unsigned asked;
    uint64_t answer_due;

    struct ce_transaction transaction[2 * CE_BENCH_ENGINES];
    unsigned beat, channel;
    unsigned cmd;
    beat_word head;

    struct ce_written word[CE_WORDS];
    unsigned words_in, words_out;
    unsigned taking; /* clocks that rat_local has had for the word that stands */
    unsigned counts[CE_COUNTS];
};

struct ce_bench {
    struct ce_node node[CE_NODES];
    struct ce_flying flying[CE_FLYING];
    unsigned most; /* of them were ever used */
    unsigned nodes;
    struct rng rng;

    /* How the neighbours are. */
    unsigned network, spread; /* clocks of a packet on the channel, and so many more at random */
    unsigned memory;          /* of a word */
    double loss, repeat;      /* of packets */
    double answer_loss;
    double room;      /* that the stream, rat_local and cq have */
    unsigned timeout; /* clocks until a request without answer is over */
    unsigned epoch;   /* clocks; 0: none */
    bool whatever;    /* packets may be refused: random trees, repeated packets */

    struct misses wrong;
    uint64_t packets, refused;
    uint64_t joined; /* clock of the last beat of a join */
};

extern uint64_t ce_now;

/* So many nodes behind a reset, without trees. */
void ce_bench_start(struct ce_bench *b, unsigned nodes, uint64_t seed);

/* The driver's registers of an engine from its tree; enabled. */
void ce_bench_configure(struct ce_bench *b, unsigned node, unsigned engine);
void ce_bench_disable(struct ce_bench *b, unsigned node, unsigned engine);
void ce_bench_write(struct ce_bench *b, unsigned node, unsigned addr, uint64_t data);
uint64_t ce_bench_status(struct ce_bench *b, unsigned node, unsigned engine);

/* The endpoint that is this child joins. */
void ce_bench_join(struct ce_bench *b, unsigned node, unsigned engine, unsigned child, unsigned id,
                   unsigned operation, struct gn_ce_value value);

/* Any join. */
void ce_bench_post(struct ce_bench *b, unsigned node, const struct ce_join *join);

void ce_bench_step(struct ce_bench *b);

/* Nothing is under way in any node; a miss if not after so many clocks. */
void ce_bench_drain(struct ce_bench *b, uint64_t clocks);
bool ce_bench_idle(const struct ce_bench *b);

/* The node's address in packets. */
unsigned ce_bench_address(unsigned node);

#endif
