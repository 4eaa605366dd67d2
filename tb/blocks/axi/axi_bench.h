// SPDX-License-Identifier: Apache-2.0
/*
 * axi_bench.h - the AXI4 manager between parb and a host memory.
 *
 * Each client writes to a part of memory of its own, so that the order of one client's writes is all that counts; the
 * model is an array of bytes. Reads, of npt and amo mixed, come from a part that nobody writes.
 */
#ifndef TB_NIC_AXI_BENCH_H
#define TB_NIC_AXI_BENCH_H

#include "axi/axi_master.h"
#include "tb/models/host.h"

enum {
    PAGE = 4096,
    PART = 16 * PAGE, /* of memory, for each writer; the last one is for reads */
    PARTS = WRITERS + 1,
    SIZE = PARTS * PART,
    BEATS_MOST = 1 << 18,
    OPS_MOST = 1 << 16,
};

struct op {
    uint64_t addr;
    unsigned bytes, client, place, status;
    bool skip;
    bool bad_head;   /* of a read ... */
    unsigned reader; /* ... by this client: enum mem_readers */
    int bad_beat;    /* -1: none */
};

/* Operations in order, and how many of them are sent and answered. */
struct ops {
    struct op *op;
    unsigned count, sent, done;
};

/* The bench: memory as it must be, beats and operations that are to come, how often each side moves. */
struct axi_bench {
    struct axi_master dut;
    struct host *host;
    struct rng rng;
    uint64_t now;
    uint8_t want[SIZE];
    struct beat *beats; /* of writes, in the order of sending */
    unsigned beat_count, beat_sent;
    struct ops writes[WRITERS], reads;
    unsigned oldest[READERS];               /* of reads: the next one of a client to be answered */
    unsigned held[READERS];                 /* reads of a client that have places */
    mem_reader_set stuck;                   /* clients that take no reply */
    uint64_t atomic_replies, atomic_writes; /* whole ones */
    uint64_t overtakes;         /* replies before those of earlier reads, of other clients */
    struct misses wrong;        /* answers and bytes that are not as they must be */
    uint64_t counted[2][8];     /* bits of write_count, read_count */
    double bubble, reply_stall; /* chances */
    bool corrupt_rlast;         /* R beats' RLAST is inverted now and then */
    uint64_t corrupt_rlasts, last_reply_beat;
    struct axi_to_man extra; /* answers to nothing, put in where the host is silent */
};

extern struct axi_bench ab;

/* The last one of some operations. */
void axi_bench_add(struct ops *ops, struct op op);

/* A write of random bytes as parb sends it; the model has it at once, because its client's part is its own. */
void axi_bench_write_op(unsigned writer, struct op op);

/* No error in it or of it; as a read, of a client that reads from any address. */
struct op axi_bench_plain(uint64_t addr, unsigned bytes);

void axi_bench_step(void);

bool axi_bench_all_done(void);

/* Until all is answered; false: something never is. */
bool axi_bench_drain(uint64_t clocks);

/* Reset, with a new host and random memory. */
void axi_bench_begin(const struct host_knobs *knobs);

/* Host memory holds what it must, to the last byte. */
void axi_bench_check_memory(void);

/* A read of the part that nobody writes, in the shape that its client has: enum mem_readers. */
void axi_bench_read_by(unsigned reader, uint64_t addr, unsigned bytes);

/* The same of any client. */
void axi_bench_read_op(uint64_t addr, unsigned bytes);

#endif
