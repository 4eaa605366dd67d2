// SPDX-License-Identifier: Apache-2.0
/*
 * router_model.h - the native model of one machine's router behind plain C types.
 *
 * router_model.c is compiled once per machine with all of hls/router; the objects of each machine are joined and
 * only router_<machine> stays visible, so that one program can hold several machines.
 */
#ifndef SIM_ROUTER_MODEL_H
#define SIM_ROUTER_MODEL_H

#include <stddef.h>

#include "sim/engine/maint_model.h"
#include "sim/net/machine.h"

/* Verdicts of a link in packet mode: good; corrupted before the link; a copy with a transmit error, which comes again. */
enum { MODEL_GOOD, MODEL_SOFT, MODEL_CUT };

/* A port's wires into the router in one clock; hls/router/tile.h: struct port_in. */
struct wires_in {
    uint64_t flit;
    bool valid, bad, ready, dead;
    bool
        tail; /* the end of a packet, of a machine where that frames it: by_end of struct machine */
    uint8_t ok;   /* with that: the verdict on the packet, MODEL_GOOD and so on */
    uint8_t room; /* a bit per VC */
    uint8_t
        spare; /* and for one more packet, chosen in the clock before, if room does not know of that yet */
    uint8_t peer_load;    /* what waits at the other end, 0 to 127: as it says, */
    uint8_t far_request;  /* 0 to 63: and as estimated here, of requests, */
    uint8_t far_response; /* of responses */
};

/* And out of it: struct port_out. */
struct wires_out {
    uint64_t flit;
    bool valid, head, tail, bad;
    bool freed, start; /* of the VCs below */
    bool refused;      /* a good packet for which the link had no credit, where the end frames */
    uint8_t freed_vc, start_vc;
};

/* The configuration bus. */
struct bus {
    bool valid, write;
    unsigned address;
    uint64_t data;
    bool ready; /* of the request that was made before */
    bool error; /* with that: refused */
    uint64_t reply;
};

/* A link control block at a port of the router; hls/chip/link_port.h. */
enum { MODEL_LANES = 3 };

struct lanes {
    uint16_t word[MODEL_LANES];
    bool up;    /* something is at the other end */
    bool valid; /* a word is on the lanes in this clock */
};

/* Values of STATE in its register STATUS: hls/link/lcb_link.h. */
enum block_state {
    BLOCK_DEAD,
    BLOCK_TRAIN,
    BLOCK_READY,
    BLOCK_START,
    BLOCK_RUN,
    BLOCK_FLUSH,
    BLOCK_LOOP
};

/* Its wires that lead neither to the router nor to the cable. */
struct link_side {
    uint64_t now;
    unsigned chip, port; /* who it is, for the other end; chip 0: nobody */
    struct bus bus;      /* of its registers: hls/link/REGISTERS.md, addresses in words */
    bool restart;        /* for one clock: begin a new epoch */
    bool up, degraded,
        dead;      /* after the clock: state RUN; and not on all lanes; dead to the router */
    bool reported; /* after the clock: a flit that a dead link did not deliver for certain; of
                            packets framed by their ends, such an end that is not poisoned */
};

struct link_model {
    size_t size;
    void (*reset)(void *link);
    /* One clock: from the router and the cable; to_router and to_cable are as after the clock. */
    void (*clock)(void *link, const struct wires_out *from_router, const struct lanes *from_cable,
                  struct link_side *side, struct wires_in *to_router, struct lanes *to_cable);
};

struct router_model {
    const struct machine *machine;
    size_t size; /* bytes of a router, */
    size_t
        registers; /* of which so many are registers and memories, first; with the bytes between them */

    /* What a sender may have in an input queue: flits for each VC, and more that all share. */
    unsigned credit, credit_shared;

    void (*reset)(void *router);
    void (*clock)(void *router, const struct wires_in *in, struct wires_out *out, struct bus *bus);

    /* This router is next: what it needs in every clock may come into the caches. */
    void (*expect)(const void *router);

    /* The same clock by the model as it is described, for comparison; blocks that have nothing to do are called, too. */
    void (*plain)(void *router, const struct wires_in *in, struct wires_out *out, struct bus *bus);

    /* A word of a routing memory, without the bus. */
    void (*write)(void *router, unsigned port, enum memory memory, unsigned index, uint64_t word);
    uint64_t (*read)(const void *router, unsigned port, enum memory memory, unsigned index);

    const struct link_model *link;
    const struct maint_model
        *maint; /* of size 0: a controller has the busses of router and links */
};

#define DECLARED(name) extern const struct router_model router_##name;
SIM_MACHINES(DECLARED)
#undef DECLARED

/* The router of a machine. */
const struct router_model *router_model_of(const struct machine *machine);

#endif
