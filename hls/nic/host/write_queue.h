// SPDX-License-Identifier: Apache-2.0
/*
 * write_queue.h - ports and registers of the queue in front of parb: writes in ordered modes, and a head alone for each event of one, which needs
 * no memory. Its front waits until the gets and atomic operations that were accepted before it are answered, and until all of it is here: what is
 * still to come shares its way with rat_net's other writes, which would wait for parb, and parb for it.
 */
#ifndef WRITE_QUEUE_H
#define WRITE_QUEUE_H

#include "nic/host/parb_queue.h"
#include "nic/host/write_lines.h"

#define WRITE_PACKETS (1 << (NIC_QUEUED_LOG2 - 1)) /* that wait here; room is for eight more */

struct write_queue_in {
    struct beat push; /* begun when room and room_packets were 1 */
    u1 pop;           /* out.front is taken, which goes */
    u1 quiet;         /* no queued write is under way in memory */
    struct order_counts counts;
};

struct write_queue_out {
    struct beat front; /* with out.head_goes for a head, it may be taken; not while out.drops */
    u1 may;            /* what a head waits for is answered ... */
    u1 whole;          /* ... and its packet is here to its tail: it may go */
    u1 drops;          /* the rest of a write whose head has a double-bit error comes */
    u1 room;
    u1 room_packets;
    u1 released;  /* for one clock: the next event in an ordered mode may be posted */
    u1 lost;      /* for one clock: the next queued write is not done, MEM_WRONG_BITS */
    u1 corrected; /* for one clock: a single-bit error in a word of the memory */
    u1 empty;     /* no head waits, nor the rest of a lost write */
};

struct write_queue {
    struct write_queue_out out;
    struct parb_queue queue;
    struct write_lines lines;
    write_lines_count whole; /* packets whose tail has come, and whose head has not left */
};

/* The front, as a port of parb has it: valid if it can go on its way now. */
static inline struct beat write_queue_front(const struct write_queue *self)
{
    struct beat beat = self->out.front;
    u1 write = !beat.tail && !beat.bad;

    beat.valid = beat.valid && !self->out.drops &&
                 (!beat.head || (write && self->out.may && self->out.whole));
    return beat;
}

HLS_RESET void write_queue_reset(struct write_queue *self);
HLS_MODULE void write_queue(struct write_queue *self, const struct write_queue_in *in);

#endif
