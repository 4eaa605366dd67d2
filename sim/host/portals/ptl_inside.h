// SPDX-License-Identifier: Apache-2.0
/*
 * ptl_inside.h - what the parts of the library share: nodes with their driver, processes, entries, descriptors and queues.
 */
#ifndef SIM_HOST_PTL_INSIDE_H
#define SIM_HOST_PTL_INSIDE_H

#include "sim/host/portals/portals.h"
#include "sim/host/portals/ptl_port.h"

enum {
    PTL_SLOTS = 4,
    PTL_INDICES = 512, /* entries and descriptors of a node */
    PTL_QUEUES = 32,
    PTL_NIS = 16,
    PTL_PORTALS = 64,
    PTL_OPS = 256, /* operations of a node in generic mode */
    PTL_RING_LOG2 = 8,
    PTL_NONE = 0xFFFF,
    PTL_WAIT_LIMIT = 50000000, /* clocks that a call may wait */

    OP_SEND = 1,
    OP_DEPOSIT = 2,
    OP_PUT = 4,
    OP_GET = 5,
    OP_ME = 8,
    OP_MD = 9,
    OP_UNLINK = 10,
    OP_UPDATE = 11,
    OP_EQ = 12,
    OP_PROCESS = 13,
    OP_ACCESS = 14,

    LINE_LOCAL = 0x000,
    LINE_RESPONSES = 0x100,
    LINE_REQUESTS = 0x200,

    MSG_PUT = 1,
    MSG_GET = 2,
    MSG_ACK = 3,
    MSG_REPLY = 4,
    MSG_COMING, /* a put whose data are on their way to this node */

    KIND_ME = 1,
    KIND_MD,
    KIND_EQ,
};

/* Whom an entry admits: each exact or any. */
struct ptl_who {
    ptl_nid_t nid;
    ptl_pid_t pid;
    ptl_uid_t uid;
    ptl_jid_t jid;
};

struct ptl_entry {
    bool used, unlink, has_md;
    unsigned portal, next, use;
    ptl_match_bits_t match, ignore;
    struct ptl_who who;
};

struct ptl_descriptor {
    bool used, unlink, of_me, inactive, ends, entry_ends;
    unsigned ni, use, pending, queue;
    uint64_t start, length, max_size, offset;
    uint32_t threshold;
    unsigned options;
    void *user_ptr;
};

struct ptl_queue {
    bool used;
    unsigned ni, log2;
    uint64_t base;
    uint32_t read, written;
    bool missed;
};

/* An operation that the host does. */
struct ptl_op {
    unsigned kind; /* MSG_*, 0: free */
    unsigned md, portal;
    uint32_t link;
    uint64_t node, pid, bits, data, requested, manipulated, offset, identity, tag, at;
    uint32_t threshold;
    bool ack, waits_ack, leaving;
};

struct ptl_answer {
    bool came;
    unsigned status;
    uint64_t word[6];
};

struct ptl_node {
    struct ptl_port *port;
    unsigned slot[PTL_SLOTS]; /* whose it is: an interface, or PTL_NONE */
    struct ptl_entry me[PTL_INDICES];
    struct ptl_descriptor md[PTL_INDICES];
    struct ptl_queue eq[PTL_QUEUES];
    struct ptl_op op[PTL_OPS];
    struct ptl_answer answer;
    unsigned last_index; /* that was given away */
    uint64_t ring, heap;
    uint32_t entries; /* of the ring, read */
    uint32_t links;
};

struct ptl_ni {
    bool used, accelerated;
    unsigned slot;
    ptl_pid_t pid;
    ptl_uid_t uid;
    ptl_jid_t jid;
    struct ptl_node *node;
    unsigned first[PTL_PORTALS]; /* of each list; PTL_NONE: empty */
    struct {
        bool valid;
        struct ptl_who who;
        ptl_pt_index_t portal;
    } access[8];
    uint32_t dropped;
};

struct ptl_ni *ptl_ni_of(ptl_handle_any_t handle);
struct ptl_ni *ptl_ni_at(unsigned at);
unsigned ptl_ni_number(const struct ptl_ni *ni);
ptl_handle_any_t ptl_handle(const struct ptl_ni *ni, unsigned kind, unsigned index, unsigned use);

static inline unsigned ptl_handle_index(ptl_handle_any_t handle)
{
    return handle & 0xFFF;
}

static inline unsigned ptl_handle_use(ptl_handle_any_t handle)
{
    return handle >> 12 & 15;
}

static inline unsigned ptl_handle_kind(ptl_handle_any_t handle)
{
    return handle >> 16 & 3;
}

/* Memory of the library, zeroed, at a multiple of 128; 0 if there is none. */
uint64_t ptl_alloc(struct ptl_node *node, uint64_t bytes);

/* A command without an answer, to a line of a page. */
void ptl_command(struct ptl_node *node, unsigned address, const uint64_t words[7], unsigned op,
                 unsigned ticket, uint64_t length);

/* A local command and its answer: 0, 7 illegal, 8 in use, 9 no update. */
unsigned ptl_local(struct ptl_node *node, const uint64_t words[7], unsigned op, uint64_t length);

/* Entries of the driver's ring that have come. */
void ptl_serve(struct ptl_node *node);

/* ---- generic mode: what the host does in place of the chip ---------------------------------------- */

int generic_insert(struct ptl_ni *ni, unsigned portal, unsigned index, unsigned place,
                   unsigned other);
int generic_remove(struct ptl_ni *ni, unsigned portal, unsigned index);
int generic_move(struct ptl_ni *ni, unsigned md, bool get, bool ack, ptl_process_id_t target,
                 unsigned portal, unsigned access, uint64_t bits, uint64_t remote, uint64_t data,
                 uint64_t offset, uint64_t length);
void generic_entry(struct ptl_node *node, const uint64_t word[8]);

#endif
