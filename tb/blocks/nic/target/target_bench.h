// SPDX-License-Identifier: Apache-2.0
/*
 * target_bench.h - the target half of a NIC between other nodes, whose requests come as beats, and a host memory.
 */
#ifndef TB_NIC_TARGET_BENCH_H
#define TB_NIC_TARGET_BENCH_H

#include "nic/target/nic_target.h"
#include "tb/base/harness.h"
#include "tb/models/host.h"

enum {
    TB_MEMORY = 1 << 16,
    TB_PEERS = 8, /* nodes that ask */
    TB_TAGS = 1 << 10,
    /* commands of the wire, and operations, as the specification has them */
    TB_GET = 0,
    TB_PUT = 1,
    TB_AMO = 2,
    TB_FAMO = 3,
    TB_ADD4 = 0x54,
    TB_ADD8 = 0x55,
    TB_CACHED = 0x20,
};

/* What a peer asks for: 8 bytes, or an operation. */
struct target_request {
    unsigned peer, cmd, mode, mdh, opcode;
    uint64_t offset, value;
};

/* How it was answered. */
struct target_answer {
    bool came;
    unsigned status;
    uint64_t value;
};

struct target_bench {
    struct nic_target dut;
    struct host *host;
    struct rng rng;
    uint64_t now;
    unsigned waiting;               /* requests that have not gone in */
    unsigned outstanding[TB_PEERS]; /* requests of a peer that are not answered */
    uint64_t answered[TB_PEERS];
    struct target_answer answer[TB_PEERS][TB_TAGS];
    uint64_t from, to,
        touched;        /* addresses that the host gave to somebody else; accesses to them */
    bool settle, flush; /* in the next clock */
    unsigned lazy;      /* AMO_CONFIG.lazy */
};

extern struct target_bench tg;

/* Reset, wiped and enabled, with a memory that is all the NIC's. */
void target_bench_begin(const struct host_knobs *knobs);
void target_bench_free(void);

/* The driver: a segment of domain mdh with all rights, or an invalid one. */
void target_bench_segment(unsigned mdh, uint64_t base, uint64_t length, bool valid);

/* One more request, which goes in when there is room; its tag. */
unsigned target_bench_ask(const struct target_request *r);

void target_bench_clocks(unsigned clocks);

/* Until all is answered, so many clocks at most. */
bool target_bench_drain(unsigned clocks);

#endif
