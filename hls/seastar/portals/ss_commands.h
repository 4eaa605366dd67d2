// SPDX-License-Identifier: Apache-2.0
/*
 * ss_commands.h - ports and registers of what does the driver's local commands: entries, descriptors, queues, processes.
 */
#ifndef SS_COMMANDS_H
#define SS_COMMANDS_H

#include "seastar/portals/ss_work.h"

#define SS_IN_USE    8 /* statuses of commands: operations are pending, entries are there; ... */
#define SS_NO_UPDATE 9 /* ... the queue that UPDATE tests has events */

struct ss_commands_in {
    struct ss_command command;
    u1 turn; /* of the engine: the scratch memory is free */
    struct ss_pair_cell pair;
    u1 pair_fatal;
    ss_cell third;
    struct ss_held held;
    u1 event_room;
    uint(SS_QUEUES) some;
    u1 told;
};

struct ss_commands_out {
    u1 taken; /* the command, for one clock: the turn is over, too */
    struct ss_pair_access pair;
    struct ss_third_access third;
    struct ss_queue_set set;
    struct ss_entry_push tell;
    struct ss_process process[SS_PROCESSES];
    uint(SS_PROCESSES) opened;
    u1 illegal;
};

enum ss_commands_state {
    SS_COMMANDS_IDLE,
    SS_COMMANDS_ENTRY, /* the entry and its list were read */
    SS_COMMANDS_LAST,  /* the last entry of the list was read */
    SS_COMMANDS_WRITE, /* the new entry is written */
    SS_COMMANDS_DESCRIPTOR,
    SS_COMMANDS_OF_ENTRY,
    SS_COMMANDS_UNLINK,
    SS_COMMANDS_UNLINK_ME,
    SS_COMMANDS_FIND, /* an entry of the list was read */
    SS_COMMANDS_REMOVE,
    SS_COMMANDS_FREE,
    SS_COMMANDS_FORGET, /* the entry of a descriptor that was freed was read */
    SS_COMMANDS_UPDATE,
    SS_COMMANDS_PROCESS,
};

struct ss_commands {
    struct ss_commands_out out;

    enum ss_commands_state state;
    u2 wait; /* clocks until a cell is here */
    ss_entry_index at;
    struct ss_list list;
    struct ss_me me;   /* the entry of the command, ... */
    struct ss_me prev; /* ... and the one before it */
    ss_entry_index prev_at;
    u1 has_prev;
    struct ss_md md;
    u3 access;
    u16 entries[SS_PROCESSES];  /* entries and descriptors of each process */
    u16 pendings[SS_PROCESSES]; /* and its pendings */
};

HLS_RESET void ss_commands_reset(struct ss_commands *self);
HLS_MODULE void ss_commands(struct ss_commands *self, const struct ss_commands_in *in);

#endif
