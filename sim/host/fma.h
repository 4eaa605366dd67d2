// SPDX-License-Identifier: Apache-2.0
/*
 * fma.h - the stores of a descriptor: a transaction of puts, gets, atomic operations and events (hls/nic/PROGRAMMING.md).
 */
#ifndef SIM_HOST_FMA_H
#define SIM_HOST_FMA_H

#include <stdbool.h>
#include <stdint.h>

enum { FMA_LINE = 64 }; /* bytes of a request at most */

enum fma_command { FMA_PUT = 0, FMA_PUT_MSG = 1 }; /* of the put window; else an opcode */

/* What CLOSE asks for. */
enum { FMA_LOCAL_EVENT = 1, FMA_GLOBAL_EVENT = 2, FMA_TARGET_EVENT = 4, FMA_TARGET_FLAG = 8 };

struct fma {
    uint64_t page, put, get; /* addresses of the descriptor's page and windows */
    void *context;
    void (*store)(void *context, uint64_t address, const void *bytes, unsigned count);
};

struct fma_target {
    uint32_t node;
    unsigned mdh, local_mdh;
    unsigned queue; /* of the transaction's own events */
    unsigned mode;  /* of routing */
    unsigned command;
    bool counted; /* its end is an event or a flag at the target */
};

/* Requests that bytes at an offset are. */
unsigned fma_requests(uint64_t offset, uint64_t bytes);

/* A transaction begins: requests go to `base` (a multiple of 64) and on. */
void fma_open(const struct fma *f, const struct fma_target *t, uint64_t base);
/* Bytes to offset `at` behind base. */
void fma_write(const struct fma *f, uint64_t at, const void *bytes, uint64_t count);
/* The same from there, both multiples of 4, to an offset of the local segment. */
void fma_read(const struct fma *f, uint64_t at, uint64_t local_offset, uint64_t count);
/* Less than a line, and behind it there a flag of 4 bytes: {status 4, 0001}. */
void fma_read_flagged(const struct fma *f, uint64_t at, uint64_t local_offset, uint64_t count);
void fma_operands(const struct fma *f, uint64_t first, uint64_t second);
void fma_fetch(const struct fma *f, uint64_t at, uint64_t local_offset, unsigned opcode,
               bool flagged);
/* An event for the queue of the remote segment. */
void fma_event(const struct fma *f, uint64_t data);
/* Data of the event at the target. */
void fma_target_event(const struct fma *f, uint64_t data);
/* Eight bytes for an offset of the remote segment, a multiple of 8, written when all of the transaction is there. */
void fma_target_flag(const struct fma *f, uint64_t offset, uint64_t value);
/* It ends; wants: FMA_..._EVENT. */
void fma_close(const struct fma *f, unsigned wants, uint64_t tag);

/* A reduction is joined, in no transaction; what the driver calls engine and place (driver_engines.h), and: */
struct fma_join {
    unsigned engine, child;
    unsigned id;        /* of the reduction: its processes count them, modulo 2^15 */
    unsigned operation; /* hls/nic/ce/README.md */
    unsigned exceptions;
    bool both; /* operands, else the second one is 0 */
    uint64_t first, second;
    unsigned local_mdh;
    uint64_t result; /* offset there, a multiple of 8: control word, first result, second result */
    unsigned queue;  /* of the event */
    uint64_t event;
};
void fma_join(const struct fma *f, const struct fma_join *j);

/* Places in the control word, whose low four bits are the status; the process has zeroed it before it joins. */
enum { FMA_JOIN_DONE = 63, FMA_JOIN_ID = 16, FMA_JOIN_REASON = 8, FMA_JOIN_EXCEPTIONS = 4 };

/* The register that `load` reads for transactions in flight and errors. */
uint64_t fma_status(const struct fma *f);

#endif
