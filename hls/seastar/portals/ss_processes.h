// SPDX-License-Identifier: Apache-2.0
/*
 * ss_processes.h - ports and registers of processes: EQ, PROCESS, ACCESS; what each process has.
 */
#ifndef SS_PROCESSES_H
#define SS_PROCESSES_H

#include "seastar/portals/ss_local.h"

struct ss_processes_in {
    struct ss_local_in local;
    u1 event_idle;               /* no event is on its way to a queue */
    struct ss_held held;         /* of the engine */
    struct ss_local_count count; /* of other commands */
};

struct ss_processes_out {
    struct ss_work work;
    struct ss_local_end end;
    struct ss_queue_set set;
    struct ss_process process[SS_PROCESSES];
    uint(SS_PROCESSES) slots; /* that have a process */
};

enum ss_processes_state {
    SS_PROCESSES_IDLE,
    SS_PROCESSES_QUEUE,  /* waits until no event is on its way */
    SS_PROCESSES_ACCESS, /* the access entries of a process that begins or ends */
    SS_PROCESSES_OPEN,
};

struct ss_processes {
    struct ss_processes_out out;

    enum ss_processes_state state;
    u3 access;
    u16 entries[SS_PROCESSES];  /* entries and descriptors of each process */
    u16 pendings[SS_PROCESSES]; /* and its pendings */
};

HLS_RESET void ss_processes_reset(struct ss_processes *self);
HLS_MODULE void ss_processes(struct ss_processes *self, const struct ss_processes_in *in);

#endif
