// SPDX-License-Identifier: Apache-2.0
/*
 * iommu.h - ports and registers of address translation: accesses with addresses of a context become accesses of physical ones, on their way from
 * parb to the AXI manager; one whose pages are not all there, or not writable, is not done and answered MEM_UNTRANSLATED.
 */
#ifndef IOMMU_H
#define IOMMU_H

#include "nic/iommu/iommu_lane.h"
#include "nic/iommu/iommu_queue.h"
#include "nic/iommu/pte_cache.h"
#include "nic/packet/nic_types.h"
#include "nic/regs/nic_map.h"

/* A space of addresses: its page table. */
struct iommu_context {
    u36 root; /* frame of the first table */
    u6 log2;  /* bytes of a page, 12 to 36; of two levels 12 */
    u1 two;   /* levels */
    u1 enable;
};

typedef uint(44) iommu_context_word;

#define ECC      context_ecc
#define ECC_DATA 44
#define ECC_BITS 7
#include "common/ecc.inc"

/* A look on its way: whose, and of what. */
struct iommu_look {
    u1 valid;
    u1 reads;  /* of the reads, else of the writes */
    u1 probes; /* ahead */
    struct iommu_seek seek;
    u1 split;
};

/* Clock 1: the access. */
struct iommu_fetched {
    struct iommu_look look;
    access_ecc_word word;
};

/* Clock 2: the address. */
struct iommu_named {
    struct iommu_look look;
    u1 lost; /* a double-bit error */
    u4 context;
    u36 page; /* of 4 KB */
};

/* Clock 3: its context. */
struct iommu_placed {
    struct iommu_look look;
    u1 lost; /* a double-bit error in either */
    u1 corrected;
    u4 context;
    u36 page;
    struct iommu_context is;
};

/* Clock 4 to 7: the line that its entry is in, while pte_cache looks for it. */
struct iommu_keyed {
    struct iommu_look look;
    u2 fault; /* enum mem_status: there is no such line */
    u1 two;
    u36 page;
    u24 inside; /* bits of page that are within a page of this context */
    pte_key key;
    u3 entry;
    u36 root;
    pte_line_address addr; /* of the line, from clock 5 on */
    u1 corrected;          /* a single-bit error in the context */
};

/* What the stream of writes is at: a head, the second one, data; or the access is not done: its data are dropped, and it is answered in its turn. */
enum iommu_write { IOMMU_HEAD, IOMMU_REST, IOMMU_DATA, IOMMU_DROP, IOMMU_REFUSE };

struct iommu_in {
    struct beat write;        /* parb's */
    struct mem_read read;     /* ... two words of one over a page's end */
    u1 may_write, may_read;   /* room of the AXI manager */
    u1 idle_write;            /* ... nothing that was written before is unanswered */
    struct mem_done answered; /* ... a write was */
    u1 taken;                 /* ... out.walk was taken */
    struct mem_walked beat;   /* ... and comes */
    struct nic_write reg;
    struct nic_wipe wipe;
};

struct iommu_out {
    u1 room_write, room_read; /* to parb: two more of each */
    struct beat to_write;     /* to the AXI manager */
    struct mem_read to_read;
    struct mem_walk walk; /* a line of a table, until it is taken */
    struct mem_done done; /* of writes: answered by memory, or not done for their address */
    u1 stale; /* a table is read as it was before it was changed: INVALIDATE is not settled */
    u1 idle;
    pte_counts count;
};

struct iommu {
    struct iommu_out out;

    struct iommu_lane writes, reads;
    u1 write_second, read_second; /* what comes next is the second part of its access */
    struct iommu_queue data;      /* of writes */
    enum iommu_write step;
    u1 rest; /* the second word of the read that leaves is next */

    u2 turn; /* of the four that look: writes and reads, in use and ahead */
    struct iommu_fetched fetched;
    struct iommu_named named;
    struct iommu_placed placed;
    struct iommu_keyed keyed, compared, decoded, found;
    struct pte_cache cache;
    u1 forgets; /* INVALIDATE, or a context was written */

    HLS_LUTRAM(1) context_ecc_word contexts[16];
};

HLS_RESET void iommu_reset(struct iommu *self);
HLS_MODULE void iommu(struct iommu *self, const struct iommu_in *in);

#endif
