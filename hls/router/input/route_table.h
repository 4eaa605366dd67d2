// SPDX-License-Identifier: Apache-2.0
/*
 * route_table.h - layout of what software writes into the tables of route.
 *
 * Entry of a table: two candidates, each a port, or (two steps) rows of a column.
 *
 *  one step, 2 x 9 bits                        two steps, 2 x 14 bits
 *
 *    8  6 5  3 2    1 0                          13     6 5  3 2    1 0
 *   +----+----+------+-------+                  +--------+----+------+-------+
 *   |row |col | type | valid |                  |  rows  |col | type | valid |
 *   +----+----+------+-------+                  +--------+----+------+-------+
 *
 * Candidate 0 stands at the low end. Index of an entry: {way, draw 2}. way: {1, local} in the table of the routers of
 * our group, else {0, global}. draw: four entries per destination; for our own router it is the destination's sub.
 *
 * Where global has two parts (RTR_NEAR_BITS) each has ways of its own, so that a table needs their sum and not their product:
 * {0, far} as long as far is not ours, then {1, 0, near}, and {1, 1, local} in our group.
 *
 * Entry of the VC map: {phase 2, vc 3}; its index: {non-minimal 1, type 2, vc 3, phase 2}. An entry with a VC that the
 * machine lacks drops the packet: what no right packet needs. A word holds the entry four times over, because its reader
 * has no time for a code: a majority vote mends each bit.
 */
#ifndef ROUTE_TABLE_H
#define ROUTE_TABLE_H

#include "router/flit/packet.h"

#if RTR_TWO_STEP
#define ROUTE_CANDIDATE_BITS 14
#define ROUTE_ECC_BITS       7
#else
#define ROUTE_CANDIDATE_BITS 9
#define ROUTE_ECC_BITS       6
#endif
#define ROUTE_ENTRY_BITS (2 * ROUTE_CANDIDATE_BITS)
#define ROUTE_FAR_BITS   (RTR_GLOBAL_BITS - RTR_NEAR_BITS)
#define ROUTE_NEAR_BITS  (RTR_NEAR_BITS > RTR_LOCAL_BITS ? RTR_NEAR_BITS : RTR_LOCAL_BITS)
#define ROUTE_SPLIT_BITS (RTR_NEAR_BITS != 0 ? 1 + ROUTE_NEAR_BITS : ROUTE_NEAR_BITS)
#define ROUTE_WAY_BITS   (1 + (ROUTE_FAR_BITS > ROUTE_SPLIT_BITS ? ROUTE_FAR_BITS : ROUTE_SPLIT_BITS))
#define ROUTE_DRAW_BITS  2
#define ROUTE_TABLE_LOG2 (ROUTE_WAY_BITS + ROUTE_DRAW_BITS)
#define ROUTE_MAP_LOG2   8
#define ROUTE_MAP_BITS   5

#define ECC      route_ecc
#define ECC_DATA ROUTE_ENTRY_BITS
#define ECC_BITS ROUTE_ECC_BITS
#include "common/ecc.inc"

typedef uint(ROUTE_CANDIDATE_BITS) route_candidate_bits;
typedef route_ecc_data route_entry;
typedef uint(ROUTE_TABLE_LOG2) route_index;
typedef uint(ROUTE_WAY_BITS) route_way;
typedef uint(ROUTE_FAR_BITS) route_far;   /* all of global, or its upper part */
typedef uint(ROUTE_NEAR_BITS) route_near; /* its lower part */
typedef uint(ROUTE_MAP_BITS) route_map_entry;
typedef uint(4 * ROUTE_MAP_BITS) route_map_word;
typedef uint(ROUTE_MAP_LOG2) route_map_index;

/* A candidate: a port by which a packet may leave the router. */
struct route_candidate {
    u1 valid;
    u2 type; /* what the VC map shall know of it */
    rtr_col col;
#if RTR_TWO_STEP
    u8 rows; /* bit r: the port in row r of that column */
#else
    rtr_row row;
#endif
};

static inline route_candidate_bits route_candidate_pack(struct route_candidate c)
{
#if RTR_TWO_STEP
    route_candidate_bits where = c.rows;
#else
    route_candidate_bits where = c.row;
#endif
    return (route_candidate_bits)(c.valid | ((route_candidate_bits)c.type << 1) |
                                  ((route_candidate_bits)c.col << 3) | (where << 6));
}

static inline struct route_candidate route_candidate_unpack(route_candidate_bits bits)
{
    return (struct route_candidate){
        .valid = (u1)bits,
        .type = (u2)(bits >> 1),
        .col = (rtr_col)(bits >> 3),
#if RTR_TWO_STEP
        .rows = (u8)(bits >> 6),
#else
        .row = (rtr_row)(bits >> 6),
#endif
    };
}

static inline route_entry route_entry_pack(struct route_candidate first,
                                           struct route_candidate second)
{
    return (route_entry)(route_candidate_pack(first) |
                         ((route_entry)route_candidate_pack(second) << ROUTE_CANDIDATE_BITS));
}

/* Candidate i of an entry. */
static inline struct route_candidate route_entry_candidate(route_entry entry, u1 i)
{
    return route_candidate_unpack(
        (route_candidate_bits)(i ? entry >> ROUTE_CANDIDATE_BITS : entry));
}

/* Ways: to another group, to another one of our far part, to a router of our group. */
static inline route_way route_way_far(route_far far)
{
    return far;
}

static inline route_way route_way_near(route_near near)
{
    return (route_way)(((route_way)1 << (ROUTE_WAY_BITS - 1)) | near);
}

static inline route_way route_way_local(rtr_local local)
{
    route_way split =
        RTR_NEAR_BITS != 0 ? (route_way)((route_way)1 << (ROUTE_WAY_BITS - 2)) : (route_way)0;

    return (route_way)(((route_way)1 << (ROUTE_WAY_BITS - 1)) | split | local);
}

#if RTR_NEAR_BITS != 0
/* A router that has no name in a part of global: at the top of a Clos in neither, below it in far alone. */
struct route_nobody {
    u1 far;
    u1 near;
};
#endif

#if RTR_NEAR_BITS == 0
/* The way of a head in a router of group `here`. */
static inline route_way route_way_of(rtr_flit head, rtr_global here)
#else
static inline route_way route_way_of(rtr_flit head, rtr_global here, struct route_nobody nobody)
#endif
{
    rtr_global global = head_global(head);

#if RTR_NEAR_BITS == 0
    if (global == here) {
#else
    if (global == here && !nobody.far && !nobody.near) {
#endif
        return route_way_local(head_local(head));
    }
#if RTR_NEAR_BITS != 0
    if (!nobody.far && (route_far)(global >> RTR_NEAR_BITS) == (route_far)(here >> RTR_NEAR_BITS)) {
        return route_way_near((uint(RTR_NEAR_BITS))global);
    }
#endif
    return route_way_far((route_far)(global >> RTR_NEAR_BITS));
}

static inline route_index route_index_of(route_way way, u2 draw)
{
    return (route_index)(((route_index)way << ROUTE_DRAW_BITS) | draw);
}

static inline route_map_index route_map_index_of(u1 nonminimal, u2 type, rtr_vc vc, rtr_phase phase)
{
    return (route_map_index)(((route_map_index)nonminimal << 7) | ((route_map_index)type << 5) |
                             ((route_map_index)vc << 2) | phase);
}

static inline route_map_entry route_map_pack(u3 vc, rtr_phase phase)
{
    return (route_map_entry)(((route_map_entry)phase << 3) | vc);
}

static inline route_map_word route_map_encode(route_map_entry entry)
{
    route_map_word word = 0;

    for (int i = 0; i < 4; i++) {
        word |= (route_map_word)((route_map_word)entry << (i * ROUTE_MAP_BITS));
    }
    return word;
}

struct route_map_result {
    route_map_entry data;
    u1 corrected; /* one of the four copies of a bit was wrong */
    u1 fatal;     /* two of them: uncorrectable */
};

static inline struct route_map_result route_map_decode(route_map_word word)
{
    route_map_entry a = (route_map_entry)word;
    route_map_entry b = (route_map_entry)(word >> ROUTE_MAP_BITS);
    route_map_entry c = (route_map_entry)(word >> (2 * ROUTE_MAP_BITS));
    route_map_entry d = (route_map_entry)(word >> (3 * ROUTE_MAP_BITS));
    route_map_entry odd = a ^ b ^ c ^ d;

    return (struct route_map_result){
        .data = (a & b & (c | d)) | (c & d & (a | b)),
        .corrected = odd != 0,
        .fatal = (~odd & ((a ^ b) | (a ^ c))) != 0,
    };
}

#endif
