// SPDX-License-Identifier: Apache-2.0
/*
 * pte_walks.h - ports and registers of the reads of lines: many under way, answered in the order in which they were asked for.
 */
#ifndef PTE_WALKS_H
#define PTE_WALKS_H

#include "nic/iommu/pte_types.h"

/* Lines that wait until they may be read, beside those that are. */
#define PTE_SENDS_LOG2 (NIC_WALKS_LOG2 < 4 ? NIC_WALKS_LOG2 : 4)
#define PTE_SENDS      (1 << PTE_SENDS_LOG2)

typedef uint(NIC_WALKS_LOG2) pte_walk;
typedef uint(PTE_SENDS_LOG2) pte_send;
typedef uint(PTE_SENDS_LOG2 + 1) pte_send_count;

struct pte_walks_in {
    u1 asks; /* this line is to be read, to this place */
    pte_key key;
    pte_line_address addr;
    pte_place place;
    u1 forget; /* lines under way are not kept */
    u1 taken;  /* of axi_read: out.walk was */
    struct mem_walked beat;
};

/* Two entries of a line that comes, to be kept. */
struct pte_fill {
    u1 valid;
    u1 ends; /* with these the line is there; not one that has been forgotten */
    pte_place place;
    u2 beat;
    pte_beat code;
};

struct pte_walks_out {
    struct mem_walk walk; /* until it is taken */
    struct pte_fill fill;
    pte_send_count waiting; /* lines that wait to be read */
    u1 stale;               /* a read is under way that was asked for before the last in.forget */
    u1 idle;
};

struct pte_walks {
    struct pte_walks_out out;

    pte_send_count asked, begun; /* in order: lines that wait */
    pte_walk_count sent, filled; /* ... and those that are read */
    pte_walk_count stale;        /* so many of the next ones are of tables that were */
    u2 beat;                     /* of the line that comes */
    struct mem_walked got;

    HLS_LUTRAM(1) pte_line_address addresses[PTE_SENDS];
    HLS_LUTRAM(1) pte_key lines[PTE_SENDS];
    HLS_LUTRAM(1) pte_place targets[PTE_SENDS];
    HLS_LUTRAM(1) pte_key keys[PTE_WALKS];
    HLS_LUTRAM(1) pte_place places[PTE_WALKS];
};

HLS_RESET void pte_walks_reset(struct pte_walks *self);
HLS_MODULE void pte_walks(struct pte_walks *self, const struct pte_walks_in *in);

#endif
