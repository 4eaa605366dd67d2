// SPDX-License-Identifier: Apache-2.0
/*
 * ss_turns.h - ports and registers of what gives turns to the parts of the engine: one thing at a time.
 */
#ifndef SS_TURNS_H
#define SS_TURNS_H

#include "seastar/portals/ss_work.h"

struct ss_turns_in {
    u1 ready;                     /* the scratch memory */
    u1 has_local;                 /* a local command is to be done, ... */
    u1 releases;                  /* ... a RELEASE */
    u2 commands;                  /* SEND, PUT, GET: of class 0, of class 1 */
    u2 send_room;                 /* by class */
    u1 ask, ask_class, ask_needs; /* a header asks; it needs a place */
    struct ss_end end;
    struct ss_left left[2];
    u2 place_room; /* by class */
    u1 owes, reads, writes;
    u1 moves; /* cells of a place are to be moved */
    u1 event_room;
    u1 quiet;                /* nothing is open, no event waits */
    u1 done;                 /* the turn is over; */
    struct ss_unlink ending; /* a descriptor is freed next */
    u1 takes_pending;
    u2 frees; /* a pending is freed: of the one, of the other */
    ss_pending_index freed[2];
    u32 get_timeout;              /* clocks in which each pending is looked at once; 0: never */
    struct ss_entry_push says[3]; /* for one clock */
    u1 told;
};

struct ss_turns_out {
    enum ss_turn turn;
    u1 first;    /* with the first clock of a turn */
    u1 response; /* the command is of class 1 */
    u1 ended;
    u2 left_taken;
    struct ss_left gone; /* what has left */
    ss_place place;      /* of what has ended */
    ss_status status;
    struct ss_unlink unlink;
    u32 link; /* of an operation that begins */
    struct ss_scan scan;
    ss_pending_index tag; /* a free pending */
    struct ss_entry_push tell;
    u1 idle;
};

struct ss_turns {
    struct ss_turns_out out;
    u4 served;                  /* things done since the last command */
    uint(SS_PENDINGS) pendings; /* that are not free */
    u26 until;                  /* clocks until the next pending is looked at */
    u1 due;                     /* it is to be looked at */
};

HLS_RESET void ss_turns_reset(struct ss_turns *self);
HLS_MODULE void ss_turns(struct ss_turns *self, const struct ss_turns_in *in);

#endif
