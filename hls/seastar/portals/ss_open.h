// SPDX-License-Identifier: Apache-2.0
/*
 * ss_open.h - ports and registers of the operations that are open: places, START and END of messages that come.
 *
 * A place keeps in the scratch memory what an END, an ack or a reply will say: cells 0 to 3 the words of its event, cell 4 {address 48, tag 16, and
 * what is known before the cells are read}. The operation of a record that goes to host memory leaves with it and comes back to another place.
 */
#ifndef SS_OPEN_H
#define SS_OPEN_H

#include "seastar/portals/ss_work.h"

struct ss_open_in {
    u1 turn; /* an operation has ended: */
    ss_place place;
    ss_status status;
    u1 owed_turn; /* the ack or reply of `owed_place` is being sent; */
    u1 freed;     /* ... of `freed_place` was sent, and needs it no more */
    ss_place freed_place;
    struct ss_begin begin[2]; /* of a request, of a reply; not both */
    u1 move_turn;             /* cells of a place leave, or come back: */
    struct ss_move move;      /* stays until the turn is over */
    struct ss_moved_cell cell_back;
    struct ss_ask ask;
    struct ss_cells cells;
};

struct ss_open_out {
    struct ss_work work;
    struct ss_event_part event;
    uint(SS_PLACES)
        busy;         /* operations that are open: a record whose place is busy is not used again */
    u2 room;          /* class c: a place is free for a message in one packet: */
    ss_place free[2]; /* this one */
    u1 owes;          /* an ack or reply is owed, */
    ss_place owed;    /* of this place */
    u1 done;
    u1 reads;                       /* the cells of an END still come: no other one ends */
    u1 writes;                      /* those of a START are still written */
    struct ss_moved_cell cell_gone; /* that leaves */
    u1 frees_pending;
    ss_pending_index pending;
    struct ss_unlink unlink; /* with `done` */
    struct ss_held held;
    struct ss_entry_push tell; /* the reply to a GET of the driver, for one clock */
};

/* What is known of an open operation before its cells are read. */
struct ss_kept {
    ss_entry_index at;
    ss_pending_index pending;
    u2 kind; /* type of event / 2 */
    u1 ack, generic;
};

struct ss_open {
    struct ss_open_out out;

    uint(SS_PLACES) owes;
    /* START: its parts, and the cells */
    u1 starts, answers; /* of the reply in begin[1] */
    u3 start;
    /* END */
    u1 ends;
    u4 end;
    ss_place place;
    ss_status status;
    struct ss_kept now;
    struct ss_md md;
    ss_length taken;
    u1 tells;
    /* cells that move */
    u1 moves;
    u3 move;
    HLS_LUTRAM(1) struct ss_kept kept[SS_PLACES];
};

HLS_RESET void ss_open_reset(struct ss_open *self);
HLS_MODULE void ss_open(struct ss_open *self, const struct ss_open_in *in);

#endif
