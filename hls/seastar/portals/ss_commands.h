// SPDX-License-Identifier: Apache-2.0
/*
 * ss_commands.h - ports and registers of what does the driver's local commands: a part for lists, one for descriptors and one for processes,
 * and behind them the registers of their accesses.
 */
#ifndef SS_COMMANDS_H
#define SS_COMMANDS_H

#include "seastar/portals/ss_descriptors.h"
#include "seastar/portals/ss_lists.h"
#include "seastar/portals/ss_processes.h"

struct ss_commands_in {
    u1 turn; /* for one clock */
    struct ss_command command;
    struct ss_cells cells;
    struct ss_held held;
    u1 event_idle;
    uint(SS_QUEUES) some;
    u1 told;
};

struct ss_commands_out {
    u1 taken; /* the command, for one clock: the turn is over, too */
    struct ss_work work;
    struct ss_queue_set set;
    struct ss_entry_push tell;
    struct ss_process process[SS_PROCESSES];
    u1 illegal;
};

struct ss_commands {
    struct ss_commands_out out;
    struct ss_lists lists;
    struct ss_descriptors descriptors;
    struct ss_processes processes;
};

HLS_RESET void ss_commands_reset(struct ss_commands *self);
HLS_MODULE void ss_commands(struct ss_commands *self, const struct ss_commands_in *in);

#endif
