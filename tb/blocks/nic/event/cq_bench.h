// SPDX-License-Identifier: Apache-2.0
/*
 * cq_bench.h - two sources of events, a driver, readers and a memory around cq.
 *
 * The model does the same operations in the order in which cq takes them, and says of each clock what it must bring: a write
 * to memory two clocks later, a reply, an interrupt, a count. Each source's events are taken in their order, none is missing.
 */
#ifndef TB_NIC_CQ_BENCH_H
#define TB_NIC_CQ_BENCH_H

#include "nic/event/cq.h"
#include "tb/base/harness.h"

enum { QUEUES = NIC_CQS, HELD = 64 };

/* A queue, as driver and reader know it. */
struct cq_test_queue {
    bool enabled, overrun;
    uint64_t base;
    unsigned log2, ptag, irq, threshold, mmu, tc;
    uint32_t written, read;
    unsigned late; /* clocks for which it has unread events enough and no interrupt is pending */
};

/* Events that a source has sent and cq has not taken. */
struct cq_test_source {
    struct nic_event event[HELD];
    unsigned in, out;
    struct nic_event next; /* sent, on its way */
};

struct cq_manners {
    unsigned sends, npt, rmt, room, pages, sets, lies, clears, reads, foreign, fails;
    unsigned queues, log2, timer;
};

struct cq_bench {
    struct cq dut;
    struct rng r;
    uint64_t now;
    struct cq_manners how;
    struct cq_test_queue queue[QUEUES];
    struct cq_test_source source[CQ_SOURCES];
    uint64_t window_at, window; /* addresses must lie in it */
    struct {
        struct misses memory, reply, raised, count, order, room, missing, slept, idle;
        unsigned events, full, overruns, replies, interrupts, sets, races, outside;
    } seen;
};

extern struct cq_bench cb;

/* A clock; so many of them. */
void cq_bench_step(void);
void cq_bench_run(unsigned clocks);

/* A write to a table or register: the word at addr, and the one before it. */
void cq_bench_write_register(unsigned addr, uint64_t data, uint64_t low);

/* Everything is disabled by the wipe. */
void cq_bench_reset(void);

#endif
