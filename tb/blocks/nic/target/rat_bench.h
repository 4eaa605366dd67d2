// SPDX-License-Identifier: Apache-2.0
/*
 * rat_bench.h - {domain, handle, offset} to an address, against a model of its own: tables as plain structs, checks as a list
 * in the order of the specification.
 *
 * What leaves is taken beat by beat with stops of any kind; contexts come in the order of packets. Nothing of a packet that
 * was refused leaves towards memory. Atomic operations leave between accesses, marked as such, and have no context.
 */
#ifndef TB_NIC_RAT_BENCH_H
#define TB_NIC_RAT_BENCH_H

#include "nic/target/rat.h"
#include "tb/base/harness.h"

enum {
    MDDS = 1 << NIC_MDD_LOG2,
    VMDHS = 1 << NIC_VMDH_LOG2,
    NODE = 0x1A2B3,
    MOST = 1 << 14,
    /* of the wire, as the specification has them */
    GET = 0,
    PUT = 1,
    AMO = 2,
    FAMO = 3,
    PUT_MSG = 4,
    CQWRITE = 5,
    END = 6,
    NOTE = 7,
    SEND = 8,
    SEND_END = 9,
    CE_UP = 10,
    CE_DOWN = 11,
};

struct segment {
    uint64_t base, length; /* length in bytes, up to 2^40 */
    unsigned ptag, queue;
    bool valid, read, write, atomic, event, mmu;
    unsigned tc; /* context of its addresses, if mmu */
};

struct block {
    unsigned base, size;
    bool valid;
};

/* Of a packet of a message: the buffer that it finds, or why there is none. */
struct message {
    bool bound;
    unsigned slot, refusal;
    struct segment buffer;
};

struct request {
    unsigned cmd, bytes, mode, ptag, mdh, src, tag, gen, node;
    unsigned opcode; /* of AMO and FAMO */
    unsigned ssid, use, flags,
        total; /* of its transaction; END and NOTE: bits of x, 1 a flag, 2 an event; count */
    bool rmt;  /* END counts it */
    uint64_t offset, event, flag;
    unsigned beats;
    struct message message;
    int bad; /* the beat with a double-bit error, or -1 */
    uint8_t data[64];
};

/* What must come of it. */
struct outcome {
    bool dropped, context, read, ready;
    unsigned status, queue;
    uint64_t event;
    bool memory;
    uint64_t address;
    unsigned space;  /* of the address: {context, translated} */
    unsigned handle; /* a real one */
};

struct packet {
    struct request request;
    struct outcome outcome;
};

/* The bench: tables as the driver wrote them, packets with what must come of them, how often each side moves. */
struct rat_bench {
    struct rat dut;
    struct rng rng;
    uint64_t now;
    struct misses wrong; /* since the reset */
    uint64_t counted[RAT_COUNTS], expected[RAT_COUNTS];
    struct segment segments[MDDS];
    struct block blocks[VMDHS];
    uint64_t phys_base, phys_size;
    bool local, enabled;
    struct packet *packets;
    double begin_share, memory_share, context_share, read_share, atomic_share, queued_share,
        collective_share;
    double bad_share;
    uint64_t tokens, marks; /* seen */
    uint64_t popped, decided,
        mark_due;  /* heads that left the queue, were decided; those before a mark */
    bool marking;  /* one is on its way */
    bool gapless;  /* the beats of a packet come one behind the other */
    bool rewrites; /* the driver writes entries as they are, now and then */
};

extern struct rat_bench rb;

/* How a request ends by the tables as they are, and its address if none. */
unsigned rat_bench_status(const struct request *r, struct outcome *o);

/* One more request ends so: the counters must say it. */
void rat_bench_expect(unsigned status);

/* One more packet, and what must come of it with the tables as they are. */
void rat_bench_queue_request(struct request r);

/* An atomic operation, and the bytes of its variable; no other field changes. */
void rat_bench_operation(struct request *r, unsigned cmd, unsigned opcode);

static inline bool is_end(const struct request *r)
{
    return r->cmd == END || r->cmd == NOTE || r->cmd == SEND_END;
}

static inline bool is_message(const struct request *r)
{
    return r->cmd == SEND || r->cmd == SEND_END;
}

static inline bool is_operation(const struct request *r)
{
    return r->cmd == AMO || r->cmd == FAMO;
}

/* Of a machine with collective engines, which judge it. */
static inline bool is_reduction(const struct request *r)
{
    return NIC_CE && !rb.local && (r->cmd == CE_UP || r->cmd == CE_DOWN);
}

/* So many clocks. */
void rat_bench_clocks(unsigned clocks);

/* All that must come of the first packets that were queued has come, and nothing of any other. */
bool rat_bench_stands_behind(unsigned packets);

/* Until all that was queued came out; then nothing may be left, and the counters must be right. */
void rat_bench_run(void);

/* The driver writes rb.segments[i], rb.blocks[i]. */
void rat_bench_write_segment(unsigned i);
void rat_bench_write_block(unsigned i);

/* Reset and wiped: rat_net or rat_local, nothing stops, everything is mapped; the first without the wipe, for who writes all that it uses. */
void rat_bench_reset(bool is_local);
void rat_bench_begin(bool is_local);

/* 16 bytes, or a variable, at offset 64 of segment 5 of domain 3. */
struct request rat_bench_plain(unsigned cmd);

#endif
