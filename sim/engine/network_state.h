// SPDX-License-Identifier: Apache-2.0
/*
 * network_state.h - what a network is made of, for network.c, for checkpoints and for failover/faults.c, which breaks it.
 */
#ifndef SIM_NETWORK_STATE_H
#define SIM_NETWORK_STATE_H

#include "sim/engine/network.h"
#include "sim/engine/nic.h"
#include "sim/engine/ranks/border.h"

/* What comes to a port in one clock from the router at the other end; with link control blocks on lanes. */
struct arrival {
    union {
        struct {
            uint64_t flit;
            bool valid, bad, freed;
            uint8_t freed_vc, load;
        };
        struct lanes lanes;
    };
};

/* A link control block and its side of the cable. */
struct block {
    void *link;
    struct sim_random random;     /* bit errors */
    uint64_t good_bits;           /* until the next one */
    struct wires_out from_router; /* after the last clock */
    struct wires_in to_router;
};

struct cable_end {
    struct account account; /* of the queue at the other end */
    unsigned held;          /* flits in our own input queue */
    uint8_t peer_load;
    int32_t nic;
};

struct faults;      /* failover/faults.h */
struct fault_block; /* failover/blocks.h */

struct network {
    const struct router_model *model;
    const struct topology *topology;
    struct net_config config;
    struct nics nics;
    struct faults *faults; /* NULL: nothing ever fails */
    struct fault_block
        *fault_block; /* [router][port], if things fail and there are link control blocks */
    unsigned first,
        last; /* routers of this rank: from, up to before; the arrays but `sent` are of them */
    struct border *border;             /* to those of other ranks, if there are */
    struct wires_in in[MACHINE_PORTS]; /* of the router that is being clocked */
    struct wires_out out[MACHINE_PORTS];
    uint8_t *memory; /* of all our routers, in one piece */
    void **router;
    struct cable_end *end;   /* [router][port] */
    struct arrival *arrival; /* [router][port][slots] */
    struct block *block;     /* [router][port], with link control blocks only */
    uint64_t *sent;          /* [router][port]: flits into the cable, or to the NIC */
    uint64_t *tally;         /* nics.tally of all ranks, as of the last net_gather() */
    unsigned slots;
    unsigned window; /* clocks that a router may run ahead of those of its rank, */
    unsigned ahead;  /* and ranks of each other */
    uint64_t begin;  /* clock of the last exchange between ranks */
    uint64_t measured;
    uint64_t begun, delivered; /* of all ranks, at the end of the last net_run() */
    uint64_t moved; /* clock: the last at which something arrived or nothing was in flight */
};

/* A port of one of our routers in what is kept of each. */
static inline size_t tile_of(const struct network *n, unsigned router, unsigned port)
{
    return (size_t)(router - n->first) * MACHINE_PORTS + port;
}

/* What comes to it in a clock that is not yet past. */
static inline struct arrival *arrival_at(struct network *n, unsigned router, unsigned port,
                                         uint64_t clock)
{
    return &n->arrival[tile_of(n, router, port) * n->slots + clock % n->slots];
}

#endif
