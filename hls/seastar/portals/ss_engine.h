// SPDX-License-Identifier: Apache-2.0
/*
 * ss_engine.h - ports and registers of the engine: match lists, memory descriptors and events of a process, without its host.
 *
 * One program, one thing at a time: ends of messages, then headers, then commands. So a message is matched and its descriptor changed
 * before the next one is looked at.
 */
#ifndef SS_ENGINE_H
#define SS_ENGINE_H

#include "seastar/packet/ss_host.h"

#define SS_ENTRIES_LOG2 4 /* match entries, each with its descriptor */
#define SS_QUEUES_LOG2  2 /* event queues */
#define SS_ENTRIES      (1 << SS_ENTRIES_LOG2)
#define SS_QUEUES       (1 << SS_QUEUES_LOG2)
#define SS_FOR_EVER     ((u32) - 1) /* a threshold that does not fall */

/* Options of a descriptor, by bit. */
#define SS_MD_PUT       0
#define SS_MD_REMOTE    2 /* the initiator says the offset */
#define SS_MD_TRUNCATE  4
#define SS_MD_IOVEC     6
#define SS_MD_MAX_SIZE  7
#define SS_MD_START_OFF 9
#define SS_MD_END_OFF   10

#define SS_PUT_START 2 /* types of events */
#define SS_PUT_END   3

typedef uint(SS_ENTRIES_LOG2) ss_entry_index;
typedef uint(SS_QUEUES_LOG2) ss_queue_index;
typedef uint(SS_ENTRIES) ss_entry_set;

struct ss_me {
    u64 match, ignore;
    ss_node node;
    u16 pid;
    u32 user, job;
    u1 any_node, any_pid, any_user, any_job;
};

struct ss_md {
    u48 start;
    ss_length length, max_size, offset;
    u32 threshold;
    u11 options;
    u1 has_queue;
    ss_queue_index queue;
    u1 inactive;
};

struct ss_list_end {
    ss_entry_index first, last;
};

struct ss_queue {
    u48 base;
    u5 log2; /* of events */
};

/* What an END says of a message. */
struct ss_open {
    ss_entry_index entry;
    u6 portal;
    ss_node node;
    u16 pid;
    u32 user, job, threshold, link;
    u64 match, data;
    ss_length requested, manipulated, offset;
};

struct ss_engine_in {
    struct ss_command command;
    struct ss_ask ask;
    struct ss_end end;
    struct ss_index_write index;
    u1 write_room;
    u1 told;
};

struct ss_engine_out {
    u1 command_taken;
    struct ss_decision decision;
    u1 ended;
    struct ss_write write;
    struct ss_entry_push tell;
    u1 accelerated; /* the process is the engine's ... */
    u16 pid;        /* ... and has this pid */
    u1 refused;
};

enum ss_engine_state {
    SS_ENGINE_IDLE,
    SS_ENGINE_LIST,  /* the portal's list */
    SS_ENGINE_ENTRY, /* entry and descriptor are read */
    SS_ENGINE_MATCH,
    SS_ENGINE_COMMIT,
    SS_ENGINE_END,
    SS_ENGINE_EVENT, /* words of an event are written */
    SS_ENGINE_COMMAND,
    SS_ENGINE_TELL,
};

struct ss_engine {
    struct ss_engine_out out;

    enum ss_engine_state state;
    u4 rest; /* clocks in which what was answered still shows */

    /* The process. */
    u64 listed; /* portals that have a list */
    u1 open;
    u32 user, job;

    ss_entry_set used, with_md,
        with_next; /* entries: in a list, with a descriptor, not the last one */
    ss_entry_index at;
    struct ss_me me;
    struct ss_md md;
    ss_length manipulated, offset;
    u32 links;

    u4 record;
    u1 ends; /* the event is an END */
    ss_status status;
    struct ss_open now;
    u3 word;
    u32 written[SS_QUEUES], read[SS_QUEUES]; /* events of each queue */
    uint(SS_QUEUES) queues, lost;            /* that are there; an event has been dropped */
    u16 ticket;

    HLS_LUTRAM(1) struct ss_list_end lists[64];
    HLS_LUTRAM(1) struct ss_me entries[SS_ENTRIES];
    HLS_LUTRAM(1) struct ss_md descriptors[SS_ENTRIES];
    HLS_LUTRAM(1) ss_entry_index next[SS_ENTRIES];
    HLS_LUTRAM(1) struct ss_queue queue[SS_QUEUES];
    HLS_LUTRAM(1) struct ss_open opens[16];
};

HLS_RESET void ss_engine_reset(struct ss_engine *self);
HLS_MODULE void ss_engine(struct ss_engine *self, const struct ss_engine_in *in);

#endif
