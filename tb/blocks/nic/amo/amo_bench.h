// SPDX-License-Identifier: Apache-2.0
/*
 * amo_bench.h - atomic operations between rat, npt and a memory of scattered variables.
 *
 * Each half of a variable has its operations in the order in which they came. What leaves the unit, fetches and new values,
 * belongs to the operation whose turn it is in both halves, or in the one that is its own; its value follows from what was
 * read, or from what the unit may have kept. So it is known of each, with errors too, how it must be answered. Without errors
 * all of it is compared with the same operations done one after the other as well.
 */
#ifndef TB_NIC_AMO_BENCH_H
#define TB_NIC_AMO_BENCH_H

#include "nic/amo/amo.h"
#include "tb/base/harness.h"

enum {
    AMO_OPS = 1 << 16,
    AMO_VARS = 4096,
    PAIRS = 118, /* opcodes with fetch or without, that exist */
    WORDS = 16,  /* parb's */
};

/* How far an operation is. */
enum amo_stage { SENT, READING, VALUE, WRITTEN, ENDED };

struct amo_test_op {
    uint64_t addr, a, b;
    unsigned opcode;
    bool fetch, order;
    bool bad;                  /* its operands have a double-bit error: it is not done */
    bool lost;                 /* ... or its head: it is not answered */
    bool unmarked;             /* ... that get them behind the door: the beat is not marked */
    unsigned read_status;      /* enum mem_status, if its variable is read */
    bool data_bad;             /* ... and the beat of data is marked */
    unsigned write_status;     /* ... of its write */
    bool written_all_the_same; /* a write with an error */
    bool fetched;              /* its variable was read */

    bool wide;
    unsigned from, to;        /* its halves */
    uint64_t whom, want, old; /* want: old value, if all goes well */
    bool counted;             /* END counts it, */
    unsigned of;              /* of this transaction: {use, ssid 9}, and a bit above */
    unsigned status, written; /* how it must be answered; which write it is */
    enum amo_stage stage;
    bool answered;
    unsigned next[2];             /* of either half, 0: none */
    uint64_t given;               /* the clock in which the unit got its head */
    uint32_t after[2];            /* what its halves have then, if all goes well */
    unsigned before[ORDER_KINDS]; /* accesses of other kinds that were accepted by then */
};

/* What leaves for memory. */
struct amo_out_word {
    bool valid, wide;
    uint64_t addr, data;
    unsigned from, to, entry; /* its halves, and whose it is */
    unsigned op;              /* its operation, or 0: of ... */
    unsigned last[2];         /* ... these and those before them */
};

/* Half of a variable. */
struct amo_half {
    unsigned first, last;   /* operations whose turn is to come, 0: none */
    bool kept;              /* the unit may go on with value; */
    bool hot;               /* likewise, while writes of its entry are under way */
    bool wide;              /* its entry is of both halves */
    uint64_t last_done;     /* the clock in which the last write was answered */
    bool failed;            /* ... but only one that has begun */
    uint32_t value, golden; /* golden: after all operations that were added */
    uint32_t memory;
    unsigned writes; /* under way */
    unsigned issued,
        ended; /* operation whose change was the last that left for memory, that is there */
    uint32_t issued_value;
};

struct amo_var {
    uint64_t addr; /* a multiple of 8 */
    struct amo_half half[2];
};

/* Chances, per clock but for the last ones, and clocks. */
struct amo_load {
    double begin, gap;         /* an operation begins; its operands wait */
    double words, fetches;     /* memory takes a write, a read, ... */
    double replies, dones;     /* ... answers one whose time has come */
    double answers;            /* an answer is taken */
    double flush;              /* the unit forgets */
    double others;             /* something of another client is written */
    unsigned reading, writing; /* at least; at most twice that, if ... */
    double order; /* per clock: another access of a kind is accepted, one is answered */
    bool even;    /* ... latency is not always the same */
};

/* Those that random operations are run with. */
enum { AMO_LOADS = 5 };
extern const struct amo_load amo_loads[AMO_LOADS];

struct amo_bench {
    struct amo dut;
    struct rng rng;
    uint64_t now;
    struct misses wrong; /* since the reset */
    struct amo_load load;
    unsigned rounding;
    unsigned
        lazy;  /* AMO_CONFIG.lazy: then words need not be those of single operations (amo_back.h) */
    bool stop; /* the NIC drains */
    double asks; /* per clock: something in an ordered mode comes that is no operation */
    bool exact;  /* no errors: old values are those of want */
    bool flush;  /* in the next clock */
    struct amo_var *vars;
    struct amo_test_op *ops; /* from 1 on */
    unsigned var_count, count;
    unsigned sent, given;                              /* begun; whose head the unit has */
    unsigned accepted[ORDER_KINDS], done[ORDER_KINDS]; /* accesses of other kinds */
    unsigned retired;
    uint64_t answered, fetched, counted[AMO_COUNTS], statuses[16];
    unsigned most; /* writes that were under way at once */
};

extern struct amo_bench am;

/* Opcodes that exist, {fetch, opcode}. */
extern unsigned amo_pairs[PAIRS], amo_pair_count;

/* Reset; no variables, no operations, all as fast as can be. */
void amo_bench_begin(void);

/* One more variable, of random value; its number. */
unsigned amo_bench_var(uint64_t addr);

/* A random operation on a variable, in half 0 or 1 if it is of 32 bits; the pair as in amo_pairs. */
struct amo_test_op amo_bench_random(unsigned var, unsigned half, unsigned pair);

/* The next operation to be sent. Its place in am.ops. */
struct amo_test_op *amo_bench_add(struct amo_test_op added);

void amo_bench_step(void);

/* Until all is answered, and idle. */
void amo_bench_drain(uint64_t clocks);

/* For one clock, when all is idle. */
void amo_bench_flush(void);

/* Memory holds what it must. */
void amo_bench_check_memory(void);

void amo_bench_free(void);

/* Some opcodes. */
enum { IADD = 0x55, CACHED_IADD = 0x75, CACHED_FPADD = 0x7D, NARROW_CACHED_IADD = 0x74 };

/* An address of a variable of 8 bytes, anywhere. */
uint64_t amo_bench_address(void);

/* The number of a pair of opcode and fetch in amo_pairs. */
unsigned amo_bench_pair(unsigned opcode, bool fetch);

#endif
