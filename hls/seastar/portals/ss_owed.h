// SPDX-License-Identifier: Apache-2.0
/*
 * ss_owed.h - ports and registers of acks and replies: what an open operation owes its initiator is sent, with source and target swapped.
 */
#ifndef SS_OWED_H
#define SS_OWED_H

#include "seastar/portals/ss_work.h"

struct ss_owed_in {
    u1 turn;
    ss_place owed; /* its place */
    struct ss_process process[SS_PROCESSES];
    ss_node node;
    struct ss_cells cells;
};

struct ss_owed_out {
    struct ss_work work;
    struct ss_send_push send;
    u1 done;
    u1 freed; /* an ack was sent: its place is free */
    ss_place freed_place;
};

struct ss_owed {
    struct ss_owed_out out;
    u1 works;
    u4 step;
    u1 gets;
    u16 pid;
};

HLS_RESET void ss_owed_reset(struct ss_owed *self);
HLS_MODULE void ss_owed(struct ss_owed *self, const struct ss_owed_in *in);

#endif
