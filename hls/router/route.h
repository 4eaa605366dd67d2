// SPDX-License-Identifier: Apache-2.0
/*
 * route.h - ports and registers of route: which way a packet goes.
 *
 * Layout of tables and VC map: route_table.h.
 */
#ifndef ROUTE_H
#define ROUTE_H

#include "router/inq_store.h"
#include "router/route_table.h"

/* What software writes: kind says which memory or register. */
enum route_kind {
    ROUTE_MINIMAL,    /* table entry index */
    ROUTE_NONMINIMAL, /* table entry index */
    ROUTE_VC_MAP,     /* entry index */
    ROUTE_BIAS,       /* data: 4 x 7 bits, ADAPTIVE0 in the lowest */
    ROUTE_HERE,       /* data: {global, local} of this router, local in the low bits */
};

struct route_write {
    u1 valid;
    u3 kind;
    u12 index;
    u48 data;
};

struct route_in {
    u1 valid; /* a flit of vc, out of the store */
    rtr_vc vc;
    rtr_code code;
    inq_tail tail;
    struct load_note load;
    u64 dead;              /* bit {row, col}: that port is not to be used */
    struct rtr_place here; /* constant */
    struct route_write config;
};

struct route_out {
    struct row_flit flit; /* to staging */
    rtr_vc came_on;       /* its VC until now */
    u1 dropped;           /* a flit of VC came_on has been dropped instead */
    u1 hold;              /* a write waits for the memories: no flits, please */

    /* Events, each for one clock. */
    u1 no_way;     /* a packet is dropped */
    u1 nonminimal; /* a packet takes a non-minimal way */
    u1 corrected;  /* one wrong bit in a memory */
    u1 fatal;      /* two */
};

/* A flit on its way through the stages. */
struct route_flit {
    u1 valid;
    u1 head;
    u1 tail;
    u1 bad;
    u1 lost; /* a head that cannot be read */
    rtr_vc vc;
    rtr_flit flit;
};

/* How a head's way is to be chosen. */
struct route_choice {
    u1 adaptive;
    u1 source;     /* candidate 0 is the sender's hop, and the VC stays */
    u1 nonminimal; /* non-minimal candidates count */
    u1 forced;     /* no minimal one if there is a non-minimal one */
    u1 pick;       /* candidate 1 is preferred */
    u3 hash;       /* of the second step */
    rtr_load bias; /* against non-minimal ones */
};

/* What a packet's other flits need of its way: {row, col, vc, dropped}; no row in two-step machines. */
#if RTR_TWO_STEP
typedef uint(1 + RTR_VC_BITS + 3) route_taken;
#else
typedef uint(1 + RTR_VC_BITS + 6) route_taken;
#endif

/* A candidate with what decides about it. */
struct route_option {
    u1 alive;
    rtr_load load;
    struct route_candidate way;
};

struct route {
    struct route_out out;

    u1 started;
    u16 random; /* LFSR */
    rtr_global global;
    rtr_local local;
    u28 bias;
    struct route_write waiting; /* for a clock without lookup */
    rtr_vcs inside;             /* VC v: the next flit is not a head */

    /* Decoded, tables read. */
    struct route_flit read;
    struct route_choice read_how;
    route_ecc_word minimal_word;
    route_ecc_word nonminimal_word;

    /* Candidates and their loads: minimal 0, 1, non-minimal 0, 1. */
    struct route_flit weigh;
    struct route_choice weigh_how;
    struct route_option option[4];

    /* Chosen, VC map read. */
    struct route_flit chosen;
    struct route_choice chosen_how;
    struct route_candidate way;
    route_map_ecc_word map_word;

    HLS_BRAM route_ecc_word minimal_table[1 << ROUTE_TABLE_LOG2];
    HLS_BRAM route_ecc_word nonminimal_table[1 << ROUTE_TABLE_LOG2];
    HLS_BRAM route_map_ecc_word vc_map[1 << ROUTE_MAP_LOG2];
    HLS_LUTRAM(4) rtr_load loads[64];
    HLS_LUTRAM(1) route_taken taken[INQ_PLACES]; /* by the packet of VC v */
};

HLS_RESET void route_reset(struct route *self);
HLS_MODULE void route(struct route *self, const struct route_in *in);

#endif
