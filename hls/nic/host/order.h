// SPDX-License-Identifier: Apache-2.0
/*
 * order.h - how many accesses to memory were accepted and are answered, kind by kind: what keeps accesses in order, and
 * STATUS.settled.
 *
 * Memory answers each kind in the order in which it was accepted, so two counts say all of it: an access that must come behind all earlier
 * ones of a kind takes their number with it (order_line.inc), and a settle waits until the numbers of its moment are reached.
 */
#ifndef ORDER_H
#define ORDER_H

#include "nic/packet/nic_types.h"

enum order_kind {
    ORDER_PUTS,    /* writes of other nodes ... */
    ORDER_QUEUED,  /* ... in ordered modes, which wait in a queue of parb */
    ORDER_READS,   /* of other nodes: answered when their data is here */
    ORDER_ATOMICS, /* operations of amo, which retires them in order */
    ORDER_LOCAL,   /* data of this node's gets, flags */
    ORDER_EVENTS,
    ORDER_LOCAL_READS, /* of block transfers: their data ... */
    ORDER_RINGS,
    ORDER_BACKS, /* ... and their descriptors, which are read and written back */
    ORDER_KINDS
};

/* Modulo twice what may be under way and be answered until a pointer of order_line.inc has seen it. */
#define ORDER_BITS 10
typedef uint(ORDER_BITS) order_number;
typedef uint(ORDER_KINDS) order_kinds; /* a bit per kind */

/* Accesses since the reset: those before what comes in this clock. */
struct order_counts {
    order_number accepted[ORDER_KINDS];
    order_number answered[ORDER_KINDS];
};

struct order_in {
    order_kinds accepted; /* in this clock, one of each kind at most */
    order_kinds answered;
    u1 settle;     /* CONTROL.settle is written */
    u1 net_marked; /* what rat_net had accepted when it saw mark has come here by now, with what comes in this clock ... */
    u1 local_marked; /* ... and what rat_local had */
};

struct order_out {
    struct order_counts counts;
    u1 mark;      /* to rat_net and rat_local, for one clock: a settle begins */
    u1 unsettled; /* something that was accepted before the last one is not answered */
};

struct order {
    struct order_out out;

    u1 again;   /* one was written before the last one was done: the next begins then */
    u1 marking; /* it has begun: the numbers to wait for are taken when both have marked */
    u1 net_marked, local_marked;
    order_kinds waits; /* kinds that have not reached their number */
    order_number marks[ORDER_KINDS];
};

/* So many were accepted before, and are answered. */
static inline u1 order_reached(order_number accepted, order_number answered)
{
    return !(u1)((order_number)(answered - accepted) >> (ORDER_BITS - 1));
}

/* What an access waits for: {waits, number}. */
typedef uint(ORDER_BITS + 1) order_mark;

static inline order_mark order_mark_of(u1 waits, order_number accepted)
{
    return (order_mark)(((order_mark)waits << ORDER_BITS) | (order_mark)accepted);
}

static inline u1 order_mark_reached(order_mark mark, order_number answered)
{
    return !(u1)(mark >> ORDER_BITS) || order_reached((order_number)mark, answered);
}

HLS_RESET void order_reset(struct order *self);
HLS_MODULE void order(struct order *self, const struct order_in *in);

#endif
