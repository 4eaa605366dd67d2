// SPDX-License-Identifier: Apache-2.0
/*
 * pte_way.h - ports and registers of a way of pte_cache: keys of its lines, one in each set, and what has become of them.
 *
 * A line has serial numbers: of its last request (asked), of the last one that was read (filled), used, and found broken. Each is written by one
 * side alone, so nothing has two writers; a request takes another number, by which the line is no longer any of the rest.
 */
#ifndef PTE_WAY_H
#define PTE_WAY_H

#include "nic/iommu/pte_types.h"

typedef u2 pte_serial;

/* What a look is held against. */
struct pte_tag {
    pte_key key;
    pte_serial asked, filled, used, broken;
};

struct pte_way_in {
    pte_set look_set; /* of a look ... */
    pte_key look_key; /* ... and, a clock later, its line */
    pte_set ask_set;  /* of a line to be read ... */
    u1 asks;          /* ... which a clock later takes this way: */
    pte_set place;
    pte_key line;
    u1 fills; /* the line of this set is there */
    pte_set fill_set;
    u1 marks; /* it was looked into */
    pte_set mark_set;
    enum pte_mark mark;
    u1 clears; /* this set is forgotten; nothing else is written */
    pte_set clear_set;
};

struct pte_way_out {
    u1 hit;     /* two clocks after its set: the line is here, */
    u1 pending; /* ... or on its way */
    u1 busy;    /* the line of the set is on its way, or nobody has looked into it yet */
    u1 empty;   /* a clock after ask_set: there is none, */
    u1 comes;   /* ... it is on its way, */
    u1 unused;  /* ... or nobody has looked into it */
};

struct pte_way {
    struct pte_way_out out;
    struct pte_tag tag;
    pte_serial last; /* asked, of the line in whose place one is to be read */

    HLS_LUTRAM(1) pte_key keys[1 << PTE_SETS_LOG2];
    HLS_LUTRAM(4) pte_serial asked[1 << PTE_SETS_LOG2];
    HLS_LUTRAM(2) pte_serial filled[1 << PTE_SETS_LOG2];
    HLS_LUTRAM(3) u4 seen[1 << PTE_SETS_LOG2]; /* {broken, used} */
};

HLS_RESET void pte_way_reset(struct pte_way *self);
HLS_MODULE void pte_way(struct pte_way *self, const struct pte_way_in *in);

#endif
