// SPDX-License-Identifier: Apache-2.0
/*
 * portals.h - what a put does at its target, as Portals has it: plain lists, a function for each rule. It knows no index, memory or clock.
 */
#ifndef GOLDEN_PORTALS_H
#define GOLDEN_PORTALS_H

#include <stdbool.h>
#include <stdint.h>

enum { GOLDEN_PORTALS = 64, GOLDEN_LIST = 32 };

#define GOLDEN_FOR_EVER UINT32_MAX /* a threshold that does not fall */

/* A memory descriptor. */
struct golden_md {
    uint64_t start, length, max_size, offset;
    uint32_t threshold;
    bool put, remote, truncate, has_max, no_start, no_end; /* options */
    bool active;
};

/* An entry of a match list; wild: any node, pid, user, job. */
struct golden_me {
    uint64_t match, ignore;
    unsigned node, pid;
    uint32_t user, job;
    bool any_node, any_pid, any_user, any_job;
    bool has_md;
    struct golden_md md;
    unsigned name; /* the driver's index, for whoever compares */
};

struct golden_portals {
    unsigned pid;
    uint32_t user;
    struct golden_me list[GOLDEN_PORTALS][GOLDEN_LIST];
    unsigned entries[GOLDEN_PORTALS];
};

struct golden_put {
    unsigned pid, portal, access, from_node, from_pid;
    uint32_t user, job;
    uint64_t bits, requested, offset;
};

struct golden_outcome {
    bool taken;
    unsigned name;            /* of the entry */
    uint64_t at, manipulated; /* address; bytes */
    uint64_t offset;          /* in the descriptor */
    uint32_t threshold;       /* behind it */
    bool start, end;          /* events */
};

/* The entry goes to the front or to the end of its portal's list. */
void golden_attach(struct golden_portals *p, unsigned portal, const struct golden_me *me,
                   bool last);

struct golden_outcome golden_put(struct golden_portals *p, const struct golden_put *put);

#endif
