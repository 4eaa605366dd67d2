// SPDX-License-Identifier: Apache-2.0
/*
 * npt_bench.h - npt between rat_net, a memory, amo, netlink and cq.
 *
 * Contexts come by rat_net's rule of room and are kept in a list, with what memory will answer; the reads among them are
 * answered as axi_master does it. Each response is compared, in the clock in which it leaves, with the oldest of its kind
 * that is not answered; so is its event. netlink and cq are counts of what they hold, and must not run over.
 */
#ifndef TB_NIC_NPT_BENCH_H
#define TB_NIC_NPT_BENCH_H

#include "nic/target/npt.h"
#include "tb/base/harness.h"

enum {
    RAT_STAGES = 4, /* clocks from where rat_net sees room to its context */
};

/* A context, and all that follows from it. */
struct npt_test_asked {
    struct npt_context context;
    unsigned bytes;     /* of a read: 4 to 64 */
    unsigned memory;    /* how memory answers: enum mem_status */
    uint64_t due;       /* the clock from which memory may answer */
    bool lost;          /* its context has a double-bit error: it is never answered */
    bool never;         /* it is a queued write that parb loses */
    bool event_corrupt; /* its event has: it is answered with an error, and no event comes */
    bool told, note;    /* rmt has said how it is answered: so */
    uint8_t data[64];   /* what a read gets, the first `bytes` of them */
};

/* How often each side moves: chances from 0 to 1, per clock if nothing else is said; times in clocks. */
struct npt_load {
    double put;       /* rat_net has a context of a write, of any command */
    double get;       /* ... of a read; both together 1 at most */
    double refuse;    /* of a write: it was refused, and memory sees nothing of it */
    double event;     /* of a write: it brings an event */
    double counted;   /* of a write: its transaction's END counts it, or it is an END or NOTE */
    double drain;     /* netlink sends a beat of its queue */
    double cq;        /* cq is done with an event */
    double error;     /* of a context, or an operation: it fails */
    double operation; /* amo has an answer, if none stands before npt */
    double fetch;     /* of an operation: its answer brings an old value */
    unsigned latency; /* of memory, at least; at most twice that */
};

/* The bench: npt, what it was asked, how all is loaded, what was seen. Counts and waits are those since the reset. */
struct npt_bench {
    struct npt dut;
    struct rng rng;      /* of all that is random here; the test seeds it */
    uint64_t now;        /* clocks, over all resets */
    struct misses wrong; /* what was not as it must be, since the reset */
    struct npt_load load;
    uint64_t counted[NPT_COUNTS];        /* clocks in which each bit of out.count was 1 */
    uint64_t expected[NPT_COUNTS];       /* ... must have been; but NPT_CORRECTED */
    struct npt_test_asked *asked;        /* all contexts, in order */
    unsigned made;                       /* how many of them there are, with those on their way */
    struct npt_context pipe[RAT_STAGES]; /* those on their way; [0] was decided in the last clock */
    unsigned answers;                    /* contexts that were answered */
    unsigned events;                     /* ... with an event */
    unsigned counted_packets;            /* rmt was asked */
    unsigned counted_operations;         /* ... of operations of amo */
    unsigned parked;                     /* ... and answered that an END waits */
    unsigned operations;                 /* answers of amo that came */
    unsigned operations_done;            /* ... that were sent */
    unsigned acks_out;                   /* answers to writes that were sent */
    unsigned reply_beats_out;            /* beats of answers to reads */
    uint64_t oldest_ack_wait; /* the longest that an answer to a write was ready, in clocks */
    uint64_t longest_operation_wait; /* ... that an answer of amo stood before npt */
    uint64_t longest_reply_wait;     /* ... that a complete read saw no room */
};

/* The one bench. */
extern struct npt_bench nb;

/*
 * Reset, with an empty list: nothing comes, nothing fails, netlink and cq move in each clock, half of the operations bring an
 * old value, memory answers after 30 to 60 clocks. The clock goes on. The first one allocates the list.
 */
void npt_bench_begin(void);

/* One clock: each side moves by nb.load, and what leaves is checked. */
void npt_bench_step(void);

/*
 * Nothing more comes: steps until all is answered and npt is idle, 200000 clocks at most, and ten more; then something that
 * is not answered is wrong, and so is a counter that is not as expected.
 */
void npt_bench_finish(void);

/* Frees the list, at the end of the program. */
void npt_bench_free(void);

#endif
