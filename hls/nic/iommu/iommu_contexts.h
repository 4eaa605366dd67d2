// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_contexts.h - ports and registers of the contexts: 16 spaces of addresses, each with its page table, as the driver wrote them.
 */
#ifndef IOMMU_CONTEXTS_H
#define IOMMU_CONTEXTS_H

#include "nic/packet/nic_types.h"
#include "nic/regs/nic_map.h"

typedef uint(44) iommu_context_word;

#define ECC      context_ecc
#define ECC_DATA 44
#define ECC_BITS 7
#include "common/ecc.inc"

struct iommu_contexts_in {
    u4 number; /* of that of a look */
    struct nic_write reg;
    struct nic_wipe wipe;
};

/* Two clocks later: the context's page table. */
struct iommu_contexts_out {
    u36 root; /* frame of the first table */
    u6 log2;  /* bytes of a page, 12 to 36; of two levels 12 */
    u1 two;   /* levels */
    u1 enable;
    u1 lost; /* a double-bit error */
    u1 corrected;
};

struct iommu_contexts {
    struct iommu_contexts_out out;
    context_ecc_word word;

    HLS_LUTRAM(1) context_ecc_word contexts[16];
};

HLS_RESET void iommu_contexts_reset(struct iommu_contexts *self);
HLS_MODULE void iommu_contexts(struct iommu_contexts *self, const struct iommu_contexts_in *in);

#endif
