// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_types.h - what the parts of iommu tell each other: accesses, looks at page tables and what they come to.
 */
#ifndef IOMMU_TYPES_H
#define IOMMU_TYPES_H

#include "axi/memory.h"

#define IOMMU_WAITS_LOG2 (NIC_WALKS_LOG2 + 1)
#define IOMMU_WAITS      (1 << IOMMU_WAITS_LOG2)

/* Accesses and pages that wait: large memories are blocks. */
#if IOMMU_WAITS_LOG2 > 4
#define IOMMU_RING HLS_BRAM
#else
#define IOMMU_RING HLS_LUTRAM(1)
#endif

typedef uint(IOMMU_WAITS_LOG2) iommu_slot;
/* Since the beginning; the low bits are the slot. Two that are no more than IOMMU_WAITS apart can be compared. */
typedef uint(IOMMU_WAITS_LOG2 + 2) iommu_count;

/* What is carried beside an address: {skip, bytes, place, client} of a write, {reader, fault, bytes} of a read. */
#define IOMMU_REST_BITS 23
typedef uint(IOMMU_REST_BITS) iommu_rest;

#define ECC      page_ecc /* {context, page of 4 KB} */
#define ECC_DATA 40
#define ECC_BITS 7
#include "common/ecc.inc"

/* a is an older one than b. */
static inline u1 is_before(iommu_count a, iommu_count b)
{
    return (u1)((iommu_count)(a - b) >> (IOMMU_WAITS_LOG2 + 1));
}

/* A head as it comes from parb. */
struct iommu_access {
    u1 valid;
    u1 second; /* what is behind the page's end, of the one before */
    u1 plain;  /* a physical address */
    u1 split;  /* a second one follows */
    u4 context;
    u48 addr;
    iommu_rest rest;
};

/* The next one that leaves, of one over a page's end first the one part, then the other. */
struct iommu_front {
    u1 valid;
    u1 split;
    u1 second;
    u2 fault; /* enum mem_status: not DONE, it is not done, and has no second part */
    u48 addr;
    iommu_rest rest;
};

/* A look at a page's entry. */
struct iommu_look {
    u1 valid;
    u1 probes;      /* ahead of the one that translates */
    u1 upper;       /* in the context's first table of two */
    u1 passed;      /* the other seeker has been here */
    u1 turn;        /* of two, so that looks behind one that is repeated are told from new ones */
    iommu_count at; /* of which page */
};

/* What a look has come to. */
struct iommu_verdict {
    u1 valid;
    u1 probes;
    u1 again;  /* it is repeated, ... */
    u1 upper;  /* ... there */
    u1 passed; /* as in the look */
    iommu_count at;
    u2 fault; /* enum mem_status, of one that translates and is not repeated */
    u36 frame;
};

#endif
