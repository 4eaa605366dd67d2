// SPDX-License-Identifier: Apache-2.0
/*
 * flows.h - who sends how much to whom, where that is a list.
 */
#ifndef SIM_FLOWS_H
#define SIM_FLOWS_H

#include "sim/net/topology.h"
#include "sim/base/program.h"
#include "sim/base/random.h"

/* Flows of one node have numbers in a row; NULL everywhere: there is no list. */
struct flows {
    unsigned *first; /* node n has those from first[n] on, up to before first[n + 1] */
    unsigned *to;    /* rising within a node */
    double *upto;    /* weights of its node's flows, summed up to and with this one */
    double *share;   /* [node]: what it sends, divided by what the busiest node sends */
};

/* Each node to one other: a circle through all, in an order that is drawn. */
struct flows flows_permuted(const struct topology *t, uint64_t seed);

/* Nodes as a box, as near to a cube as they can be: each to the six beside it, across the faces of the box too. */
struct flows flows_halo(const struct topology *t);

/*
 * Lines FROM TO, or FROM TO WEIGHT: weights are rates in any unit, bytes for instance. Flows that are named twice add up, those of weight 0
 * are none. Ends the program with one line if the file is no such list.
 */
struct flows flows_of_file(const char *path, const struct topology *t);

void flows_free(struct flows *f);

/* How many flows there are; 0 without a list. */
unsigned flows_count(const struct flows *f, const struct topology *t);

/* The number of a flow; flows_count() if there is none. */
unsigned flows_number(const struct flows *f, const struct topology *t, unsigned from, unsigned to);

/* A destination of a node that sends, drawn by weight. */
unsigned flows_draw(const struct flows *f, unsigned from, struct sim_random *r);

#endif
