// SPDX-License-Identifier: Apache-2.0
/*
 * attack.h - somebody who breaks a network and mends it, step by step, while a supervisor works on it.
 */
#ifndef SIM_TEST_ATTACK_H
#define SIM_TEST_ATTACK_H

#include "sim/failover/supervisor.h"
#include "tb/base/harness.h"

enum { ATTACK_STEP = 10, ATTACK_RETRY = 2, ATTACK_TRAIN = 1024 };

struct attack {
    struct topology *topology;
    struct tables tables;
    struct network *network;
    struct supervisor supervisor;
    bool good; /* the supervisor has not failed, and came to rest whenever it was waited for */
};

/* lcb: with link control blocks at both ends of each cable, of limits ATTACK_RETRY and ATTACK_TRAIN. */
void attack_begin(struct attack *a, const char *name, bool lcb, uint64_t seed);

void attack_step(struct attack *a);
void attack_steps(struct attack *a, uint64_t clocks);

/* Until the supervisor is in this state, if it comes there soon. */
void attack_until(struct attack *a, enum supervisor_state state);

/* Until it has come to rest: everybody knows of what broke, and no news is left to be looked at, through a round over all links. */
void attack_rest(struct attack *a);

/* The n-th cable of a router to another group, or in its group: its port; MACHINE_PORTS if there are no more. */
unsigned attack_cable(const struct attack *a, unsigned router, bool global, unsigned n);

/* Cuts all cables of a router to other groups. */
void attack_cut_off(struct attack *a, unsigned router);

void attack_replace(struct attack *a, unsigned router);

/* Nodes that the supervisor holds for down. */
unsigned attack_down(const struct attack *a);

/* What came of it. */
struct attack_verdict {
    bool rests;
    uint64_t accepted;    /* flits, at rest */
    uint64_t lost, later; /* packets; of them while the supervisor was at rest */
    uint64_t
        unaccounted;  /* packets lost nowhere, or flits that no link control block has reported */
    uint64_t wrong;   /* twice, elsewhere, changed */
    unsigned down;    /* nodes */
    unsigned unnamed; /* of them those whose router lives and is not named as given up */
    char why[600];    /* all of it, and what the supervisor and the network say */
};

/* Carries traffic, in which nothing may be lost any more, and closes the books. */
struct attack_verdict attack_verdict(struct attack *a);

/* It rests, carries traffic, if two nodes are left, and nothing is lost, down or wrong but what is named. */
bool attack_withstood(const struct attack *a, const struct attack_verdict *v);

void attack_end(struct attack *a);

/* All of these; tells whether as many nodes are down. */
void attack_judge(struct attack *a, unsigned nodes_down, const char *what);

#endif
