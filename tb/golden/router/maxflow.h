// SPDX-License-Identifier: Apache-2.0
/*
 * maxflow.h - how much of a traffic matrix any router of this shape can carry.
 *
 * Between an input and an output there is one way through the matrix of tiles: the row bus of the input, the
 * column bus from (row of the input, column of the output) to the output, the output. Each carries one flit
 * per clock. Because ways are unique, a flow of one commodity over
 *
 *     source -offered-> input -1-> row bus -demand-> column bus -1-> output -1-> drain
 *
 * splits into exactly one flow per pair, and its maximum is the largest total that respects every capacity and
 * every demand: the bound. Sources that draw their packets at random cannot trade one destination for
 * another; for them the bound is the largest common fraction of all demands, which may be less. Both are
 * computed here: where they agree the bound is sharp, as it is in all patterns of test_router_throughput.
 */
#ifndef GOLDEN_MAXFLOW_H
#define GOLDEN_MAXFLOW_H

enum { FLOW_PORTS = 64 };

struct flow_matrix {
    unsigned rows, cols;                   /* port p is tile (p / cols, p % cols) */
    double demand[FLOW_PORTS][FLOW_PORTS]; /* flits per clock from an input to an output */
};

/* Flits per clock in all. */
double flow_maximum(const struct flow_matrix *m);

/* The same if every pair gets the same fraction of its demand. */
double flow_concurrent(const struct flow_matrix *m);

#endif
