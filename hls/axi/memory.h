// SPDX-License-Identifier: Apache-2.0
/*
 * memory.h - what asks for host memory, and in which form: accesses to the manager of AXI4 (axi_master.h) and its answers.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "common/beat/beat.h"

/*
 * Head beat of an access: who asks, its place (given back with the reply), bytes - 1, kind and address; the data
 * beats of a write follow, the byte at address first. In a reply: status instead of the address, then the data beats of
 * a read, the byte at the address first.
 */
enum mem_client {
    MEM_TARGET = 0, /* npt: puts and gets of other nodes */
    MEM_AMO = 1,
    MEM_LOCAL = 2, /* orb: data of gets, flags */
    MEM_RINGS = 3,
    MEM_CQ = 4, /* events; nobody waits for them */
    MEM_RMT = 5,
    MEM_WALKER = 7,
};

#define MEM_CLIENT_AT 0  /* 4 */
#define MEM_PLACE_AT  4  /* 12 */
#define MEM_BYTES_AT  16 /* 6: bytes - 1, of memory */
#define MEM_WRITE_AT  22 /* 1 */
#define MEM_SPACE_AT  23 /* 5: mem_space */
#define MEM_STATUS_AT 24 /* 2, of a reply */
#define MEM_ORDER_AT  28 /* 1: a read that waits until the writes before it of its client are done */
#define MEM_SKIP_AT   29 /* 1: the first 8 bytes of the data are not for memory (PUT_MSG) */
#define MEM_SPLIT_AT                                                                               \
    30 /* 1: a second head follows, whose address is that of what lies behind a page's end (parb) */
#define MEM_ADDR_AT 48 /* 48 */

/* Behind the address, of an atomic operation, rat to amo. */
#define MEM_WHOM_AT 96 /* 33: {mode 3, gen 2, tag 10, src 18} */
#define MEM_COUNTED_AT                                                                             \
    129 /* 1: END counts it (rmt.h), of the transaction {use 2, ssid 9} in its place */
#define MEM_OPCODE_AT 130 /* 7 */
#define MEM_FETCH_AT  137 /* 1 */

enum mem_status { MEM_DONE = 0, MEM_UNTRANSLATED = 1, MEM_BUS_ERROR = 2, MEM_WRONG_BITS = 3 };

/* Whose addresses an access has: {context 4, translated 1}; 0: physical ones. */
typedef u5 mem_space;

/*
 * Clients that read, each with an ID of AXI and places of its own for replies: a power of two, the largest first, so that the
 * number of a place is that of its client's first one and a few bits below. The next client is a row more in each.
 */
enum mem_readers { READER_TARGET, READER_LOCAL, READER_AMO, READER_RINGS, READERS };
typedef u2 mem_reader;
typedef uint(READERS) mem_reader_set; /* a bit each */

/* clang-format off */
#define READER_CLIENTS {[READER_TARGET] = MEM_TARGET, [READER_LOCAL] = MEM_LOCAL, \
                        [READER_AMO] = MEM_AMO, [READER_RINGS] = MEM_RINGS}
#define READER_PLACES  {[READER_TARGET] = 1 << NIC_GETS_LOG2, [READER_LOCAL] = 1 << NIC_LOCALS_LOG2, \
                        [READER_AMO] = 1 << NIC_AMO_LOG2, [READER_RINGS] = 1 << NIC_RINGS_LOG2}
#define READER_FIRST   {[READER_TARGET] = 0, [READER_LOCAL] = 1 << NIC_GETS_LOG2, \
                        [READER_AMO] = (1 << NIC_GETS_LOG2) + (1 << NIC_LOCALS_LOG2), \
                        [READER_RINGS] = (1 << NIC_GETS_LOG2) + (1 << NIC_LOCALS_LOG2) + (1 << NIC_AMO_LOG2)}
/* Beats of a place: 64 bytes from any address touch five, descriptors are lines, variables lie in one. */
#define READER_BEATS   {[READER_TARGET] = 5, [READER_LOCAL] = 5, [READER_AMO] = 1, [READER_RINGS] = 4}
#define READER_BEAT_AT {[READER_TARGET] = 0, [READER_LOCAL] = 5 << NIC_GETS_LOG2, \
                        [READER_AMO] = 5 * ((1 << NIC_GETS_LOG2) + (1 << NIC_LOCALS_LOG2)), \
                        [READER_RINGS] = 5 * ((1 << NIC_GETS_LOG2) + (1 << NIC_LOCALS_LOG2)) + (1 << NIC_AMO_LOG2)}
/* clang-format on */
#define READ_BEATS                                                                                 \
    (5 * ((1 << NIC_GETS_LOG2) + (1 << NIC_LOCALS_LOG2)) + (1 << NIC_AMO_LOG2) +                   \
     (4 << NIC_RINGS_LOG2))
#define READ_PLACES                                                                                \
    ((1 << NIC_GETS_LOG2) + (1 << NIC_LOCALS_LOG2) + (1 << NIC_AMO_LOG2) +                         \
     (1 << NIC_RINGS_LOG2)) /* of all */

#if NIC_GETS_LOG2 < NIC_LOCALS_LOG2 || NIC_LOCALS_LOG2 < NIC_AMO_LOG2 ||                           \
    NIC_AMO_LOG2 < NIC_RINGS_LOG2
#error "config: a client that reads has more places than one before it in memory.h"
#endif

/*
 * Clients that write, each with an ID of AXI and a FIFO of its own for what is under way: how many accesses, and how many bursts, which are
 * two of each that may go over a page's end; powers of two, the largest first, so that a place is the client's first one and a few bits below.
 * The next client is a row more in each, and a port of parb.
 */
enum mem_writers { WRITER_TARGET, WRITER_LOCAL, WRITER_CQ, WRITER_AMO, WRITER_RINGS, WRITERS };
typedef u3 mem_writer;
typedef uint(WRITERS) mem_writer_set; /* a bit each */

/* clang-format off */
#define WRITER_CLIENTS {[WRITER_TARGET] = MEM_TARGET, [WRITER_LOCAL] = MEM_LOCAL, \
                        [WRITER_CQ] = MEM_CQ, [WRITER_AMO] = MEM_AMO, [WRITER_RINGS] = MEM_RINGS}
#define WRITER_WRITES  {[WRITER_TARGET] = 1 << NIC_PUTS_LOG2, [WRITER_LOCAL] = 1 << NIC_PUTS_LOG2, \
                        [WRITER_CQ] = 1 << NIC_PUTS_LOG2, [WRITER_AMO] = 1 << NIC_PUTS_LOG2, \
                        [WRITER_RINGS] = 1 << NIC_RINGS_LOG2}
#define WRITER_BURSTS  {[WRITER_TARGET] = 2 << NIC_PUTS_LOG2, [WRITER_LOCAL] = 2 << NIC_PUTS_LOG2, \
                        [WRITER_CQ] = 2 << NIC_PUTS_LOG2, [WRITER_AMO] = 1 << NIC_PUTS_LOG2, \
                        [WRITER_RINGS] = 1 << NIC_RINGS_LOG2}
#define WRITER_FIRST   {[WRITER_TARGET] = 0, [WRITER_LOCAL] = 2 << NIC_PUTS_LOG2, \
                        [WRITER_CQ] = 4 << NIC_PUTS_LOG2, [WRITER_AMO] = 6 << NIC_PUTS_LOG2, \
                        [WRITER_RINGS] = 7 << NIC_PUTS_LOG2}
/* clang-format on */
#define WRITE_BURSTS ((7 << NIC_PUTS_LOG2) + (1 << NIC_RINGS_LOG2)) /* of all */

/* axi_master to all clients of memory: a write is done. In order per client. */
struct mem_done {
    u1 valid;
    u4 client; /* enum mem_client */
    u12 place; /* as the client named it */
    u2 status; /* enum mem_status */
};

/*
 * parb to axi_master: a read. One over a page's end comes as two words, whose second has the address of the rest and
 * else says the same.
 */
struct mem_read {
    u1 valid;
    mem_reader reader; /* whose it is */
    u2 fault;          /* enum mem_status; not MEM_DONE: nothing is read, that is the answer */
    u1 split;          /* over a page's end */
    mem_space space;
    u6 bytes; /* of the whole, less one */
    u48 addr;
};

/* To parb: a read of a client that reads one by one; is held until it is taken. */
struct mem_fetch {
    u1 valid;
    mem_space space;
    u6 bytes; /* less one */
    u48 addr;
};

/* To axi_read: a line of a page table is read, until it is taken; and its beats, as they come. No place is needed: they are taken at once. */
struct mem_walk {
    u1 valid;
    u48 addr; /* a multiple of 64 */
};

struct mem_walked {
    u1 valid;
    beat_data data;
    u2 status; /* enum mem_status */
};

/* To parb: a word to be written, for one clock. */
struct mem_word {
    u1 valid;
    u1 wide;   /* 8 bytes, else 4 */
    u12 place; /* comes back with mem_done */
    mem_space space;
    u48 addr;
    u64 data;
};

#endif
