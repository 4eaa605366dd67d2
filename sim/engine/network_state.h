// SPDX-License-Identifier: Apache-2.0
/*
 * network_state.h - what a network is made of, for network.c, for checkpoints, and for those that break it (struct cable_ops).
 */
#ifndef SIM_NETWORK_STATE_H
#define SIM_NETWORK_STATE_H

#include "sim/engine/checked.h"
#include "sim/engine/network.h"
#include "sim/engine/nic.h"
#include "sim/engine/ranks/border.h"

/* What comes to a port in one clock from the router at the other end; with link control blocks on lanes. */
struct arrival {
    union {
        struct {
            uint64_t flit;
            bool valid, bad, tail, freed;
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
    struct checked *checked; /* NULL: what it hands up goes to the router at once */
};

struct cable_end {
    struct account account; /* of the queue at the other end */
    unsigned held;          /* flits in our own input queue */
    uint8_t peer_load;
    uint8_t vc, going; /* where the end frames: of the packet that goes, its flits so far */
    int32_t nic;
};

/*
 * What makes cables and routers fail, as failover/ does: asked at each port and bus in every clock. A network without one has
 * only what works. What it keeps is its own, network.cable_state.
 */
struct cable_ops {
    /* The router is dead: it is not clocked. */
    bool (*dead)(const struct network *n, unsigned router);

    /* The configuration bus of a router, before its clock and behind it. */
    void (*bus)(struct network *n, unsigned router, struct bus *bus);
    void (*answer)(struct network *n, unsigned router, const struct bus *bus);

    /* What comes to a port, or is made up for it. What goes out of one; false if it goes nowhere. */
    void (*comes)(struct network *n, unsigned router, unsigned port, struct wires_in *in);
    bool (*goes)(struct network *n, unsigned router, unsigned port, const struct wires_out *out);

    /* Before a clock of a link control block: what its lanes carry, and its bus. */
    void (*drive)(struct network *n, unsigned router, unsigned port, struct lanes *from_cable,
                  struct link_side *side);

    /* Behind it; to_router: what the router reads in this clock; taken: the block took the flit that its router offered. */
    void (*crossed)(struct network *n, unsigned router, unsigned port,
                    const struct wires_in *to_router, bool taken, const struct link_side *side);

    /* Between two windows. */
    void (*step)(struct network *n);
    void (*free)(struct network *n);
};

struct network {
    const struct router_model *model;
    const struct topology *topology;
    struct net_config config;
    struct nics nics;
    const struct cable_ops *cable_ops; /* NULL: nothing ever fails */
    void *cable_state;                 /* of those */
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
