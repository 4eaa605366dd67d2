// SPDX-License-Identifier: Apache-2.0
/*
 * channels.h - who waits for whom in a Blue Gene/L torus: the graph of its channels, and its cycles between rings.
 *
 * A packet in front of a dynamic VC FIFO, of an injection FIFO or of a bubble FIFO always asks for its escape too: so all that it must wait for is the
 * escape channel of its first hinted dimension, VC 2, or VC 3 if it is of high priority; at its destination the reception FIFO, which the host reads.
 * A ring is the escape channels of one VC and direction on one line. In a ring the bubble rule keeps a place free, whatever waits (held by the states
 * of rings, not here). What is left to show is that no ring waits for another one that waits for it.
 *
 * Packets are followed with any hints, not those of the shortest way alone, and through any dynamic VCs, so the graph holds whatever software does.
 */
#ifndef SIM_BGL_CHANNELS_H
#define SIM_BGL_CHANNELS_H

#include "sim/bgl/fast/shape.h"

/* The port of the escape that a packet with these hints asks for; from: the direction it came in, SHAPE_PORTS from injection. */
typedef unsigned channels_rule(unsigned hints, unsigned from);

/* The hardware's: the first of x, y, z. */
channels_rule channels_xyz;

struct channels {
    uint64_t channels;     /* FIFOs that a packet may wait in, reception aside */
    uint64_t dependencies; /* between them */
    uint64_t rings;
    uint64_t cycles;  /* strongly connected components of two or more rings */
    uint64_t largest; /* rings of the largest one */
    double bytes;
    char example[200]; /* a ring of a component, in words */
};

void channels_check(const struct shape *s, channels_rule *rule, struct channels *result);

#endif
