// SPDX-License-Identifier: Apache-2.0
/*
 * driver.h - what a kernel does for the processes of a node: domains, descriptors, memory handles, queues, a node's address space,
 * block transfers, and the end of a process, by the rules of hls/nic/regs/README.md.
 *
 * A NIC is known by its registers alone: sizes stand in its register ID. Nothing here is safe for threads; a driver is one thread's.
 */
#ifndef SIM_HOST_DRIVER_H
#define SIM_HOST_DRIVER_H

#include "sim/host/names.h"
#include "sim/host/nic_host.h"
#include "sim/host/ptags.h"
#include "sim/host/spans.h"

enum drv_result {
    DRV_OK,
    DRV_FULL,    /* all are in use, or a limit of the whole NIC is reached */
    DRV_RESTS,   /* there will be one when what the last owner asked for is answered: drv_rest */
    DRV_WRONG,   /* no such handle, not this process's, or outside of its memory */
    DRV_REFUSED, /* the NIC did not take the register */
    DRV_STUCK,   /* the NIC does not become ready, settled or drained */
    DRV_MEMORY   /* the driver has none */
};

struct drv_config {
    uint32_t node;                 /* {global, local, sub} */
    uint64_t epoch;                /* clocks of ORB_EPOCH */
    uint64_t memory, memory_bytes; /* host memory that NIC and processes may have */
    unsigned window_log2;          /* bytes of a put or get window */
    struct ptags *ptags;           /* of all nodes of the machine */
};

struct drv_descriptor {
    unsigned transactions; /* in flight, at most */
    unsigned requests;     /* outstanding, at most */
    bool flags;            /* CLOSE may write a flag */
    unsigned channels; /* of block transfers, a bit each, where the process may launch by itself */
    bool is_virtual;   /* PEs are entries of the job's nodes: */
    unsigned nodes;    /* first entry (drv_nodes) */
    unsigned pes;      /* and how many PEs there are */
    unsigned granularity; /* log2 of the PEs of an entry */
};

struct drv_pages; /* driver_pages.h */

struct drv_segment {
    uint64_t place, bytes;         /* within one span of the process; */
    const struct drv_pages *pages; /* or, if this is not null, addresses of that space */
    bool read, write, atomic;
    bool events;    /* messages and events of others may come, */
    unsigned queue; /* to this queue */
};

struct drv_queue {
    uint64_t place;     /* of its ring, a multiple of 64; its owner has zeroed it */
    unsigned log2;      /* of its events, 6 to 20 */
    unsigned irq;       /* 0 to 31 */
    unsigned threshold; /* events that raise it */
};

/* A ring of block transfers, in memory of the driver. */
struct drv_ring {
    unsigned log2;         /* of its descriptors, 0 to 10 */
    unsigned transactions; /* in flight, 1 to 16: they count beside those of descriptors */
    bool
        launches; /* processes may launch there (struct drv_descriptor): half of the channel is kept for them */
    uint64_t place; /* for the NIC, 64 bytes each (drv_kernel_memory); */
    void *memory;   /* and where the driver reaches it, aligned to 8 bytes */
};

/* A block transfer of a process: one put or get, or a message. */
struct drv_transfer {
    bool get; /* offset and bytes are multiples of 4 */
    bool
        send; /* to a buffer that its receiver has posted (driver_posts.h) in channel mdh; 0 bytes may be sent */
    bool has_word; /* a message brings the word `target` */
    bool fence;    /* it begins when all earlier ones of the channel are over */
    unsigned mode; /* of routing, 0 to 6 */
    uint32_t pe;
    unsigned mdh; /* there */
    uint64_t offset;
    unsigned local_mdh;
    uint64_t local, bytes; /* within that handle; 1 to 2^32 */
    bool is_virtual;       /* as of struct drv_descriptor */
    unsigned nodes, pes, granularity;
    bool local_event, global_event; /* to this queue of the process, with these 56 bits: */
    unsigned queue;
    uint64_t event;
    bool target_event; /* to the queue of the remote handle: */
    uint64_t target;
    uint64_t tag; /* for struct drv_over */
};

/* A transfer that is over. */
struct drv_over {
    struct drv_process *process;
    uint64_t tag;
    unsigned
        status; /* as that of its event: 0 OK, 13 if its descriptor could not be read, 8 if the channel ended before it began */
};

struct drv;
struct drv_process;

const char *drv_says(enum drv_result result);

/* A NIC that has been reset: waits until it is ready, configures and enables it. */
enum drv_result drv_start(struct drv **d, const struct nic_host *host,
                          const struct drv_config *config);
/* The NIC is stopped and drained; all that the driver has is freed, processes too. */
enum drv_result drv_stop(struct drv *d);

/*
 * Atomic operations of all processes at this node's memory: how sums of floating point are rounded (0 nearest, 1 up, 2 down, 3 to zero), and
 * how many changes of a variable by cached operations may be written together, up to 65,535; 0: each at once, as it is in the beginning. Then an
 * operation may be answered before memory has its change, which comes `together` to twice as many clocks after the last one at the latest, and
 * when the handle ends. An access in an ordered mode sees it.
 */
enum drv_result drv_variables(struct drv *d, unsigned rounding, unsigned together);

/* A process of a job on this node. */
enum drv_result drv_process(struct drv *d, uint64_t job, struct drv_process **process);
unsigned drv_ptag(const struct drv_process *p);

/*
 * Its end, however it comes: descriptors, handles and queues are taken away in the order of the rules, and its memory belongs to
 * the node again. What memory accesses still come meanwhile meet spans that are dead. The names rest.
 */
enum drv_result drv_process_end(struct drv_process *p);

enum drv_result drv_descriptor(struct drv_process *p, const struct drv_descriptor *want,
                               unsigned *descriptor);
/* One that may join a collective engine (driver_engines.h): DRV_WRONG. */
enum drv_result drv_descriptor_end(struct drv_process *p, unsigned descriptor);

/* Memory of the process: a span of the node's space for `bytes` at `address` there. */
enum drv_result drv_memory(struct drv_process *p, uint64_t address, uint64_t bytes,
                           uint64_t *place);
/* False handles and queues in it, or pages that are mapped: DRV_WRONG. */
enum drv_result drv_memory_end(struct drv_process *p, uint64_t place);
/* Whose memory an access of the NIC is, or null: then the NIC must not touch it. */
const struct span *drv_place(const struct drv *d, uint64_t from, uint64_t bytes);

/* A memory handle; wanted: this one, or NAMES_ANY. */
enum drv_result drv_segment(struct drv_process *p, int wanted, const struct drv_segment *want,
                            unsigned *mdh);
enum drv_result drv_segment_end(struct drv_process *p, unsigned mdh);
/* Place and length of a handle of the process. */
enum drv_result drv_segment_place(const struct drv_process *p, unsigned mdh, uint64_t *place,
                                  uint64_t *bytes);

/* A queue that ends before handles that name it keeps its name until they end. */
enum drv_result drv_queue(struct drv_process *p, int wanted, const struct drv_queue *want,
                          unsigned *queue);
enum drv_result drv_queue_end(struct drv_process *p, unsigned queue);

/* Nodes of a job, for virtual PEs: entries of the NTT in a row, the first of them in *base. */
enum drv_result drv_nodes(struct drv_process *p, const uint32_t *node, unsigned count,
                          unsigned *base);

/*
 * Memory of the driver itself: a span whose owner is the driver (drv_place). It ends with the ring in it, or with the driver.
 */
enum drv_result drv_kernel_memory(struct drv *d, uint64_t bytes, uint64_t *place);

/*
 * A channel gets a ring. All processes of the node may post there; a channel works on its transfers in the order of posts, without an order of
 * their ends. Channels take turns packet by packet.
 */
enum drv_result drv_ring(struct drv *d, unsigned channel, const struct drv_ring *want);
/* Waits for transfers that have begun; those that have not are over with status 8. */
enum drv_result drv_ring_end(struct drv *d, unsigned channel);

/*
 * Posts a transfer. DRV_FULL: the ring is, until transfers are over and drv_over has said so. A put's memory must stay as it is, and a get's
 * is not complete, until the transfer is over.
 */
enum drv_result drv_post(struct drv_process *p, unsigned channel, const struct drv_transfer *t);

/*
 * The next transfer that is over, of processes that have not ended; false: none. Each is reported once; those of a channel in the order
 * of posts. A channel that could not read a descriptor is started again here: what was posted behind that one is over with status 13.
 */
bool drv_over(struct drv *d, struct drv_over *over);

/* Names that are in use or rest, of how many. */
struct drv_use {
    unsigned segments, segments_most, queues, queues_most, descriptors, descriptors_most;
};
struct drv_use drv_use(const struct drv *d);

/* Names whose owners have nothing in flight any more are free again; how many still rest. */
unsigned drv_rest(struct drv *d);

/* Where a process's stores go: a descriptor's page and windows, a queue's page. */
uint64_t drv_page(const struct drv *d, unsigned descriptor);
uint64_t drv_put_window(const struct drv *d, unsigned descriptor);
uint64_t drv_get_window(const struct drv *d, unsigned descriptor);
uint64_t drv_queue_page(const struct drv *d, unsigned queue);

#endif
