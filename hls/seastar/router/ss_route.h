// SPDX-License-Identifier: Apache-2.0
/*
 * ss_route.h - ports and registers of the routing tables of one input.
 *
 * A node is {partition 3, index 12}. In the own partition the local table says where a packet goes, for another one the global
 * table.
 */
#ifndef SS_ROUTE_H
#define SS_ROUTE_H

#include "seastar/router/ss_ecc.h"

#define SS_INDEX_BITS     12
#define SS_PARTITION_BITS 3

/* An entry: port [2:0], v [3], check bits above. */
typedef ss_entry_ecc_word ss_entry;

struct ss_route_write {
    u1 local;  /* entry `index` of the local table ... */
    u1 global; /* ... of the global one, of 8 */
    uint(SS_INDEX_BITS) index;
    u4 entry; /* without its code */
};

struct ss_route_in {
    ss_node dst;                       /* of a head, in the clock in which it comes */
    uint(SS_PARTITION_BITS) partition; /* this node's; constant */
    struct ss_route_write write;
};

struct ss_route_out {
    ss_entry entry; /* two clocks later */
};

struct ss_route {
    struct ss_route_out out;

    HLS_BRAM_READ_FIRST ss_entry near[1 << SS_INDEX_BITS];
    HLS_LUTRAM(1) ss_entry far[1 << SS_PARTITION_BITS];
    ss_entry local_word, global_word;
    u1 here; /* the node is in this partition */
};

HLS_RESET void ss_route_reset(struct ss_route *self);
HLS_MODULE void ss_route(struct ss_route *self, const struct ss_route_in *in);

#endif
