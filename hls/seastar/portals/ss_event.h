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

/* A part of an event, two of its words; the four parts come in four clocks, one behind the other. The last word is without its sequence. */
struct ss_event_part {
    u1 valid;
    u2 step;
    ss_queue_index queue;
    u64 word[2];
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
    struct ss_event_part part;
    struct ss_queue_set set;
    struct ss_index_write index;
    u1 write_room;
};

struct ss_event_out {
    struct ss_write write;
    u1 room;              /* two events would be taken */
    u1 idle;              /* none is here: a queue may be made */
    uint(SS_QUEUES) some; /* queues with events that have not been read */
    u1 lost;              /* an event was dropped */
};

struct ss_queue {
    u48 base;
    u5 log2;
    ss_slot slot;
};

#define SS_EVENTS_LOG2 2 /* events that wait here */

struct ss_event {
    struct ss_event_out out;

    uint(SS_EVENTS_LOG2 + 1) put,
        get;                       /* events: whose last part came, whose last word was written */
    u3 word;                       /* of the event in front */
    uint(SS_QUEUES) there, missed; /* queues that are; of which an event was dropped */
    struct ss_index_write index;   /* that was written */
    HLS_LUTRAM(1) uint(128) parts[1 << (SS_EVENTS_LOG2 + 2)];
    HLS_LUTRAM(1) ss_queue_index whose[1 << SS_EVENTS_LOG2];
    HLS_LUTRAM(2) struct ss_queue queues[SS_QUEUES];
    HLS_LUTRAM(2) u32 written[SS_QUEUES];
    HLS_LUTRAM(2) u32 read[SS_QUEUES];
};

HLS_RESET void ss_event_reset(struct ss_event *self);
HLS_MODULE void ss_event(struct ss_event *self, const struct ss_event_in *in);

#endif
