// SPDX-License-Identifier: Apache-2.0
/*
 * ss_work.h - what the parts of the engine have in common: turns, accesses to the scratch memory, events in four parts, an operation that
 * begins.
 *
 * A part works while it has the turn, so one thing is done at a time. A cell that is asked for in one clock is here three clocks later. What a part does not use is 0.
 */
#ifndef SS_WORK_H
#define SS_WORK_H

#include "seastar/packet/ss_host.h"
#include "seastar/portals/ss_event.h"
#include "seastar/portals/ss_scratch.h"

/* Types of events. */
#define SS_EVENT_GET    0 /* START; END is one more */
#define SS_EVENT_PUT    2
#define SS_EVENT_REPLY  4
#define SS_EVENT_SEND   6
#define SS_EVENT_ACK    8
#define SS_EVENT_UNLINK 9

/* Whose turn it is. */
enum ss_turn {
    SS_TURN_NONE,
    SS_TURN_COMMANDS,
    SS_TURN_WALK,
    SS_TURN_ANSWER,
    SS_TURN_LEFT,
    SS_TURN_END,
    SS_TURN_OWED,
    SS_TURN_SOURCE,
    SS_TURN_FREE,
    SS_TURN_MOVE,    /* cells of an open operation go to host memory, or come back */
    SS_TURN_RELEASE, /* a pending whose answer is no longer wanted */
    SS_TURN_EXPIRE,  /* a pending is looked at whether it is too old */
};

/* Cells that were asked for. */
struct ss_cells {
    struct ss_pair_cell pair;
    u1 pair_fatal;
    ss_cell third;
    u1 third_fatal;
};

/* A pending that is looked at, and the epoch: it counts the times in which all have been. */
struct ss_scan {
    ss_pending_index pending;
    u2 epoch;
};

/* Accesses of a part. */
struct ss_work {
    struct ss_pair_access pair;
    struct ss_third_access third;
};

/* The engine counts what a process has: for one clock. */
struct ss_held {
    ss_slot slot;
    u2 less; /* entries and descriptors that were freed */
    u1 pending_more, pending_less;
};

/* A descriptor whose last operation has ended: it is freed. */
struct ss_unlink {
    u1 valid;
    ss_entry_index at;
    u32 link;
};

/* An operation that begins at its target, or a reply at its initiator, for one clock; all but `valid` stay until the next one. What else
 * its events say is in the header that asks. */
struct ss_begin {
    u1 valid;
    ss_place place;
    u4 type; /* SS_EVENT_GET, _PUT, _REPLY */
    ss_status status;
    ss_entry_index at; /* descriptor */
    u4 use;
    u32 link;
    u32 threshold;
    ss_length requested, manipulated, offset;
    u48 addr;
    u1 ack;     /* an ack is owed when all is in memory */
    u1 generic; /* the reply to a GET of the driver: no descriptor, no events */
    ss_pending_index pending;
    u1 tells; /* START goes to this queue */
    ss_queue_index queue;
};

static inline void work_rest(struct ss_work *w)
{
    *w = (struct ss_work){};
}

static inline void work_read_entry(struct ss_work *w, ss_entry_index at)
{
    w->pair.read = 1;
    w->pair.read_at = (ss_scratch_index)at;
}

static inline void work_read_md(struct ss_work *w, ss_entry_index at)
{
    w->pair.read = 1;
    w->pair.read_at = (ss_scratch_index)(SS_AT_MD | (ss_scratch_index)at);
}

static inline void work_read_third(struct ss_work *w, ss_scratch_index at)
{
    w->third.read = 1;
    w->third.read_at = at;
}

static inline void work_write_entry(struct ss_work *w, ss_entry_index at, struct ss_me me)
{
    w->pair.write = 1;
    w->pair.write_at = (ss_scratch_index)at;
    w->pair.data = ss_me_cells(&me);
}

static inline void work_write_md(struct ss_work *w, ss_entry_index at, struct ss_md md)
{
    w->pair.write = 1;
    w->pair.write_at = (ss_scratch_index)(SS_AT_MD | (ss_scratch_index)at);
    w->pair.data = ss_md_cells(&md);
}

static inline void work_write_third(struct ss_work *w, ss_scratch_index at, ss_cell data)
{
    w->third.write = 1;
    w->third.write_at = at;
    w->third.data = data;
}

static inline ss_scratch_index pending_at(ss_pending_index p, u1 second)
{
    return (ss_scratch_index)(SS_AT_PENDING | ((ss_scratch_index)p << 1) |
                              (ss_scratch_index)second);
}

static inline ss_scratch_index open_at(ss_place place, u3 cell)
{
    return (ss_scratch_index)(SS_AT_OPEN | ((ss_scratch_index)place << 3) | (ss_scratch_index)cell);
}

/* A pending is free: its index comes again with another use. */
static inline ss_cell pending_freed(u4 use)
{
    struct ss_pending none = {.use = (u4)(use + 1)};

    return ss_pending_cell(&none);
}

static inline u1 md_option(const struct ss_md *md, int bit)
{
    return (u1)(md->options >> bit);
}

/* Whether the descriptor has a queue for an event that option `off` forbids. */
static inline u1 md_tells(const struct ss_md *md, int off)
{
    return md->has_queue && !md_option(md, off);
}

static inline u64 event_first(u4 type, ss_status status, u6 portal, u1 unlinked, u16 md, u32 link)
{
    return (u64)type | ((u64)status << 4) | ((u64)portal << 8) | ((u64)unlinked << 15) |
           ((u64)md << 16) | ((u64)link << 32);
}

/* Part `step` of an event: words 2 step and 2 step + 1. */
static inline struct ss_event_part event_part(u1 valid, ss_queue_index queue, u2 step, u64 low,
                                              u64 high)
{
    return (struct ss_event_part){
        .valid = valid, .step = step, .queue = queue, .word = {low, high}};
}

#endif
