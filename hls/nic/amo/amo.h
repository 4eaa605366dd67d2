// SPDX-License-Identifier: Apache-2.0
/*
 * amo.h - ports and registers of atomic operations: a variable is read, changed and written, and nothing else that goes
 * through this NIC comes between. Variables stay here until their writes are done, those of cached operations for longer, their changes
 * too if the driver wants that (amo_lazy.h).
 */
#ifndef AMO_H
#define AMO_H

#include "nic/amo/amo_answer.h"
#include "nic/amo/amo_fp.h"
#include "nic/amo/amo_lazy.h"
#include "nic/amo/amo_lines.h"
#include "nic/amo/amo_queue.h"
#include "nic/amo/amo_retire.h"
#include "nic/amo/amo_types.h"
#include "nic/host/order.h"

#define AMO_WAITING  (5 << (NIC_AMO_QUEUE_LOG2 - 5)) /* operations in the queue, and a few more */
#define AMO_HOT_LOG2 10 /* clocks, up to twice, from a fetch until nobody goes on while it leaves */
#define AMO_VALUES   16 /* variables that came from memory and wait here */

/* Bits of out.count; class of each. */
enum amo_count {
    AMO_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    AMO_LOST,      /* two in a head or in an answer: it is not done, or not answered: CRITICAL */
    AMO_BUS,       /* answered with this status: TRANSACTION */
    AMO_DATA,
    AMO_UNWRITTEN, /* changes that were answered OK are not in memory, a write of them failed: CRITICAL */
    AMO_COUNTS
};

typedef uint(AMO_COUNTS) amo_counts;
/*
 * What of an entry a set knows: {space, upper bits of the address of its 8 bytes, half: 0 all of them, 2 the lower four bytes,
 * 3 the upper}. A half is an entry of its own, because its other half may be outside of every segment.
 */
#define AMO_TAG_BITS (5 + 45 - AMO_SETS_LOG2 + 2)
typedef uint(AMO_TAG_BITS) amo_tag;
typedef uint(AMO_WAYS *AMO_TAG_BITS) amo_tags;

typedef uint(2 + 64) amo_came; /* {enum mem_status, value} */

/* A write under way: {it brings what was dirty, no operation waits for it, number of the operation}. */
typedef uint(NIC_PUTS_LOG2 + 2) amo_write;

/* An operation. */
struct amo_op {
    u48 addr;
    mem_space space;
    u33 whom;
    u1 counted; /* END counts it, */
    u11 of;     /* of this transaction: {use 2, ssid 9} */
    u7 opcode;
    u1 fetch;
    u1 order; /* it begins when all puts and gets that came before it are answered */
    u1 lost;  /* its head has a double-bit error */
    u1 bad;   /* its operands have */
    amo_operation number;
    u64 a;
    u64 b;
};

#define AMO_OP_BITS (48 + 33 + 1 + 7 + 1 + 1 + 64 + 64 + 5 + 11 + NIC_PUTS_LOG2)
typedef uint(AMO_OP_BITS)
    amo_op_word; /* of an entry: {number, of, space, b, a, bad, fetch, opcode, counted, whom, addr} */

/* An entry whose operation can be done: its variable is there. */
struct amo_run {
    u1 valid;
    amo_entry entry;
};

struct amo_in {
    struct beat
        request; /* rat_net's: head as the memory port's, then operands {b, a}; begun when room was 1 */
    u1 room_word;      /* parb's: three words more */
    u1 fetch_taken;    /* parb took out.fetch in the clock before */
    u1 answer_taken;   /* npt took out.answer in the clock before */
    struct beat reply; /* axi_master's, of client AMO */
    struct mem_done done;
    struct order_counts counts; /* order's */
    u1 ordered;                 /* rat_net accepts something else in an ordered mode */
    struct nic_config config;
};

struct amo_out {
    u1 room;                /* for request, if `few` is 1, too */
    u1 few;                 /* no more operations wait than a settle may have to wait for */
    u1 room_reply;          /* axi_master may begin one */
    struct mem_fetch fetch; /* a variable that it wants */
    struct mem_word word;   /* a new value; its place is the entry */
    struct amo_answer answer;
    u1 retired; /* for one clock: the next operation, in the order in which they came, is in memory, kept back, or will never be there */
    order_number seen; /* operations that are retired and not kept back */
    u1 flushing;       /* a flush has still to write something */
    u1 idle;           /* everything is answered and written */
    amo_counts count;
};

struct amo {
    struct amo_out out;
    struct amo_queue queue;
    struct amo_lines lines;   /* operations that have not begun, and what they wait for */
    struct amo_retire retire; /* those that have, but are not retired */
    struct amo_fp fp;
    struct amo_answer_fifo answer;
    struct amo_lazy lazy; /* entries that are dirty */

    /* The operation that looks for its variable, and its head before the operands are there. */
    u1 has_head;
    beat_word head;
    u1 looks;
    struct amo_op op;
    amo_way turn; /* the way that is given up first */

    /* Entries are free, or one of these. */
    amo_entries fetching; /* the variable comes from memory */
    amo_entries busy;     /* its operation is being done */
    amo_entries kept;     /* the variable is here */
    amo_entries
        leaving; /* the last writes of what is no longer here are not done, or have not begun */
    amo_entries cached;  /* kept when its operation is done */
    amo_entries writing; /* a write of it is not done */
    amo_entries wide;    /* of eight bytes */
    amo_entries ordered; /* its operation is written behind those that came before it */
    amo_entries
        hot; /* it was fetched a short time ago: while it leaves the next operation may have it */
    amo_entries fresh; /* ... and stays so when the time is over */
    uint(AMO_HOT_LOG2) hot_clocks;

    /* Entries whose variable is read, in the order of reads; what came of the oldest ones. */
    amo_entry fetch_read, fetch_write;
    u4 value_read, value_write;
    u5 values;

    struct amo_run run;       /* its variable is here: next */
    struct amo_run adding[5]; /* in add and amo_fp, the last one comes out */
    struct amo_fp_in add;     /* a sum that begins */

    amo_answers written; /* writes so far ... */
    amo_answers done;    /* ... and those that are done */

    HLS_LUTRAM(1) amo_tags tags[AMO_SETS];
    HLS_LUTRAM(1) amo_op_word ops[AMO_ENTRIES];
    HLS_LUTRAM(1) u64 variables[AMO_ENTRIES];
    HLS_LUTRAM(1) amo_answers last[AMO_ENTRIES]; /* write of it */
    HLS_LUTRAM(1) amo_write writes[AMO_FLYING];  /* in their order */
    HLS_LUTRAM(1) amo_entry fetches[AMO_ENTRIES];
    HLS_LUTRAM(1) amo_came came[AMO_VALUES];
};

HLS_RESET void amo_reset(struct amo *self);
HLS_MODULE void amo(struct amo *self, const struct amo_in *in);

#endif
