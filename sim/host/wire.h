// SPDX-License-Identifier: Apache-2.0
/*
 * wire.h - between machined and a program that is attached to it: a socket for requests, a page of shared memory for stores.
 *
 * A program connects to the socket, once for each node that it is given, (AF_UNIX, SOCK_SEQPACKET) and says WIRE_HELLO; with the answer come two descriptors, that of the
 * shared memory and that of an eventfd. All nodes of a program have one address for others, the first one's. Requests are answered one by one, each behind all stores that were in the ring before it.
 */
#ifndef SIM_HOST_WIRE_H
#define SIM_HOST_WIRE_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum {
    WIRE_VERSION = 2,
    WIRE_STORES = 2048, /* of the ring */
    WIRE_WORDS = 8,     /* of a request and of an answer */
    WIRE_DATA = 128     /* bytes of a datagram */
};

/* A store to a page or window: up to 64 bytes within a line of 64. */
struct wire_store {
    uint64_t address;
    uint32_t count;
    uint32_t spare;
    uint8_t data[64];
};

/* Written by the machine but for `head`. */
struct wire_shared {
    _Alignas(64) _Atomic uint64_t head; /* stores that were posted, */
    _Alignas(64) _Atomic uint64_t tail; /* and taken */
    _Alignas(64) _Atomic uint32_t
        asleep; /* the machine waits: what was posted needs a write to the eventfd */
    _Atomic uint32_t datagrams; /* that are over and were not taken away */
    _Atomic uint32_t turn;      /* a futex: changes when a datagram is over */
    _Atomic uint64_t clock;     /* clocks of the machine, every 64 */
    _Atomic uint32_t
        spread; /* programs that have several nodes: WIRE_WHERE tells where a domain is */
    _Alignas(64) struct wire_store ring[WIRE_STORES];
};

enum wire_op {
    WIRE_HELLO, /* version, node or WIRE_ANY, the program's address or WIRE_ANY -> address, node, log2 of a window, transactions,
                   requests of a descriptor, the machine's process */
    WIRE_ATTACH, /* job, inst id, own descriptor -> domain, page, put window, get window, ptag */
    WIRE_DETACH, /* domain */
    WIRE_REGISTER, /* job, address, bytes, rights, queue or WIRE_ANY, memory handle or WIRE_ANY -> memory handle */
    WIRE_DEREGISTER, /* job, memory handle */
    WIRE_QUEUE,      /* job, log2; and the ring's memory -> queue, page */
    WIRE_QUEUE_END,  /* job, queue */
    WIRE_LOAD,       /* address -> word */
    WIRE_RDMA, /* job, put | fence | events, local handle and offset, remote ..., bytes, node | queue | mode, tag */
    WIRE_DATAGRAM,  /* domain, bound, address, inst id, id, bytes out; data -> key */
    WIRE_TEST,      /* domain, key, take -> state, address, inst id, bytes; data */
    WIRE_CANCEL,    /* domain, key */
    WIRE_PROBE,     /* domain, to take it -> id, address, inst id */
    WIRE_WHERE,     /* job, address, inst id -> the address of the domain's node */
    WIRE_RESOURCES, /* -> used and limit of memory handles, queues, descriptors */
    WIRE_OPS
};

enum { WIRE_READ = 1, WIRE_WRITE = 2 }; /* rights */
enum {
    WIRE_RDMA_PUT = 1,
    WIRE_RDMA_LOCAL = 2,
    WIRE_RDMA_GLOBAL = 4,
    WIRE_RDMA_REMOTE = 8,
    WIRE_RDMA_FENCE = 16
};
#define WIRE_ANY UINT64_MAX

/* Results of requests. */
enum wire_result {
    WIRE_OK,
    WIRE_FULL,    /* none is left */
    WIRE_WRONG,   /* of what is not the program's, or none */
    WIRE_BUSY,    /* there is one already */
    WIRE_NONE,    /* no such datagram */
    WIRE_BROKEN,  /* the NIC refuses or does not answer */
    WIRE_VERSIONS /* the other side has another version */
};

struct wire_request {
    uint32_t op;
    uint32_t bytes; /* of data */
    uint64_t word[WIRE_WORDS];
    uint8_t data[WIRE_DATA];
};

struct wire_answer {
    uint32_t result;
    uint32_t bytes;
    uint64_t word[WIRE_WORDS];
    uint8_t data[WIRE_DATA];
};

/* A number as a pointer: an address of a process, a handle. */
static inline void *wire_pointer(uint64_t number)
{
    void *pointer;
    const uintptr_t value = (uintptr_t)number;
    memcpy(&pointer, &value, sizeof pointer);
    return pointer;
}

#endif
