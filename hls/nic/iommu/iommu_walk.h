// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_walk.h - reads page tables in host memory: of a page's number the line of eight entries that it is in.
 *
 * Entries have 64 bits: [0] valid, [1] writable, [47:12] frame. One level: entry n of the table is page n. Two levels, pages of 4 KB: entry
 * VA[47:21] of the first table names a second one of 512 entries, VA[20:12] picks one of it.
 */
#ifndef IOMMU_WALK_H
#define IOMMU_WALK_H

#include "axi/memory.h"

#define IOMMU_LINE_ENTRIES 8
#define IOMMU_ENTRY_BITS   38 /* {frame 36, writable, valid} */

typedef uint(IOMMU_ENTRY_BITS) iommu_entry;
typedef uint(IOMMU_LINE_ENTRIES *IOMMU_ENTRY_BITS) iommu_line;

/* A space of addresses: its page table, 0: none. */
struct iommu_context {
    u36 root; /* frame of the first table */
    u6 log2;  /* bytes of a page, 12 to 36; of two levels 12 */
    u1 two;   /* levels */
    u1 enable;
};

enum iommu_walk_at { WALK_IDLE, WALK_UPPER, WALK_LOWER, WALK_GIVE };

struct iommu_walk_in {
    u1 asks; /* for this line; held until out.done */
    struct iommu_context context;
    u33 line;
    u1 forget; /* tables have changed: a walk under way begins anew */
    u1 taken;  /* of axi_read: out.read was */
    struct mem_walked beat;
};

struct iommu_walk_out {
    struct mem_walk read;
    u1 done;   /* for one clock: the line is there ... */
    u2 status; /* ... if this is MEM_DONE; MEM_UNTRANSLATED: there is no second table */
    iommu_line entries;
};

struct iommu_walk {
    struct iommu_walk_out out;
    enum iommu_walk_at at;
    u1 stale;
    u3 beats; /* of the line that is read, so far */
};

HLS_RESET void iommu_walk_reset(struct iommu_walk *self);
HLS_MODULE void iommu_walk(struct iommu_walk *self, const struct iommu_walk_in *in);

#endif
