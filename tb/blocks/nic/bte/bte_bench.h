// SPDX-License-Identifier: Apache-2.0
/*
 * bte_bench.h - a block transfer engine among its neighbours: rings and local memory behind a way with a latency, the request stream,
 * and transactions that are over some time after their CLOSE. What goes out is compared with the transfers that were posted.
 *
 * Nothing is in memory: byte i of a segment is a function of handle and offset.
 */
#ifndef BTE_BENCH_H
#define BTE_BENCH_H

#include "nic/bte/bte.h"
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_bte.h"

enum {
    BTE_RING_LOG2 = 6,
    BTE_POSTED = 64, /* of a channel, that are not over */
    BTE_REPLIES = 128,
};

enum { BTE_LAUNCH_CLOCKS = 8 }; /* from one launch to the next, at least */

/* Handles of local segments whose reads fail: by rat_local; by memory, in one line of three. */
enum { BTE_REFUSED_MDH = 0xF00, BTE_BROKEN_MDH = 0xE00 };

/* A transfer that was posted, and how far it is. */
struct bte_posted {
    struct nic_transfer t;
    uint64_t at; /* bytes seen */
    bool over, told;
    unsigned status; /* that its transaction has, when it is over */
};

/* A transaction in the stream, by the slot of its first transfer. */
struct bte_open {
    bool open, closed, fault;
    unsigned first, now,
        behind; /* numbers of its transfers: the first, the one that is seen, the one behind the last */
    uint64_t end; /* of a message: offset of its last byte so far */
};

struct bte_lane {
    struct bte_posted posted[BTE_POSTED];
    unsigned in, opened,
        freed; /* numbers of transfers: posted, opened, of which nothing is wanted any more */
    unsigned fetched;
    unsigned written; /* the doorbell */
    unsigned flying;  /* transactions */
    bool
        launches; /* transfers are launched by a process, whose FMA descriptor is the channel's number, not read from a ring */
    unsigned noted; /* of them, those that it has heard of */
    struct bte_open slot[BTE_SLOTS];
};

struct bte_reply {
    uint64_t ready; /* clock */
    bool local;
    unsigned mdh, bytes, status; /* of local memory */
    uint64_t offset;
    uint64_t word[NIC_BTE_WORDS]; /* of a ring */
};

struct bte_replies {
    struct bte_reply at[BTE_REPLIES];
    unsigned in, out;
};

struct bte_bench {
    struct bte dut;
    struct bte_in in;
    struct rng rng;
    struct bte_lane lane[BTE_CHANNELS];

    /* How the neighbours are. */
    unsigned latency, spread; /* of memory, and so much more at random */
    double room;              /* that the stream takes a beat */
    double answer;            /* each clock: that a closed transaction is over */
    double fault;             /* each clock: that a request of an open one fails */
    unsigned limit;           /* of transactions */
    bool enabled;

    struct bte_replies ring, local;
    struct bte_reply reply; /* that goes out */
    unsigned beat, beats;
    struct beat way[3];
    bool way_local[3];
    unsigned queued; /* beats in the stream's queue */
    struct {
        uint64_t due;
        unsigned first;
    } refusal[BTE_REPLIES];
    unsigned refusal_in, refusal_out;
    unsigned undone; /* words that are being written */
    unsigned
        launch; /* beats of the one that is launched in channel launch_to; then clocks until the next one */
    unsigned launch_to;

    /* The packet that is seen. */
    beat_word head;
    unsigned beats_seen, cmd, number, piece;

    struct misses wrong;
    uint64_t packets, bytes, transfers, failed, fences;
    uint64_t first_head; /* clock of the first request */
    uint64_t last_tail;
};

extern uint64_t bte_now;

/* Reset, rings enabled. */
void bte_bench_start(struct bte_bench *b, uint64_t seed);

/* Before the first transfer: those of this channel are launched. */
void bte_bench_launches(struct bte_bench *b, unsigned channel);
/* Of each clock: the next one of this channel may begin. */
void bte_bench_launch(struct bte_bench *b, unsigned channel);

/* A transfer is posted in the ring of a channel; the doorbell is rung with the next step. Its place must be free (bte_bench_space). */
void bte_bench_post(struct bte_bench *b, unsigned channel, const struct nic_transfer *t);
bool bte_bench_space(const struct bte_bench *b, unsigned channel);

void bte_bench_step(struct bte_bench *b);

/* Until all is over; a miss if that takes more than so many clocks. */
void bte_bench_drain(struct bte_bench *b, uint64_t clocks);

#endif
