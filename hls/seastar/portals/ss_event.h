// SPDX-License-Identifier: Apache-2.0
/*
 * ss_event.h - ports and registers of the event queues: rings of 64-byte events in the memory of processes.
 *
 * The last eight bytes of an event complete it: {sequence 24, offset 40}, where sequence is its index + 1.
 */
#ifndef SS_EVENT_H
#define SS_EVENT_H

#include "seastar/packet/ss_host.h"
#include "seastar/packet/ss_tables.h"

/* An event, for one clock. */
struct ss_event_push {
    u1 valid;
    ss_queue_index queue;
    u64 word[8]; /* the last one without its sequence */
};

/* A queue is made or, with log2 0, freed: for one clock. */
struct ss_queue_set {
    u1 valid;
    ss_queue_index queue;
    ss_slot slot;
    u5 log2; /* of events */
    u48 base;
};

struct ss_event_in {
    struct ss_event_push push;
    struct ss_queue_set set;
    struct ss_index_write index;
    u1 write_room;
};

struct ss_event_out {
    struct ss_write write;
    u1 room;              /* an event, or a queue that is made, would be taken */
    uint(SS_QUEUES) some; /* queues with events that have not been read */
    u1 lost;              /* an event was dropped */
};

struct ss_queue {
    u48 base;
    u5 log2;
    ss_slot slot;
};

struct ss_event {
    struct ss_event_out out;

    u1 busy;
    ss_queue_index at;
    u64 words[8];
    u3 word;
    uint(SS_QUEUES) there, missed; /* queues that are; of which an event was dropped */
    struct ss_index_write index;   /* that was written */
    HLS_LUTRAM(2) struct ss_queue queues[SS_QUEUES];
    HLS_LUTRAM(2) u32 written[SS_QUEUES];
    HLS_LUTRAM(2) u32 read[SS_QUEUES];
};

HLS_RESET void ss_event_reset(struct ss_event *self);
HLS_MODULE void ss_event(struct ss_event *self, const struct ss_event_in *in);

#endif
