// SPDX-License-Identifier: Apache-2.0
/*
 * iommu.h - ports and registers of address translation: accesses with addresses of a context become accesses of physical ones, on their way from
 * parb to the AXI manager; one whose pages are not all there, or not writable, is not done and answered MEM_UNTRANSLATED.
 */
#ifndef IOMMU_H
#define IOMMU_H

#include "nic/iommu/iommu_lane.h"
#include "nic/iommu/iommu_looks.h"
#include "nic/iommu/iommu_queue.h"

/* What the stream of writes is at: a head, data; or the access is not done: its data are dropped, and it is answered in its turn. */
enum iommu_write { IOMMU_HEAD, IOMMU_DATA, IOMMU_DROP, IOMMU_REFUSE };

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

    u1 write_second, read_second; /* what comes next is the second part of its access */
    enum iommu_write step;
    u2 turn;    /* of the four that look: writes and reads, in use and ahead */
    u1 forgets; /* INVALIDATE, or a context was written */

    struct iommu_lane writes, reads;
    struct iommu_queue data; /* of writes */
    struct iommu_looks looks;
};

HLS_RESET void iommu_reset(struct iommu *self);
HLS_MODULE void iommu(struct iommu *self, const struct iommu_in *in);

#endif
