// SPDX-License-Identifier: Apache-2.0
/*
 * deadlock.h - the channel dependency graph of a network, from its real tables and VC maps, and its cycles.
 *
 * Channels are the queues in which a packet may wait for another queue:
 *
 *     input queue   (router, port, VC)           with the staging behind it, which goes by the VC in, and the column
 *                                                buffers before the link, which lead to this queue alone
 *     row buffer    (router, port, column, VC)   of one input port; FIFO of packets for all rows of that column
 *                                                that leave with that VC
 *
 * Each is a FIFO, so a packet waits for whatever those before it may wait for. Dependencies: input queue to
 * the row buffers that a packet in it may choose, row buffer to the input queues behind the ports of its column for
 * which packets in it may be. Only states are counted that a packet can reach from where it was injected. What a
 * processor takes waits for nothing.
 *
 * route chooses once, when a packet reaches the front of its input queue, and never revises that. So no
 * packet may wait for "this queue or an escape" (Duato's condition), whatever the tables offer: every cycle counts.
 */
#ifndef SIM_DEADLOCK_H
#define SIM_DEADLOCK_H

#include "sim/net/tables.h"

struct deadlock {
    uint64_t channels;     /* that a packet may occupy */
    uint64_t dependencies; /* between them */
    uint64_t cycles;       /* strongly connected components that hold a cycle */
    uint64_t largest;      /* channels of the largest one */
    double bytes;          /* memory that the check took at most */
    unsigned groups;       /* values of `global` that were tried as destination */
    char example[400];     /* a shortest cycle through one of them, in words */
};

/*
 * The graph of packets to all destinations, or (groups != 0) to those of so many values of `global`, spread
 * evenly. False, with one line in error, if a packet finds no route.
 */
bool deadlock_check(const struct tables *tables, unsigned groups, struct deadlock *result,
                    char error[TABLES_ERROR]);

/* Which packets there are. */
enum deadlock_heads {
    HEADS_SENT, /* those that processors send */
    HEADS_ANY /* and at each port in use one with any destination, VC and phase: a bit error made its head */
};

/*
 * The same by so many threads, with the same result. With HEADS_ANY a packet without a route is dropped, and that is all.
 * Destinations are those of nodes: what another name finds in the tables, part by part, one of these finds, too. The topology's functions are then asked by several at a time, and
 * each thread takes some memory (0.2 GB for 23,136 routers); a machine without that much is refused before the check begins.
 */
bool deadlock_check_by(const struct tables *tables, enum deadlock_heads heads, unsigned groups,
                       unsigned jobs, struct deadlock *result, char error[TABLES_ERROR]);

/*
 * A network of groups that are wired alike (topology.period), checked in the graph of one group: the dependencies of
 * packets from everywhere to one of the groups, by every candidate that the topology has, not those alone that tables
 * have drawn, with the queues of router n of any group as one. Those of packets to another group are the same, moved, and fold to the same. A
 * cycle of the whole would be one of the folded graph: if that has none, the whole has none. (The other way
 * round it is not so.) That the groups are alike is checked: the wiring of all, the candidates of the first, the second and the
 * last. False, with one line in error, if they are not.
 */
bool deadlock_check_folded(const struct topology *t, unsigned jobs, struct deadlock *result,
                           char error[TABLES_ERROR]);

#endif
