// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_looks.h - ports and registers of looks at page tables: from a page and its context, through the cache of lines, to a verdict.
 */
#ifndef IOMMU_LOOKS_H
#define IOMMU_LOOKS_H

#include "nic/iommu/iommu_contexts.h"
#include "nic/iommu/iommu_types.h"
#include "nic/iommu/pte_cache.h"

/* Clocks from when a look reads its set to when what it asks for is seen there: until then others of that set may be wrong. */
#define IOMMU_RECENT 7

/* Bits of out.count. */
enum pte_count {
    PTE_CORRECTED, /* a single-bit error in a line, its key, a context or a page: CORRECTABLE_MEMORY */
    PTE_FATAL,     /* two, in a line; it is forgotten, and read again: TRANSACTION */
    PTE_COUNTS
};

typedef uint(PTE_COUNTS) pte_counts;

/* Clock 1: whose turn it was. */
struct iommu_chosen {
    u1 reads; /* of the reads, else of the writes */
    struct iommu_look look;
    page_ecc_word word;
};

/* Clock 2: decoded; clock 3: its context is read. */
struct iommu_named {
    u1 reads;
    struct iommu_look look;
    u1 lost; /* a double-bit error */
    u1 corrected;
    u4 context;
    u36 page; /* of 4 KB */
};

/* Clock 5: the line that its entry is in; then while pte_cache looks for it. */
struct iommu_keyed {
    u1 reads;
    struct iommu_look look;
    u2 fault; /* enum mem_status: there is no such line */
    u1 two;
    u5 shift; /* from pages of 4 KB to those of the context */
    u36 page;
    pte_key key;
    pte_set set;
    u3 entry;
    u36 root;
    pte_line_address addr; /* of the line, from clock 6 on */
    u7 low, high;          /* check bits of the halves of its key, from clock 6 on */
};

/* Clock 10: what was found of it. */
struct iommu_seen {
    struct pte_found line;
    u1 broken; /* what is there is not the line, or no longer */
    u1 corrected;
    pte_entry entry;
};

struct iommu_looks_in {
    struct iommu_look look_write, look_read; /* of the two lanes, never both */
    page_ecc_word page_write, page_read;
    u1 forget;
    struct nic_write reg;
    struct nic_wipe wipe;
    u1 taken; /* of axi_read: out.walk was */
    struct mem_walked beat;
};

struct iommu_looks_out {
    u1 ready; /* looks may come */
    struct iommu_verdict verdict;
    u1 reads; /* it is of the lane of reads */
    struct mem_walk walk;
    u1 stale; /* a table is read as it was before it was changed */
    u1 idle;
    pte_counts count;
};

struct iommu_looks {
    struct iommu_looks_out out;

    struct iommu_chosen chosen;
    struct iommu_named named, placed, numbered;
    struct iommu_keyed keyed, tagged, compared, fetched, behind, found;
    struct iommu_seen seen;
    u4 turns;               /* of looks that count, a bit for each seeker */
    u2 demand;              /* a line is read for one lane alone: nobody else asks meanwhile */
    u1 asked[IOMMU_RECENT]; /* whether a line was asked for, so many clocks ago, ... */
    pte_set recent[IOMMU_RECENT]; /* ... of this set */
    struct iommu_contexts contexts;
    struct pte_cache cache;
};

HLS_RESET void iommu_looks_reset(struct iommu_looks *self);
HLS_MODULE void iommu_looks(struct iommu_looks *self, const struct iommu_looks_in *in);

#endif
