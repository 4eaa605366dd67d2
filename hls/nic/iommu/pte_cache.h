// SPDX-License-Identifier: Apache-2.0
/*
 * pte_cache.h - ports and registers of the cache of page table entries: lines of eight, four in a set, and the reads of lines that are under way.
 */
#ifndef PTE_CACHE_H
#define PTE_CACHE_H

#include "nic/iommu/pte_walks.h"
#include "nic/iommu/pte_way.h"

struct pte_cache_in {
    pte_set look_set; /* of a look */
    pte_key look_key; /* a clock later: its line */
    u1 looks;         /* another one later: it is one, ... */
    pte_set row;      /* ... its set again, ... */
    u3 entry;         /* ... and which entry of the line it wants */
    u1 marks;         /* what was at out.place in the last clock is marked */
    enum pte_mark mark;
    struct pte_ask ask; /* while out.room */
    u1 forget;          /* all lines, also those under way */
    u1 taken;           /* of axi_read: out.walk was */
    struct mem_walked beat;
};

/* What a look has found, four clocks after its set came. */
struct pte_found {
    u1 hit;     /* the line is here: */
    u1 pending; /* ... or on its way */
    u1 full;    /* its set has only lines on their way, or that nobody has looked into */
    pte_place place;
};

struct pte_cache_out {
    struct pte_found found;
    pte_beat code;        /* of the line, if hit: the entry and its neighbour */
    u1 ready;             /* looks may come, whose sets are not being cleared */
    u1 room;              /* a line may be asked for */
    struct mem_walk walk; /* until it is taken */
    u1 stale;             /* a read is under way that was asked for before the last in.forget */
    u1 idle;
};

struct pte_cache {
    struct pte_cache_out out;

    struct pte_found looked;
    pte_beat code;           /* read register */
    pte_place marked;        /* out.place of the clock before */
    struct pte_ask asking;   /* ways look what is in its set */
    struct pte_ask choosing; /* it takes the place of one of them */
    u2 turn;                 /* of the ways */
    u1 clean;                /* all sets have been cleared */
    pte_set clear;           /* the next one */

    struct pte_way ways[PTE_WAYS];
    struct pte_walks walks;
    HLS_BRAM pte_beat lines[4 << NIC_PTE_LOG2]; /* four beats of two entries each */
};

HLS_RESET void pte_cache_reset(struct pte_cache *self);
HLS_MODULE void pte_cache(struct pte_cache *self, const struct pte_cache_in *in);

#endif
