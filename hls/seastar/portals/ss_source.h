// SPDX-License-Identifier: Apache-2.0
/*
 * ss_source.h - ports and registers of what a node sends: PUT and GET of processes, SEND of the driver.
 */
#ifndef SS_SOURCE_H
#define SS_SOURCE_H

#include "seastar/portals/ss_work.h"

struct ss_source_in {
    u1 turn;
    u1 response; /* the command is of class 1 */
    struct ss_command
        command[2]; /* of class 0, of class 1; words stay for two clocks behind `taken` */
    struct ss_process process[SS_PROCESSES];
    ss_node node;
    ss_pending_index tag; /* a pending that is free */
    u32 link;
    u2 epoch;
    struct ss_cells cells;
    u1 event_room;
};

struct ss_source_out {
    struct ss_work work;
    struct ss_event_part event;
    struct ss_send_push send;
    struct ss_held held;
    struct ss_entry_push tell; /* for one clock */
    u2 taken;                  /* the command, for one clock */
    u1 takes_pending;          /* `tag`, for one clock */
    u1 illegal;
    u1 done;
};

enum ss_source_state {
    SS_SOURCE_IDLE,
    SS_SOURCE_ASK, /* the pending, behind descriptor and process */
    SS_SOURCE_MD,
    SS_SOURCE_LEAVE,
    SS_SOURCE_WHERE,
    SS_SOURCE_PARTS, /* what is left of the event */
    SS_SOURCE_GET,   /* a SEND of a GET */
    SS_SOURCE_DONE,
};

struct ss_source {
    struct ss_source_out out;

    enum ss_source_state state;
    u2 wait; /* clocks until a cell is here */
    u1 class;
    u2 part;
    struct ss_md md;
    u1 takes, admitted;
    u1 tells;
    u32 user, job;
    ss_pending_index tag;
    struct ss_pending pending;
};

HLS_RESET void ss_source_reset(struct ss_source *self);
HLS_MODULE void ss_source(struct ss_source *self, const struct ss_source_in *in);

#endif
