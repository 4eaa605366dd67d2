// SPDX-License-Identifier: Apache-2.0
/*
 * ss_answer.h - ports and registers of what becomes of a node's own operations: acks and replies that come, and messages that have
 * left; the driver's RELEASE.
 */
#ifndef SS_ANSWER_H
#define SS_ANSWER_H

#include "seastar/portals/ss_work.h"

struct ss_answer_in {
    u1 turn;
    u1 left_turn;
    u1 expire_turn;
    u1 release_turn;
    struct ss_command release; /* until `released` */
    struct ss_scan scan;
    struct ss_ask ask; /* an ack or a reply; its fields stay for four clocks behind the decision */
    struct ss_left left; /* what has left, until the next turn */
    ss_place place;      /* that is free, for a reply in one packet */
    struct ss_cells cells;
    u1 event_room;
};

struct ss_answer_out {
    struct ss_work work;
    struct ss_event_part event;
    struct ss_decision decision;
    struct ss_begin begin;
    struct ss_unlink unlink; /* with `done` */
    struct ss_held held;
    struct ss_entry_push tell; /* for one clock */
    u1 frees_pending;
    ss_pending_index pending;
    u1 late;
    u1 released; /* the command, for one clock */
    u1 done;
};

enum ss_answer_state {
    SS_ANSWER_IDLE,
    SS_ANSWER_ASK, /* the second cell of the pending */
    SS_ANSWER_PENDING,
    SS_ANSWER_WHERE,
    SS_ANSWER_MD,
    SS_ANSWER_PARTS, /* what is left of the event */
    SS_ANSWER_DONE,
};

struct ss_answer {
    struct ss_answer_out out;

    enum ss_answer_state state;
    u1 wait;
    u1 left;     /* it is a message that has left, ... */
    u1 expires;  /* ... or a pending that may be too old, ... */
    u1 releases; /* ... or is no longer wanted */
    u2 part;
    ss_pending_index tag;
    ss_status status;
    struct ss_pending pending;
    u32 threshold;
    u1 tells;
    ss_queue_index queue;
};

HLS_RESET void ss_answer_reset(struct ss_answer *self);
HLS_MODULE void ss_answer(struct ss_answer *self, const struct ss_answer_in *in);

#endif
