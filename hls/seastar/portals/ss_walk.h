// SPDX-License-Identifier: Apache-2.0
/*
 * ss_walk.h - ports and registers of the walk: a request at its target, from its header to the decision.
 */
#ifndef SS_WALK_H
#define SS_WALK_H

#include "seastar/portals/ss_work.h"

struct ss_walk_in {
    u1 turn;
    struct ss_ask ask; /* its fields stay for four clocks behind the decision */
    struct ss_process process[SS_PROCESSES];
    struct ss_cells cells;
    ss_place place; /* that is free, for a request in one packet */
    u32 link;
    u1 event_room;
};

struct ss_walk_out {
    struct ss_work work;
    struct ss_decision decision;
    struct ss_begin begin;
    u1 done; /* for one clock: the turn is over */
    u1 refused, poisoned;
};

enum ss_walk_state {
    SS_WALK_IDLE,
    SS_WALK_ASK_ACCESS,
    SS_WALK_LIST,
    SS_WALK_ACCESS,
    SS_WALK_ASK_MD, /* the descriptor of the entry that was asked for */
    SS_WALK_ENTRY,
    SS_WALK_ACCEPT,
    SS_WALK_COMMIT,
    SS_WALK_DETACH, /* its entry leaves the list, or loses its descriptor */
    SS_WALK_DONE,
};

struct ss_walk {
    struct ss_walk_out out;

    enum ss_walk_state state;
    u1 wait; /* one more clock until a cell is here */
    ss_slot slot;
    struct ss_list list;
    ss_entry_index at, prev_at;
    struct ss_me me, prev;
    u1 has_prev;
    struct ss_md md;
    ss_length manipulated, offset;
    u1 takes;
};

HLS_RESET void ss_walk_reset(struct ss_walk *self);
HLS_MODULE void ss_walk(struct ss_walk *self, const struct ss_walk_in *in);

#endif
