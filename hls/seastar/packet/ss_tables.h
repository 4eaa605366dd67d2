// SPDX-License-Identifier: Apache-2.0
/*
 * ss_tables.h - the scratch memory: what stands where, and the words of match entries, memory descriptors, lists, access entries, processes
 * and pendings.
 *
 * Three banks of 2^SS_SCRATCH_LOG2 words of 128 bits. Banks 0 and 1 are used as a pair: their lower half has match entries, the upper half
 * memory descriptors; a descriptor of an entry has its index. Bank 2, in sixteenths of its words:
 *
 *     4-7   lists: 64 portals of each process      9      operations that are open, 8 words each
 *     8     access entries, 8 of each process,     10-11  operations under way
 *           and, in its upper half, processes      12-13  pendings, 2 words each      others: the driver's own
 */
#ifndef SS_TABLES_H
#define SS_TABLES_H

#include "seastar/packet/ss_message.h"

#define SS_CELL_BITS 128
typedef uint(SS_CELL_BITS) ss_cell;
typedef uint(SS_SCRATCH_LOG2) ss_scratch_index;

/* Two banks, read and written together. */
struct ss_pair_cell {
    ss_cell low, high;
};

/* An access of the driver, until `done`. */
struct ss_scratch_driver {
    u1 valid, write;
    u2 bank;
    ss_scratch_index at;
    ss_cell data;
};

#define SS_PROCESSES    (1 << SS_PROCESSES_LOG2)
#define SS_ENTRIES_LOG2 (SS_SCRATCH_LOG2 - 1)
#define SS_ENTRIES      (1 << SS_ENTRIES_LOG2)
#define SS_SIXTEENTH    (1 << (SS_SCRATCH_LOG2 - 4))
#define SS_AT_MD        SS_ENTRIES
#define SS_AT_LIST      (4 * SS_SIXTEENTH)
#define SS_AT_ACCESS    (8 * SS_SIXTEENTH)
#define SS_AT_PROCESS   (8 * SS_SIXTEENTH + SS_SIXTEENTH / 2)
#define SS_AT_OPEN      (10 * SS_SIXTEENTH)
#define SS_AT_PENDING   (12 * SS_SIXTEENTH)

#define SS_PLACES_LOG2 4 /* operations that are open */
#define SS_PLACES      (1 << SS_PLACES_LOG2)
#define SS_RECORDS_LOG2                                                                            \
    3 /* the first places are those of records, the last two of answers in one packet */
#define SS_RECORDS       (1 << SS_RECORDS_LOG2)
#define SS_PENDINGS_LOG2 6
#define SS_PENDINGS      (1 << SS_PENDINGS_LOG2)
#define SS_QUEUES_LOG2   5 /* event queues */
#define SS_QUEUES        (1 << SS_QUEUES_LOG2)

typedef uint(SS_PROCESSES_LOG2) ss_slot;
typedef uint(SS_ENTRIES_LOG2) ss_entry_index;
typedef uint(SS_PLACES_LOG2) ss_place;
typedef uint(SS_PENDINGS_LOG2) ss_pending_index;
typedef uint(SS_QUEUES_LOG2) ss_queue_index;

#define SS_FOR_EVER ((u32) - 1) /* a threshold that does not fall */

/* Options of a descriptor, by bit. */
#define SS_MD_PUT       0
#define SS_MD_GET       1
#define SS_MD_REMOTE    2 /* the initiator says the offset */
#define SS_MD_TRUNCATE  4
#define SS_MD_ACK_OFF   5
#define SS_MD_IOVEC     6
#define SS_MD_MAX_SIZE  7
#define SS_MD_START_OFF 9
#define SS_MD_END_OFF   10

/* Whom an entry admits: each exact or any. */
struct ss_who {
    ss_node node;
    u16 pid;
    u32 user, job;
    u1 any_node, any_pid, any_user, any_job;
};

struct ss_me {
    u64 match, ignore;
    struct ss_who who;
    ss_entry_index next;
    u1 has_next, has_md, unlink;
    u4 use;
    u1 valid;
};

struct ss_md {
    u48 start;
    ss_length length, max_size, offset;
    u32 threshold;
    ss_queue_index queue;
    u1 has_queue;
    u11 options;
    u18 pending; /* operations that are not at their end */
    ss_slot slot;
    u4 use;
    u1 unlink, of_me, inactive, valid;
    u1 ends, entry_ends; /* it is freed with its last operation, and its entry */
};

struct ss_list {
    ss_entry_index first, last;
    u1 some, refuses;
};

/* A put, until it has left and its ack is here; a get, until its reply is in memory. */
struct ss_pending {
    u16 md;
    u32 link;
    u16 pid;
    ss_node node;
    u4 op;
    u4 use;
    u2 epoch;
    u1 waits, in_reply; /* for the answer; it comes */
    u16 ticket;
    u6 portal;
    u1 leaving, wants_ack;
    u1 generic;
    u1 rests; /* it has timed out, and its tag is not used again before as long has passed */
    u48 addr;
    ss_length length, offset;
};

static inline ss_cell ss_who_cell(const struct ss_who *w)
{
    return (ss_cell)w->node | ((ss_cell)w->any_node << 15) | ((ss_cell)w->pid << 16) |
           ((ss_cell)w->any_pid << 32) | ((ss_cell)w->job << 33) | ((ss_cell)w->any_job << 65) |
           ((ss_cell)w->user << 66) | ((ss_cell)w->any_user << 98);
}

static inline struct ss_who ss_cell_who(ss_cell c)
{
    return (struct ss_who){.node = (ss_node)c,
                           .any_node = (u1)(c >> 15),
                           .pid = (u16)(c >> 16),
                           .any_pid = (u1)(c >> 32),
                           .job = (u32)(c >> 33),
                           .any_job = (u1)(c >> 65),
                           .user = (u32)(c >> 66),
                           .any_user = (u1)(c >> 98)};
}

static inline struct ss_pair_cell ss_me_cells(const struct ss_me *m)
{
    return (struct ss_pair_cell){.low = (ss_cell)m->match | ((ss_cell)m->ignore << 64),
                                 .high = ss_who_cell(&m->who) | ((ss_cell)m->next << 99) |
                                         ((ss_cell)m->has_next << 111) |
                                         ((ss_cell)m->has_md << 112) | ((ss_cell)m->unlink << 113) |
                                         ((ss_cell)m->use << 114) | ((ss_cell)m->valid << 118)};
}

static inline struct ss_me ss_cells_me(struct ss_pair_cell c)
{
    return (struct ss_me){.match = (u64)c.low,
                          .ignore = (u64)(c.low >> 64),
                          .who = ss_cell_who(c.high),
                          .next = (ss_entry_index)(c.high >> 99),
                          .has_next = (u1)(c.high >> 111),
                          .has_md = (u1)(c.high >> 112),
                          .unlink = (u1)(c.high >> 113),
                          .use = (u4)(c.high >> 114),
                          .valid = (u1)(c.high >> 118)};
}

static inline struct ss_pair_cell ss_md_cells(const struct ss_md *m)
{
    return (struct ss_pair_cell){
        .low = (ss_cell)m->start | ((ss_cell)m->length << 48) | ((ss_cell)m->max_size << 88),
        .high = (ss_cell)m->offset | ((ss_cell)m->threshold << 40) | ((ss_cell)m->queue << 72) |
                ((ss_cell)m->has_queue << 80) | ((ss_cell)m->options << 81) |
                ((ss_cell)m->pending << 92) | ((ss_cell)m->slot << 110) | ((ss_cell)m->use << 114) |
                ((ss_cell)m->unlink << 118) | ((ss_cell)m->of_me << 119) |
                ((ss_cell)m->inactive << 120) | ((ss_cell)m->valid << 121) |
                ((ss_cell)m->ends << 122) | ((ss_cell)m->entry_ends << 123)};
}

static inline struct ss_md ss_cells_md(struct ss_pair_cell c)
{
    return (struct ss_md){.start = (u48)c.low,
                          .length = (ss_length)(c.low >> 48),
                          .max_size = (ss_length)(c.low >> 88),
                          .offset = (ss_length)c.high,
                          .threshold = (u32)(c.high >> 40),
                          .queue = (ss_queue_index)(c.high >> 72),
                          .has_queue = (u1)(c.high >> 80),
                          .options = (u11)(c.high >> 81),
                          .pending = (u18)(c.high >> 92),
                          .slot = (ss_slot)(c.high >> 110),
                          .use = (u4)(c.high >> 114),
                          .unlink = (u1)(c.high >> 118),
                          .of_me = (u1)(c.high >> 119),
                          .inactive = (u1)(c.high >> 120),
                          .valid = (u1)(c.high >> 121),
                          .ends = (u1)(c.high >> 122),
                          .entry_ends = (u1)(c.high >> 123)};
}

static inline ss_cell ss_list_cell(const struct ss_list *l)
{
    return (ss_cell)l->first | ((ss_cell)l->last << 12) | ((ss_cell)l->some << 24) |
           ((ss_cell)l->refuses << 25);
}

static inline struct ss_list ss_cell_list(ss_cell c)
{
    return (struct ss_list){.first = (ss_entry_index)c,
                            .last = (ss_entry_index)(c >> 12),
                            .some = (u1)(c >> 24),
                            .refuses = (u1)(c >> 25)};
}

static inline ss_cell ss_pending_cell(const struct ss_pending *p)
{
    return (ss_cell)p->md | ((ss_cell)p->link << 16) | ((ss_cell)p->pid << 48) |
           ((ss_cell)p->node << 64) | ((ss_cell)p->op << 79) | ((ss_cell)p->use << 83) |
           ((ss_cell)p->epoch << 87) | ((ss_cell)p->waits << 89) | ((ss_cell)p->in_reply << 90) |
           ((ss_cell)p->ticket << 92) | ((ss_cell)p->portal << 108) | ((ss_cell)p->leaving << 114) |
           ((ss_cell)p->wants_ack << 115) | ((ss_cell)p->generic << 116) |
           ((ss_cell)p->rests << 117);
}

static inline ss_cell ss_pending_where(const struct ss_pending *p)
{
    return (ss_cell)p->addr | ((ss_cell)p->length << 48) | ((ss_cell)p->offset << 88);
}

static inline struct ss_pending ss_cells_pending(ss_cell c, ss_cell where)
{
    return (struct ss_pending){.md = (u16)c,
                               .link = (u32)(c >> 16),
                               .pid = (u16)(c >> 48),
                               .node = (ss_node)(c >> 64),
                               .op = (u4)(c >> 79),
                               .use = (u4)(c >> 83),
                               .epoch = (u2)(c >> 87),
                               .waits = (u1)(c >> 89),
                               .in_reply = (u1)(c >> 90),
                               .ticket = (u16)(c >> 92),
                               .portal = (u6)(c >> 108),
                               .leaving = (u1)(c >> 114),
                               .wants_ack = (u1)(c >> 115),
                               .generic = (u1)(c >> 116),
                               .rests = (u1)(c >> 117),
                               .addr = (u48)where,
                               .length = (ss_length)(where >> 48),
                               .offset = (ss_length)(where >> 88)};
}

#endif
