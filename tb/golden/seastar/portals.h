// SPDX-License-Identifier: Apache-2.0
/*
 * portals.h - what a put or get does at its target, as Portals has it: plain lists, a function for each rule. It knows no index, memory
 * or clock.
 */
#ifndef GOLDEN_PORTALS_H
#define GOLDEN_PORTALS_H

#include <stdbool.h>
#include <stdint.h>

enum { GOLDEN_PORTALS = 64, GOLDEN_LIST = 512, GOLDEN_NAMES = 512 };

#define GOLDEN_FOR_EVER UINT32_MAX /* a threshold that does not fall */

/* A memory descriptor. */
struct golden_md {
    uint64_t start, length, max_size, offset;
    uint32_t threshold;
    bool put, get, remote, truncate, no_ack, has_max, no_start, no_end; /* options */
    bool unlink; /* it ends when it becomes inactive */
    bool active;
    bool ended;       /* it takes nothing any more and goes with its last operation ... */
    bool with_entry;  /* ... and its entry with it */
    unsigned pending; /* operations that have begun */
};

/* An entry of a match list; wild: any node, pid, user, job. */
struct golden_me {
    uint64_t match, ignore;
    unsigned node, pid;
    uint32_t user, job;
    bool any_node, any_pid, any_user, any_job;
    bool unlink; /* it leaves its list when its descriptor ends */
    bool has_md;
    struct golden_md md; /* as it is made; from then on that of golden_portals counts */
    unsigned name;       /* the driver's index, for whoever compares */
};

struct golden_portals {
    unsigned pid;
    uint32_t user;
    struct golden_me list[GOLDEN_PORTALS][GOLDEN_LIST];
    unsigned entries[GOLDEN_PORTALS];
    struct golden_md md[GOLDEN_NAMES]; /* of each name */
};

/* A request as it comes: a put, or a get. */
struct golden_put {
    bool get, ack;
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
    bool acks;                /* an ack is sent behind its end */
};

/* Where an entry goes: to the front or to the end of its portal's list, before or behind another one. */
enum golden_place { GOLDEN_FIRST, GOLDEN_LAST, GOLDEN_BEFORE, GOLDEN_BEHIND };

/* False, and nothing is done, if the other one is not in this list. */
bool golden_insert(struct golden_portals *p, unsigned portal, const struct golden_me *me,
                   enum golden_place place, unsigned other);

/* To the front or to the end. */
void golden_attach(struct golden_portals *p, unsigned portal, const struct golden_me *me,
                   bool last);

/* Takes an entry out of its list; false if it is in none or has something pending. */
bool golden_unlink(struct golden_portals *p, unsigned portal, unsigned name);

/* The request begins: matched, and its descriptor changed. */
struct golden_outcome golden_put(struct golden_portals *p, const struct golden_put *put);

/* An operation of this name's descriptor has ended; returns whether the descriptor went with it. */
bool golden_end(struct golden_portals *p, unsigned name);

#endif
