// SPDX-License-Identifier: Apache-2.0
/*
 * ss_router_bench.h - a router of SeaStar with a neighbour at each port: senders that keep within credits, receivers that promise
 * room and keep it, and a ledger of every flit.
 */
#ifndef SS_ROUTER_BENCH_H
#define SS_ROUTER_BENCH_H

#include "seastar/router/ss_router.h"
#include "tb/base/harness.h"
#include "tb/golden/seastar/ss_head.h"

enum {
    BENCH_ENTRIES = 16,  /* local nodes that packets are for */
    BENCH_FAR = 8,       /* partitions; the first is the router's own */
    BENCH_WAITING = 128, /* packets of an input, a VC, an output under way */
    BENCH_UNBROKEN = 16  /* flits of the longest packet that a head can name */
};

/* What a sender does; chances are per clock or packet. */
struct bench_sender {
    double begins;                /* a packet, while none is being sent */
    double gap;                   /* between two flits of a packet that is not whole */
    double whole;                 /* its flits come without a gap, and its head says so */
    double lies;                  /* its head says so, and gaps come all the same */
    double illegal, strange, bad; /* length none has; VC none has; a flit is marked */
    unsigned shortest, longest;
    unsigned vcs;                  /* a bit per VC */
    unsigned entry[BENCH_ENTRIES]; /* nodes that it chooses from */
    unsigned entries;
    double far;             /* another partition instead */
    unsigned youngest, age; /* of its packets, at least and at most */
};

struct bench_receiver {
    double ready;    /* a flit is taken, in a clock */
    unsigned period; /* or: in all clocks but one in so many; 0: as ready says */
    double drains;   /* a flit of its buffer is passed on, in a clock */
};

struct bench_packet {
    uint64_t flit[GOLDEN_SS_LONGEST];
    bool bad[GOLDEN_SS_LONGEST];
    unsigned length, vc; /* the VC that it takes at its output */
    uint64_t came;       /* clock of its head */
    unsigned age;        /* then */
};

struct bench_ledger {
    struct bench_packet packet[BENCH_WAITING];
    unsigned first, count;
};

struct ss_bench {
    struct ss_router router;
    struct ss_router_in in;
    uint64_t clock;
    struct rng rng;

    bool closed; /* receivers promise no room */
    struct bench_sender sender[SS_PORTS];
    struct bench_receiver receiver[SS_PORTS];
    struct golden_ss_entry near[SS_PORTS][BENCH_ENTRIES], far[SS_PORTS][BENCH_FAR];

    struct {
        uint64_t flit[BENCH_UNBROKEN];
        bool bad[BENCH_UNBROKEN];
        unsigned length, sent;
        unsigned vc;
        bool whole, gaps;
        unsigned used[2 * GOLDEN_SS_VCS]; /* credits */
        unsigned serial;
    } from[SS_PORTS];
    struct bench_ledger ledger[SS_PORTS][GOLDEN_SS_VCS][SS_PORTS]; /* input, VC there, output */
    struct {
        unsigned announced[GOLDEN_SS_VCS], held[GOLDEN_SS_VCS];
        struct bench_packet now; /* being taken */
        unsigned input, taken;
    } to[SS_PORTS];

    uint64_t flits[SS_PORTS],
        by_input[SS_PORTS][SS_PORTS];     /* taken of each output; [output][input] */
    uint64_t sent, delivered, dropped[4]; /* packets, by golden_ss_drop */
    uint64_t events[4];                   /* the same as the router counts them */
    struct misses missed[4];              /* order and data; way; credits and room; age */
};

/* Tables at random, nothing sent or taken until told. */
void ss_bench_start(struct ss_bench *b, uint64_t seed);
/* A sender that sends legal whole packets of `length` flits as fast as it can to a node of its table. */
void ss_bench_stream(struct ss_bench *b, unsigned port, unsigned entry, unsigned length);
void ss_bench_step(struct ss_bench *b);
/* No more begins; until all is through, at most so many clocks. Whether it is. */
bool ss_bench_drain(struct ss_bench *b, uint64_t clocks);
/* Counts and rates from zero on. */
void ss_bench_clear(struct ss_bench *b);
/* Flits per clock and output since then. */
double ss_bench_rate(const struct ss_bench *b, uint64_t clocks);
/* TAP lines: nothing was missed. */
void ss_bench_verdict(struct ss_bench *b, const char *what);

#endif
