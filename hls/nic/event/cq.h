// SPDX-License-Identifier: Apache-2.0
/*
 * cq.h - completion queues: events into rings in host memory, read indices of processes, interrupts.
 *
 * A ring has 2^log2 entries of 8 bytes. Indices count events modulo 2^32; event i stands in entry i modulo 2^log2. A ring
 * with 2^log2 - 1 unread events is full: an event is dropped then, and the next one that fits has overrun = 1.
 *
 * Page of a queue, word 0: a write is the read index of the process; a read gives {enabled 1, overrun 1, written index 32}.
 * A new configuration of a queue makes both indices 0.
 *
 * Interrupts: bit `irq` of a queue is raised when an event makes its unread ones reach `threshold` (0 is 1), again each time
 * that a scan of all queues finds them so, and, once each IRQ_TIMER clocks (0: never), for any unread one.
 */
#ifndef CQ_H
#define CQ_H

#include "nic/regs/nic_map.h"
#include "nic/packet/nic_types.h"

/* Bits of out.count; the class of errors in brackets. */
enum cq_count {
    CQ_EVENTS = 0,   /* events written [INFORMATIONAL] */
    CQ_FULL = 1,     /* dropped: the ring is full [TRANSIENT] */
    CQ_DISABLED = 2, /* dropped: there is no such queue, or it is disabled [TRANSACTION] */
    CQ_DOMAIN = 3,   /* dropped: the queue belongs to another domain [TRANSACTION] */
    CQ_LOST =
        4, /* a double-bit error in the queue's words, or its ring cannot be written [CRITICAL] */
    CQ_NO_INDEX = 5,  /* read indices that are not between read and written [INFORMATIONAL] */
    CQ_CORRECTED = 6, /* a single-bit error in a queue's words [CORRECTABLE_MEMORY] */
    CQ_COUNTS = 7,
};

typedef uint(NIC_CQ_LOG2) cq_queue;

struct cq_event {
    u10 queue;
    nic_ptag ptag;
    u64 word;
};

#define LIST       cq_events
#define LIST_T     struct cq_event
#define LIST_LOG2  4
#define LIST_QUICK 1
#include "common/fifo/nic_list.inc"

/* Who posts events, each into a list of its own; the next one is a row more. */
enum cq_sources {
    CQ_SSID,
    CQ_NPT,
    CQ_RMT,
#if NIC_CE
    CQ_CE,
#endif
    CQ_SOURCES
};
typedef u2 cq_source;
typedef uint(CQ_SOURCES) cq_source_set; /* a bit each */

struct cq_in {
    struct nic_event event[CQ_SOURCES];
    struct page_access page; /* the next one only after the reply */
    struct mem_done done;
    u1 room_memory; /* parb */
    struct nic_write write;
    struct nic_wipe wipe;
    struct nic_config config; /* the window of physical addresses */
};

struct cq_out {
    u1 room[CQ_SOURCES]; /* for event: two more */
    struct beat memory;
    struct page_reply reply;
    u32 raised; /* for one clock: interrupt i */
    u1 idle;    /* no event is here */
    uint(CQ_COUNTS) count;
};

/* One at a time, in two clocks: words read; done. */
enum cq_kind { CQ_NOTHING, CQ_SET, CQ_EVENT, CQ_PAGE, CQ_SCAN };

struct cq_op {
    enum cq_kind kind;
    cq_queue queue;
    u1 exists;
};

/* A ring's address and context: {tc 4, mmu 1, address 48}. */
#define ECC      cq_ring_ecc
#define ECC_DATA 53
#define ECC_BITS 7
#include "common/ecc.inc"

/* {threshold 16, irq 5, ptag 8, log2 5, enable 1} */
#define ECC      cq_config_ecc
#define ECC_DATA 35
#define ECC_BITS 7
#include "common/ecc.inc"

#if NIC_CQ_LOG2 <= 6
#define CQ_WORDS HLS_LUTRAM(1)
#else
#define CQ_WORDS HLS_BRAM
#endif

/* Written by events, and of how many the ring is full; then read index. */
struct cq_written {
    u32 index;
    u1 overrun; /* events were dropped since the last one that was written */
};

/* What may raise an interrupt: an event that fits, or the scan of a queue that is enabled. */
struct cq_alarm {
    u1 fits;
    u1 scans;
    u1 timed;   /* the scan is for any unread event */
    u20 unread; /* before the event */
    u16 threshold;
    u5 irq;
};

struct cq {
    struct cq_out out;
    struct cq_events waiting[CQ_SOURCES];

    struct nic_write set;    /* a new configuration that waits for its turn */
    struct page_access page; /* what a process wants, the same */
    cq_source last;          /* whose event was taken last */
    cq_queue scan;           /* the queue that is looked at next */
    u1 timed;                /* this scan is for any unread event */
    u1 timeout;              /* the next one is */
    u32 timer;               /* IRQ_TIMER */
    u32 left;                /* clocks to its end */

    struct cq_op op;
    struct cq_event event;
    cq_ring_ecc_word ring;
    cq_config_ecc_word config;

    struct cq_alarm alarm; /* of the operation before */

    /* An event that is written: its head beat is next, then its data beat. */
    u1 head;
    u1 data;
    u48 base;
    u20 entry;
    mem_space space;
    u64 word;

    CQ_WORDS cq_ring_ecc_word rings[NIC_CQS];
    CQ_WORDS cq_config_ecc_word configs[NIC_CQS];
    HLS_LUTRAM(1) struct cq_written written[NIC_CQS];
    HLS_LUTRAM(1) u32 read[NIC_CQS];
};

HLS_RESET void cq_reset(struct cq *self);
HLS_MODULE void cq(struct cq *self, const struct cq_in *in);

#endif
