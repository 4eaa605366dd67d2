// SPDX-License-Identifier: Apache-2.0
/*
 * nic_program.h - random programs: processes on every node that put, get and send messages to each other, in
 * transactions of a few operations, some of them against the rules.
 */
#ifndef NIC_PROGRAM_H
#define NIC_PROGRAM_H

#include "tb/system/nic/nic_bench.h"

/* Words of a descriptor's page (hls/nic/PROGRAMMING.md). */
enum {
    WORD_BASE = 0,
    WORD_MODES = 1,
    WORD_FLAG = 3, /* and its offset */
    WORD_EVENT = 5,
    WORD_OPERANDS = 6, /* and 7 */
    WORD_OPEN = 8,
    WORD_CQWRITE = 9,
    WORD_CLOSE = 13,
    WORD_STATUS = 16,
    WORD_LAUNCH = 24
};

enum { PROGRAM_PROCESSES = 4, PROGRAM_SEGMENTS = 9, PROGRAM_SEGMENTS_AT = 1 << 20 };

/* Segments of a process: handle PROGRAM_SEGMENTS * process + segment. */
enum {
    SEGMENT_OPEN = 0, /* read and write */
    SEGMENT_READ_ONLY,
    SEGMENT_WRITE_ONLY,
    SEGMENT_SHORT, /* 100 bytes */
    SEGMENT_TRANSLATED,
    SEGMENT_LOCAL,   /* data of gets */
    SEGMENT_OUTSIDE, /* of the physical window */
    SEGMENT_NONE,    /* not valid */
    SEGMENT_ATOMIC,  /* variables of atomic operations, nothing else */
};

struct program_knobs {
    unsigned processes; /* of each node, up to PROGRAM_PROCESSES */
    unsigned most;      /* operations of a transaction, at most */
    unsigned limit;     /* transactions of a process in flight */
    double illegal;     /* chance of an operation against the rules */
    double quiet;       /* chance of a transaction that wants no event */
    double
        sequences; /* chance of a transaction that wants an event, a flag or both at its target for all that it sends */
    double messages; /* chance of a message or CQWRITE */
    double atomics;  /* of the others: chance of an atomic operation */
    bool
        late; /* ... whose changes may be written together: AX alone, so that their order can be seen */
    bool flagged;     /* gets may be flagged */
    bool ordered;     /* modes in which order counts, too */
    bool in_order;    /* all in mode IN_ORDER, and the fabric keeps it */
    bool virtually;   /* nodes are named through NTTs, handles through vMDHs */
    bool paged;       /* half of the segments have translated addresses */
    bool events_lost; /* some never come: what the page says is left is believed */
    double pause;     /* of the processors, per clock and channel */
};

/* What several tests want of programs and hosts; a test adds what is its own. */
#define PROGRAM_MIX .messages = 0.2, .sequences = 0.3, .atomics = 0.3
#define PROGRAM_USUAL                                                                              \
    .processes = 4, .most = 8, .limit = 4, PROGRAM_MIX /* a few operations each, all in the rules */
#define PROGRAM_IDLE                                                                               \
    .processes = 4, .most = 8, .limit = 8, PROGRAM_MIX, .flagged = true, .quiet = 0.1,             \
    .pause = 0.3 /* processors that are often busy with something else */
#define PROGRAM_ILLEGAL                                                                            \
    .processes = 4, .most = 4, .limit = 6, PROGRAM_MIX, .illegal = 0.4,                            \
    .quiet = 0.05 /* against the rules */
#define HOST_SLOW                                                                                  \
    .latency = 100, .latency_extra = 200, .stall = 0.3, .pause = 0.001,                            \
    .pause_clocks = 500 /* answers in any order, and stops at times */
#define HOST_UNEVEN .latency = 30, .latency_extra = 30, .stall = 0.1

struct program;

/* Segments, queues and descriptors of all processes, at random. */
struct program *program_new(struct nic_bench *b, uint64_t seed, const struct program_knobs *knobs);
void program_free(struct program *p);

/* One clock of bench and processes; new transactions begin while `more`. */
void program_clock(struct program *p, bool more);

/* After nic_bench_restart: segments, queues and descriptors of a node's processes again, and the node is enabled. */
void program_restart(struct program *p, unsigned node);
/* Entries of a node's segments are written again, as they are. */
void program_segments(struct program *p, unsigned node);
/* Processes of a node do nothing, or go on. */
void program_rest(struct program *p, unsigned node, bool rests);
/* Nobody asks anything more of a node, or they do again. */
void program_shun(struct program *p, unsigned node, bool shunned);

/* Transactions begun by all. */
uint64_t program_begun(const struct program *p);

/* Lets all end, up to patience clocks; false if something does not. */
bool program_finish(struct program *p, uint64_t patience);

#endif
