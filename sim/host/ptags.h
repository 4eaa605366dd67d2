// SPDX-License-Identifier: Apache-2.0
/*
 * ptags.h - protection domains of a machine's jobs. A job has one ptag on all of its nodes; a late packet of it fits the segments
 * of whoever has the ptag next, so that goes to another job when two epochs have passed since nothing of it was in flight on the last
 * of its nodes.
 */
#ifndef SIM_HOST_PTAGS_H
#define SIM_HOST_PTAGS_H

#include <stdbool.h>
#include <stdint.h>

enum { PTAGS = 256, PTAGS_NONE = -2, PTAGS_RESTS = -3 };

struct ptags {
    struct {
        bool taken; /* by a job, or rests after it */
        uint64_t job;
        unsigned nodes;     /* that hold it: processes, or names that rest */
        uint64_t free_from; /* clock, once none does */
    } of[PTAGS];
};

void ptags_start(struct ptags *p);

/* The ptag of a job, from 1 on, its own or a new one; PTAGS_NONE, PTAGS_RESTS if all that have no job rest. */
int ptags_take(struct ptags *p, uint64_t job, uint64_t clock);

/* A node begins to hold it; holds it no more, and from that clock on another job may have it. */
void ptags_hold(struct ptags *p, unsigned ptag);
void ptags_let_go(struct ptags *p, unsigned ptag, uint64_t free_from);

#endif
