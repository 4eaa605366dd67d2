// SPDX-License-Identifier: Apache-2.0
/*
 * nic_regs_bench.h - a driver in front of nic_regs, and blocks behind it; the register map written down a second time.
 */
#ifndef NIC_REGS_BENCH_H
#define NIC_REGS_BENCH_H

#include "nic/regs/nic_regs.h"
#include "tb/base/harness.h"

/* The map, written down a second time. */
enum {
    ID = 0x0000,
    STATUS = 0x0001,
    CONTROL = 0x0002,
    NODE = 0x0003,
    EPOCH = 0x0004,
    RMT_TIMEOUT = 0x0005,
    AMO_CONFIG = 0x0006,
    PHYS_BASE = 0x0007,
    PHYS_SIZE = 0x0008,
    FIRST_ERROR = 0x0020,
    FIRST_TIME = 0x0021,
    FIRST_INFO0 = 0x0022,
    FIRST_INFO1 = 0x0023,
    IRQ_PENDING = 0x0024,
    IRQ_MASK = 0x0025,
    IRQ_TIMER = 0x0026,
    HIST_LIMIT = 0x0048,
    COUNTERS = 0x0080,
    TIME0 = 0x00C2, /* and 7 more */
    SUMS = 0x00F8,
    BTE = 0x0200,
    CE = 0x0400,
    VMDH = 0x0800,
    FMA = 0x1000,
    CQ = 0x2000,
    NTT = 0x4000,
    MDD = 0x8000,
    HPET = 0xC000,
    OWNED = 0x0203, /* BTE: READ_INDEX of channel 0: a block's */
};

enum { OKAY = 0, SLVERR = 2 };
enum { SUM_COUNT = 5, COUNTER_COUNT = NIC_CE ? 86 : 81 };

struct door {
    struct nic_regs dut;
    struct nic_regs_in in;
    uint64_t clock;
    struct rng rng;
    double slow; /* chance that a ready or valid waits */
    uint64_t counted[COUNTER_COUNT], added[SUM_COUNT];
    struct nic_write last; /* the last write that blocks got, and how many */
    unsigned writes, settles, epochs, halves;
    struct timer_access timer; /* the last write that the HPET got, and how many */
    unsigned timer_writes;
    unsigned timer_read; /* the register that it has been asked for */
    unsigned read;       /* ... and that a block has */
    uint64_t owned;      /* its value */
    unsigned rmt_halves; /* ends of half of RMT_TIMEOUT */
    bool was_half;       /* the last of both */
    uint64_t wiped;
};

/* What the HPET's register of this number reads as. */
uint64_t door_timer_value(unsigned number);

/* One clock; what blocks raise in it is over behind it. */
void door_tick(struct door *b);

/* A write; its response, 99 if none comes. Address and data come in any order. */
unsigned door_put_strobed(struct door *b, uint32_t byte, uint64_t data, uint8_t strobes);
unsigned door_put(struct door *b, uint16_t address, uint64_t data);

/* A read; its response. */
unsigned door_get_byte(struct door *b, uint32_t byte, uint64_t *data);

/* The word of a register; all ones if it is refused. */
uint64_t door_get(struct door *b, uint16_t address);

/* After a reset. */
void door_start(struct door *b, uint64_t seed);
void door_wait_ready(struct door *b);

#endif
