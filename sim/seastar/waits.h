// SPDX-License-Identifier: Apache-2.0
/*
 * waits.h - who waits for whom in a network of SeaStar chips: the graph of its channels, and its cycles.
 *
 * There are no row buffers: a channel is an input's queue of one VC, (router, port, VC), and a packet in it waits for the channel at the
 * other end of its output. Packets are followed from every node to every node by the tables. Of both classes, which are alike, one is
 * followed; what reaches its node waits for nothing here.
 */
#ifndef SIM_SEASTAR_WAITS_H
#define SIM_SEASTAR_WAITS_H

#include "sim/seastar/torus3.h"

struct waits {
    uint64_t channels, dependencies; /* that packets use */
    uint64_t cyclic, largest;        /* channels that lie on cycles; in the largest component */
    uint64_t cycles;                 /* strongly connected components that hold one */
    uint64_t lost;                   /* packets that do not arrive */
    uint64_t hops, most_hops;        /* of all pairs; of one */
    double bytes;
    char example[160];
};

void waits_check(const struct torus3 *t, struct waits *w);

#endif
