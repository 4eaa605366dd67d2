// SPDX-License-Identifier: Apache-2.0
/*
 * ss_engine.h - ports and registers of the engine: what becomes of messages of accelerated processes, without their host, and which
 * messages a node sends.
 *
 * One program, one thing at a time: ends of messages, headers, messages that have left, acks and replies that are owed, commands. So a
 * message is matched and its descriptor changed before the next one is looked at.
 */
#ifndef SS_ENGINE_H
#define SS_ENGINE_H

#include "seastar/portals/ss_commands.h"

/* Types of events. */
#define SS_EVENT_GET    0 /* START; END is one more */
#define SS_EVENT_PUT    2
#define SS_EVENT_REPLY  4
#define SS_EVENT_SEND   6
#define SS_EVENT_ACK    8
#define SS_EVENT_UNLINK 9

struct ss_engine_in {
    struct ss_command command[2]; /* SEND, PUT and GET: of class 0, of class 1 */
    u1 has_local;                 /* ss_commands has one to do */
    u1 local_done;
    struct ss_process process[SS_PROCESSES];
    struct ss_ask ask;
    struct ss_end end;
    struct ss_left left[2];
    u2 send_room; /* by class */
    ss_node node;
    u1 ready; /* the scratch memory */
    struct ss_pair_cell pair;
    u1 pair_fatal;
    ss_cell third;
    u1 third_fatal;
    u1 event_room;
    u1 told;
};

struct ss_engine_out {
    u2 command_taken;
    u1 turn; /* of ss_commands */
    struct ss_decision decision;
    u1 ended;
    u2 left_taken;
    struct ss_send_push send;
    struct ss_pair_access pair;
    struct ss_third_access third;
    struct ss_event_push event;
    struct ss_entry_push tell;
    struct ss_held held;
    uint(SS_PLACES)
        busy;      /* operations that are open: a record whose place is busy is not used again */
    u1 place_room; /* one is free for a request in one packet */
    u1 idle;
    struct ss_engine_events events;
};

enum ss_engine_state {
    SS_ENGINE_IDLE,
    SS_ENGINE_TURN, /* ss_commands works */
    /* a header that is matched */
    SS_ENGINE_ACCESS,
    SS_ENGINE_LIST,
    SS_ENGINE_ENTRY,
    SS_ENGINE_ACCEPT,
    SS_ENGINE_COMMIT,
    SS_ENGINE_DETACH, /* its entry leaves the list, or loses its descriptor */
    SS_ENGINE_START,
    SS_ENGINE_SAVE,
    /* the end of what is open */
    SS_ENGINE_LOAD,
    SS_ENGINE_END,
    SS_ENGINE_OWES,
    SS_ENGINE_UNLINK, /* a descriptor is freed, ... */
    SS_ENGINE_FREE,   /* ... and what of its entry was read */
    /* acks and replies */
    SS_ENGINE_ANSWER,
    SS_ENGINE_ACK,
    SS_ENGINE_REPLY,
    /* what is sent */
    SS_ENGINE_SOURCE,
    SS_ENGINE_LEAVE,
    SS_ENGINE_PENDING,
    SS_ENGINE_SEND_GET,
    SS_ENGINE_LEFT,
    SS_ENGINE_LEFT_MD,
};

/* What an event says, and what else its operation has to remember. */
struct ss_image {
    u64 word[8]; /* of the event, without its sequence */
    u1 ack;      /* an ack is owed when all is in memory */
    u1 generic;
    u2 kind; /* SS_PUT, ... less one */
    u16 tag;
    ss_pending_index pending;
    u16 ticket;
    u48 addr; /* data of the reply */
};

struct ss_engine {
    struct ss_engine_out out;

    enum ss_engine_state state;
    u2 wait;   /* clocks until a cell is here */
    u4 served; /* things done since the last command */

    ss_slot slot;
    u1 admitted;
    struct ss_list list;
    ss_entry_index at, prev_at;
    struct ss_me me, prev;
    u1 has_prev;
    struct ss_md md;
    ss_length manipulated, offset;
    u1 takes;
    u32 links;

    ss_place place;
    u3 step; /* of loading and saving */
    u1 loads_owed;
    ss_status status;
    struct ss_image now;
    uint(SS_PLACES) owes; /* places whose ack or reply is to be sent */

    ss_pending_index tag;
    struct ss_pending pending;
    uint(SS_PENDINGS) pendings; /* that are not free */
    u32 user, job;
};

HLS_RESET void ss_engine_reset(struct ss_engine *self);
HLS_MODULE void ss_engine(struct ss_engine *self, const struct ss_engine_in *in);

#endif
