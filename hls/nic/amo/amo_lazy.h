// SPDX-License-Identifier: Apache-2.0
/*
 * amo_lazy.h - changes of variables that memory does not have yet: which entries have some, and when they are written.
 *
 * The change of a cached operation may stay in its entry, which is dirty then. It becomes due with the `lazy`-th change, when nobody has
 * changed the variable for `lazy` clocks, when another variable wants the entry, at a flush, when the NIC stops, and when something in an
 * ordered mode has to see it. From then on until all of it is in memory nothing more is kept back.
 */
#ifndef AMO_LAZY_H
#define AMO_LAZY_H

#include "nic/amo/amo_types.h"
#include "nic/host/order.h"

/*
 * Operations that may come while something in an ordered mode waits for dirty entries, at most: those that were under way, as many behind them,
 * and the queue. Numbers of order_lines.inc are compared modulo 2^ORDER_BITS.
 */
#define AMO_AHEAD (2 * AMO_UNDER_WAY + (1 << NIC_AMO_QUEUE_LOG2))
#if 2 * (2 << NIC_PUTS_LOG2) + (2 << NIC_AMO_QUEUE_LOG2) > 1 << ORDER_BITS
#error "config: more atomic operations at once than order.h can tell apart"
#endif

struct amo_lazy_in {
    nic_patience lazy; /* AMO_CONFIG.lazy */
    u1 flush;          /* CONTROL.flush */
    u1 stop;           /* the NIC drains, or is not enabled */

    /* An entry's variable is changed, or given to memory, or both; else the change is kept back. */
    u1 changes;
    u1 gives;
    amo_entry entry;
    amo_answers write; /* what the entry is given with: the number of that write */
    u1 fails;          /* a write of this entry has failed: it is free */
    amo_entry failed;
    amo_answers done; /* writes that memory has answered */

    amo_entries rests;  /* no operation of these is under way */
    amo_entries wanted; /* other variables want the entries of these */
    u1 op_waits; /* an operation in an ordered mode waits for dirty entries, or is under way */
    u1 ordered;  /* a put, get or event in an ordered mode is accepted */
    order_number accepted, retired; /* operations, before this clock */
};

struct amo_lazy_out {
    amo_entries dirty;
    amo_entries due; /* to be written */
    u1 through;      /* nothing is kept back */
    u1 offers;       /* this one, if it is due and at rest then */
    amo_entry first;
    order_number
        seen; /* operations that are retired, their changes in memory: ordered accesses go by that */
    u1 flushing; /* something that was dirty at a flush is not in memory */
};

struct amo_lazy {
    struct amo_lazy_out out;
    amo_entries touched; /* changed since the last end of a period */
    nic_patience left;   /* clocks of the period */
    u1 covers;           /* the last write that brought what was dirty is not answered, */
    amo_answers cover;   /* this one */
    u1 held;             /* an ordered access waits, ... */
    order_number target; /* ... for so many operations */
    HLS_LUTRAM(1) nic_patience together[AMO_ENTRIES]; /* changes since it is dirty */
};

HLS_RESET void amo_lazy_reset(struct amo_lazy *self);
HLS_MODULE void amo_lazy(struct amo_lazy *self, const struct amo_lazy_in *in);

#endif
