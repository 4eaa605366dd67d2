// SPDX-License-Identifier: Apache-2.0
/*
 * iommu.h - ports and registers of address translation: accesses with addresses of a context become accesses of physical ones, on their way from
 * parb to the AXI manager; one whose pages are not all there, or not writable, is not done and answered MEM_UNTRANSLATED.
 */
#ifndef IOMMU_H
#define IOMMU_H

#include "common/beat/beat_skid.h"
#include "nic/iommu/iommu_walk.h"
#include "nic/packet/nic_types.h"
#include "nic/regs/nic_map.h"

#define IOMMU_LINES (1 << NIC_PTE_LOG2)

typedef uint(NIC_PTE_LOG2) iommu_place;
typedef uint(4 + 33) iommu_key; /* {context, line} */
typedef uint(44) iommu_context_word;
typedef uint(65) iommu_read_word; /* struct mem_read without valid */

/*
 * What a stream is at: its accesses pass; the page of an address is numbered; looked for; its line is read; then the access leaves; or it is
 * refused: its data are dropped, and it is answered when all before it are.
 */
enum iommu_step {
    IOMMU_PASS,
    IOMMU_NUMBER,
    IOMMU_LOOK,
    IOMMU_WALK,
    IOMMU_SEND,
    IOMMU_REST,
    IOMMU_DROP,
    IOMMU_REFUSE
};

/* One of the two streams: the access that is translated. */
struct iommu_stream {
    enum iommu_step step;
    u1 second; /* it is over a page's end, and this is the second address */
    mem_space space;
    u48 addr; /* that is translated now */
    u36 page; /* its number */
    struct iommu_context context;
    u48 found[2]; /* physical addresses */
    u2 fault;     /* enum mem_status */
};

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
    u1 idle;
};

struct iommu {
    struct iommu_out out;

    struct beat_skid beats;
    struct iommu_stream writes;
    beat_word head; /* of the write that is translated */

    HLS_LUTRAM(1) iommu_read_word words[4]; /* reads that wait */
    u2 word_at;
    u3 word_count;
    struct iommu_stream reads;
    struct mem_read first; /* the read that is translated */

    struct iommu_walk walk;
    u1 walks_write; /* it is for the writes */
    u1 walking;
    u1 forgets; /* lines are forgotten: INVALIDATE, or a context was written */
    uint(IOMMU_LINES) valid;

    HLS_LUTRAM(2) iommu_context_word contexts[16];
    HLS_LUTRAM(2) iommu_key keys[IOMMU_LINES];
    HLS_LUTRAM(2) iommu_line lines[IOMMU_LINES];
};

HLS_RESET void iommu_reset(struct iommu *self);
HLS_MODULE void iommu(struct iommu *self, const struct iommu_in *in);

#endif
