// SPDX-License-Identifier: Apache-2.0
/*
 * inside.h - what the files of the library share: its objects, the way to the machine, and the lock over all of it.
 *
 * Handles are no pointers: {generation, index from 2 on}, looked up in one table, so that one that is null, stale or of another kind
 * is told apart. One lock is over all objects of a process; calls that wait hold it in no wait. Signals are blocked while it is held.
 */
#ifndef SIM_HOST_UGNI_INSIDE_H
#define SIM_HOST_UGNI_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <signal.h>

#include "sim/host/fma.h"
#include "sim/host/ugni/gni_pub.h"
#include "sim/host/wire.h"

enum {
    PAGE = 4096,
    QUEUE_LEAST_LOG2 = 6,
    QUEUE_MOST_LOG2 = 17,
    FMA_MOST = 4096,      /* bytes of a transaction of puts or gets */
    RDMA_MOST_LOG2 = 32,  /* of a block transfer */
    REGISTRATIONS = 4096, /* memory handles of a NIC */
    EMPTY_LOOKS = 64,     /* at a queue until the processor is given to others */
    RETRANSMIT = 1,       /* tries of a message until told */
    WAYS_MOST = 8         /* nodes of a process */
};

/* To the machine, of each node that the process has been given. */
struct way {
    int socket, bell;
    struct wire_shared *shared;
};

enum kind { KIND_NONE, KIND_CDM, KIND_NIC, KIND_EP, KIND_CQ };

/* Of a process and node: stores of several domains go through it, under the lock. */
struct descriptor {
    struct fma fma;
    unsigned flight, requests;        /* of transactions whose end has not been seen */
    unsigned silent, silent_requests; /* of those whose end nothing tells */
    unsigned silent_most;             /* requests of one of these, at most */
    unsigned users;
    struct descriptor *next;
};

struct nic {
    struct cdm *cdm;
    struct way *
        way; /* null: of several nodes none has been chosen, since it has neither queue nor endpoint yet */
    uint64_t domain, job;
    unsigned ptag;
    struct descriptor *descriptor;
    unsigned queues, endpoints;
    unsigned retransmit;
    uint32_t stat[GNI_NUM_STATS];
};

struct cdm {
    uint32_t inst, cookie, modes;
    uint8_t ptag;
    struct nic *nic;
};

struct cq {
    struct nic *nic;
    uint64_t job;
    _Atomic uint64_t *ring;
    unsigned log2, queue;
    uint64_t page;
    uint32_t read, seen; /* events handed out; whose transactions are known to be over */
    uint32_t told;       /* the read index that the NIC has */
    unsigned due;        /* events of posts that will come */
    unsigned users;      /* endpoints */
    unsigned empty;      /* looks in a row that found nothing */
    bool overrun;        /* one was told of the event that is next */
    gni_cq_handler_t *handler;
    void *context;
    struct cq *next;
};

struct smsg {
    bool on;
    gni_smsg_attr_t local, remote;
    uint64_t key_in, key_out; /* of messages to us, to the peer */
    uint64_t slot;            /* bytes */
    uint32_t sent, received, released, told;
    bool held;      /* a message was handed out and not released */
    uint8_t *image; /* of the slots that were sent */
};

struct ep {
    struct nic *nic;
    struct cq *cq;
    uint32_t number; /* of its handle */
    bool bound, has_data;
    uint32_t address, inst, local_data, remote_data;
    bool found; /* node is that of the peer's domain */
    uint32_t node;
    struct smsg smsg;
    unsigned posts; /* whose events have not come */
    struct {
        bool any;
        uint64_t key, id;
        void *buffer;
        uint16_t bytes;
    } datagram;
};

/* A post, or a message, whose event will come. */
struct post {
    enum { POST_FREE, POST_CLIENT, POST_SMSG } kind;
    unsigned events;  /* that will come */
    unsigned untaken; /* that GNI_GetCompleted has not been asked for */
    unsigned seen;    /* its end was seen, or nothing will tell it */
    bool local_only;  /* no event tells its end */
    struct descriptor *descriptor;
    unsigned requests;
    struct ep *ep;
    struct cq *cq;
    gni_post_descriptor_t *client;
    uint32_t msg_id, sequence; /* of a message */
    unsigned tries;
};

/* ---- lock and handles: handles.c ----------------------------------------------------------------------- */

void ugni_lock(sigset_t *signals);
void ugni_unlock(const sigset_t *signals);

/* {generation, index}; 0 if there is no memory. */
uint64_t handle_new(enum kind kind, void *object);
/* The object, or null. */
void *handle_get(enum kind kind, const void *handle);
void handle_drop(const void *handle);
/* All objects of a kind, by turns from *at = 0 on; null at the end. */
void *handle_each(enum kind kind, uint32_t *at);

#define HANDLE(type, number) ((type)wire_pointer(number))

/* ---- the machine: attach.c ------------------------------------------------------------------------------- */

/* Attached, or GNI_RC_INVALID_STATE with one line (no machine, full, another version), and in a child of fork. */
gni_return_t machine_attach(void);
/* This process may not use what its parent has. */
bool machine_forked(void);
bool machine_attached(void);
/* Nodes of the process, 0 before it is attached; the way to one of them; the next one in turn. */
unsigned machine_ways(void);
struct way *machine_way(unsigned number);
struct way *machine_next_way(void);
uint32_t machine_address(void);
unsigned machine_transactions(void), machine_requests(void);
/* A request; file: sent with it, or -1. A machine that has ended ends the process. */
enum wire_result machine_ask(const struct way *w, enum wire_op op, const uint64_t *words,
                             unsigned count, int file, struct wire_answer *a);
enum wire_result machine_ask_data(const struct way *w, struct wire_request *r,
                                  struct wire_answer *a);
/* A store by a way; what waits in its ring goes first. */
void machine_store(void *way, uint64_t address, const void *bytes, unsigned count);
/* The process ends, with one line, if the machine has. */
void machine_check(void);
gni_return_t code_of(enum wire_result result);

/* ---- domains: cdm.c ---------------------------------------------------------------------------------------- */

/* A domain gets its node, at its first queue or endpoint. */
gni_return_t nic_settle(struct nic *n);

/* ---- endpoints: ep.c ----------------------------------------------------------------------------------------- */

/* The node where an endpoint's peer is. */
uint32_t ep_node(struct ep *e);

/* ---- memory: mem.c ------------------------------------------------------------------------------------------ */

/* A handle that a registration may have: its sum is right. */
bool mem_is_handle(const gni_mem_handle_t *h);
unsigned mem_mdh(const gni_mem_handle_t *h);
/* Of the registration, in events of messages that come to it: at most 26 bits. */
uint32_t mem_tag(const gni_mem_handle_t *h);
/* Offset of an address behind the page of the region; false: bytes from there are not within its pages. */
bool mem_offset(const gni_mem_handle_t *h, uint64_t address, uint64_t bytes, uint64_t *offset);
/* The region is registered by this process, the bytes in it, and it may be written. */
gni_return_t mem_local(const gni_mem_handle_t *h, uint64_t address, uint64_t bytes, bool write);

/* ---- queues: cq.c ---------------------------------------------------------------------------------------------- */

/* Events that have come free what their transactions had. */
void cq_see_all(void);
bool cq_has_room(const struct cq *q);
/* Events of messages to memory that is registered no more are told no more; q may be null. */
void cq_forget(struct cq *q, uint32_t tag);

/* ---- posts: post.c -------------------------------------------------------------------------------------------- */

/* A number for a post of the descriptor; false: none, or as many in flight as there may be. */
bool post_new(struct descriptor *d, unsigned requests, uint32_t *number, struct post **post);
struct post *post_of(uint32_t number);
void post_free(uint32_t number);
/* Posts of an endpoint or queue that ends: their events are told to nobody. */
void posts_of_endpoint_end(const struct ep *e);
void posts_of_queue_end(const struct cq *q);
/* A transaction without event; false as above. */
bool post_silent(struct descriptor *d, unsigned requests);
/* An event of the transaction: at its end what it had is free. */
void post_seen(struct post *p, uint64_t event);
/* A place for a transaction once more, when others are over. */
void post_again(struct post *p);

/* ---- messages: smsg.c --------------------------------------------------------------------------------------------- */

/* Its event came with a status that is not OK: it is sent again; false: it cannot be. */
bool smsg_again(uint32_t number, struct post *p, unsigned status);
void smsg_end(struct ep *e);
/* Slots that were released while nothing was left to tell the peer: it is told, as far as there is. */
void smsg_tell_late(void);

/* ---- datagrams: datagram.c ------------------------------------------------------------------------------------------ */

void datagram_end(struct ep *e);

/* ---- errors: error.c -------------------------------------------------------------------------------------------------- */

bool status_recoverable(unsigned status);

#endif
