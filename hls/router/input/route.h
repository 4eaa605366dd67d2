// SPDX-License-Identifier: Apache-2.0
/*
 * route.h - ports and registers of route: which port a packet leaves by.
 *
 * Layout of tables and VC map: route_table.h.
 */
#ifndef ROUTE_H
#define ROUTE_H

#include "router/input/backlog.h"
#include "router/input/inq_store.h"
#include "router/input/route_table.h"
#include "router/flit/rtr_ecc.h"

/* What software writes: kind says which memory or register. */
enum route_kind {
    ROUTE_MINIMAL,    /* table entry index */
    ROUTE_NONMINIMAL, /* table entry index */
    ROUTE_VC_MAP,     /* entry index */
    ROUTE_BIAS,       /* data: route_biases */
    ROUTE_HERE, /* data: {seed of the draws, 0, global, local} of this router; local stands lowest */
#if RTR_LENGTH_BITS == 0
    ROUTE_SOURCE, /* data: {columns 8, rows 8} to which packets of mode SOURCE may go; all after a reset */
#endif
};

#if RTR_NEAR_BITS != 0
/* In the data of ROUTE_HERE, above global: the router has no name in near, in far. */
#define ROUTE_NO_NEAR_AT (RTR_LOCAL_BITS + RTR_GLOBAL_BITS)
#define ROUTE_NO_FAR_AT  (ROUTE_NO_NEAR_AT + 1)
#endif

/*
 * Random bits: a sequence of x^23 + x^5 + 1, three bits further in each clock, so that no two clocks share one. Bits 1-0 draw
 * an entry, bit 2 prefers a candidate. Bits 5-3, those of the next clock, choose among rows of the same load in two-step machines.
 */
#define ROUTE_RANDOM_BITS 23
#define ROUTE_RANDOM_STEP 3
#define ROUTE_SEED_BITS   22
#define ROUTE_SEED_AT     26 /* in the data of ROUTE_HERE */
typedef uint(ROUTE_RANDOM_BITS) route_random;

/*
 * Bias, for each adaptive mode (one where heads say {r, a, h}: m = 0): what is added to the loads of one side's candidates, non-minimal or minimal ones, and whether
 * the loads of one side are halved before. In the data of a write, mode m: add at 7 m, add_minimal at 28 + m,
 * halve at 32 + m, halve_minimal at 36 + m.
 */
#define ROUTE_ADD_MINIMAL_AT   28
#define ROUTE_HALVE_AT         32
#define ROUTE_HALVE_MINIMAL_AT 36
#define ROUTE_BIAS_BITS        40
typedef uint(ROUTE_BIAS_BITS) route_biases;

struct route_bias {
    rtr_load add;
    u1 add_minimal;
    u1 halve;
    u1 halve_minimal;
};

/* Of that word the bias of one mode. */
static inline struct route_bias bias_of(route_biases biases, u2 m)
{
    return (struct route_bias){
        .add = (rtr_load)(biases >> (7 * m)),
        .add_minimal = (u1)(biases >> (ROUTE_ADD_MINIMAL_AT + m)),
        .halve = (u1)(biases >> (ROUTE_HALVE_AT + m)),
        .halve_minimal = (u1)(biases >> (ROUTE_HALVE_MINIMAL_AT + m)),
    };
}

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
    struct backlog_out full; /* columns that take less than this input has for them */
    struct rtr_place here;   /* constant */
    struct route_write config;
};

struct route_out {
    struct row_flit flit; /* to staging */
    rtr_vc came_on;       /* the VC on which it came */
    u1 dropped;           /* a flit of VC came_on was dropped instead */
    u1 hold; /* backpressure: a write waits for the memories, so the store sends no flits */

    /* Events, each for one clock. */
    u1 no_route;   /* a packet without a living candidate is dropped */
    u1 nonminimal; /* a packet takes a non-minimal route */
    u1 corrected;  /* a single-bit error in a memory: corrected */
    u1 fatal;      /* two: uncorrectable */
};

/* A flit out of the store, not yet decoded. */
struct route_raw {
    u1 valid;
    rtr_vc vc;
    inq_tail tail;
    rtr_code code;
    /* The code is linear: its syndrome is that of its lower half XOR that of its upper one. */
    flit_ecc_syndrome low;
    flit_ecc_syndrome high;
};

/* A flit in one of the stages. Where heads are taken off, lost of another flit than a head: it becomes the head. */
struct route_flit {
    u1 valid;
    u1 head;
    u1 tail;
    u1 bad;
    u1 lost; /* an uncorrectable head */
    rtr_vc vc;
    rtr_flit flit;
};

/* A flit in the last stages, encoded; a head that will get a VC and phase from the map: with zeros in their place. empties: one that is taken off. */
struct route_coded {
    u1 valid;
    u1 head;
    u1 tail;
#if RTR_LENGTH_BITS == 0
    u1 empties;
#endif
    u1 from_map; /* such a head */
    u1 lost;     /* a head that is uncorrectable or has no candidate */
    rtr_vc vc;
    rtr_code code;
};

/* Place and word of a table; those of the VC map fit. */
#if RTR_LENGTH_BITS != 0
typedef u12 route_place;
typedef u48 route_word;
#else
typedef route_index route_place;
typedef route_entry route_word;
#endif

/* The write that waits for a clock without a lookup, if out.hold says that there is one. */
struct route_waiting {
    u3 kind;
    route_place index;
    route_word data;
};

/* A write into the VC map, on its way there in a place in which no head can be. */
struct route_map_write {
    u1 valid;
    route_map_index index;
    route_map_entry data;
};

/* How a head's candidate is to be chosen. */
struct route_choice {
    u1 adaptive;
    u1 source; /* candidate 0 is the sender's hop, and the VC stays */
#if RTR_LENGTH_BITS != 0
    u1 forced; /* a minimal one is taken only if no non-minimal one is alive */
#endif
    u1 pick; /* candidate 1 of a pair is preferred, not candidate 0 */
    u3 hash; /* for the choice of a row, in two-step machines */
};

/* Where a candidate leaves: its column, in the low bits, and above it its row; in two-step machines rows, bit r: row r. */
#if RTR_TWO_STEP
typedef uint(3 + RTR_ROWS) route_exit;
#else
typedef u6 route_exit;
#endif

/* The candidate that a head takes. */
struct route_taking {
    route_exit exit;
    u1 nonminimal;
    u1 adaptive;
    u3 hash;
};

/* What a packet's other flits need of its route: {row, col, vc, dropped}; two steps: rows or, where heads stay, none. */
#if RTR_TWO_STEP && RTR_LENGTH_BITS == 0
typedef uint(1 + RTR_VC_BITS + 3 + RTR_ROWS) route_taken;
#elif RTR_TWO_STEP
typedef uint(1 + RTR_VC_BITS + 3) route_taken;
#else
typedef uint(1 + RTR_VC_BITS + 6) route_taken;
#endif

/* What is known of a column of ports: in bit r whether that of row r is dead, then the loads of their requests, then of their responses. */
typedef uint((1 + 2 * RTR_TOLD_BITS) * RTR_ROWS) route_column;
#define ROUTE_REQUESTS_AT(row)  (RTR_ROWS + RTR_TOLD_BITS * (row))
#define ROUTE_RESPONSES_AT(row) (RTR_ROWS + RTR_TOLD_BITS * (RTR_ROWS + (row)))

/* The load of a candidate whose column is full: more than any other has, after bias. */
#define ROUTE_FULL_LOAD 255

/* A candidate with the load of its port, after bias, and whether that exists and is alive. */
struct route_option {
    u1 alive;
    u8 load;
    u2 type; /* what the VC map shall know of it */
    route_exit exit;
};

struct route {
    struct route_out out;

    u1 started;
    route_random random;
    rtr_global global;
    rtr_local local;
#if RTR_NEAR_BITS != 0
    struct route_nobody nobody;
#endif
#if RTR_LENGTH_BITS != 0
    route_biases bias;
#else
    struct route_bias bias; /* of the one adaptive mode */
    u16 source;             /* columns and rows to which packets of mode SOURCE may go */
#endif
    struct route_waiting waiting;
    rtr_vcs open; /* VC v is inside a packet: its next flit is not a head */
#if RTR_LENGTH_BITS == 0
    rtr_vcs bare;     /* the head of VC v's packet is taken off: its next flit is to be the head */
    rtr_vcs bare_bad; /* and it was marked */
#endif

    struct route_raw came;

    /* Decoded, tables read. */
    struct route_flit read;
    struct route_choice read_how;
#if RTR_LENGTH_BITS != 0
    u1 read_others; /* non-minimal candidates are considered; without phases: of adaptive heads */
    struct route_bias read_bias;
#endif
    struct route_map_write read_write;
    route_ecc_word minimal_word;
    route_ecc_word nonminimal_word;

    /* What stood in the tables. */
    struct route_flit found;
    struct route_choice found_how;
#if RTR_LENGTH_BITS != 0
    u1 found_others;
    struct route_bias found_bias;
#endif
    struct route_map_write found_write;
    route_entry minimal;
    route_entry nonminimal;
    route_ecc_syndrome minimal_syndrome;
    route_ecc_syndrome nonminimal_syndrome;

    /* Candidates and their loads: minimal 0, 1, non-minimal 0, 1. */
    struct route_flit weigh;
    struct route_choice weigh_how;
    struct route_map_write weigh_write;
    struct route_option option[4];

    /* Chosen, VC map read. */
    struct route_coded chosen;
    struct route_taking chosen_way;
    route_map_word map_word;

    /* What stood in the VC map. */
    struct route_coded mapped;
    struct route_taking mapped_way;
    struct route_map_result map;

    HLS_BRAM route_ecc_word minimal_table[1 << ROUTE_TABLE_LOG2];
    HLS_BRAM route_ecc_word nonminimal_table[1 << ROUTE_TABLE_LOG2];
    HLS_BRAM route_map_word vc_map[1 << ROUTE_MAP_LOG2];
    HLS_LUTRAM(4) route_column columns[8];
    HLS_LUTRAM(1) route_taken taken[INQ_PLACES]; /* by the packet of VC v */
};

/*
 * Where a tile's draws begin: from a write of ROUTE_HERE, or 0 after a reset, and its place. Never 0. With one seed for all
 * tiles any two of a router are at least 6,800 clocks apart in the sequence.
 */
static inline route_random route_seed(u48 data, struct rtr_place here)
{
    u6 place = (u6)(((u6)here.row << 3) | here.col);
    route_random spread = (route_random)0x05858f ^ ((u1)place ? 0x202180 : 0) ^
                          ((u1)(place >> 1) ? 0x00820a : 0) ^ ((u1)(place >> 2) ? 0x141400 : 0) ^
                          ((u1)(place >> 3) ? 0x404060 : 0) ^ ((u1)(place >> 4) ? 0x030800 : 0) ^
                          ((u1)(place >> 5) ? 0x080014 : 0);

    return (((route_random)(data >> ROUTE_SEED_AT) << 1) ^ spread) | 1;
}

HLS_RESET void route_reset(struct route *self);
HLS_MODULE void route(struct route *self, const struct route_in *in);

#endif
