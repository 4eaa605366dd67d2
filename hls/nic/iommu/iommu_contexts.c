// SPDX-License-Identifier: Apache-2.0
/* iommu_contexts.c - contexts: one is read for each look, and decoded a clock later. */
#include "nic/iommu/iommu_contexts.h"

HLS_RESET void iommu_contexts_reset(struct iommu_contexts *self)
{
    self->out = (struct iommu_contexts_out){};
    self->word = 0;
}

static inline void write(struct iommu_contexts *self, const struct iommu_contexts_in *in)
{
    u64 data = in->reg.data;
    u16 place = (u16)(in->reg.addr - NR_IOMMU);
    u1 context = in->reg.valid && place < 16;
    u1 wipes = in->wipe.valid && in->wipe.index < 16;
    iommu_context_word word =
        (iommu_context_word)(((iommu_context_word)(u1)(data >> NR_IOMMU_ENABLE_AT) << 43) |
                             ((iommu_context_word)(u1)(data >> NR_IOMMU_LEVELS_AT) << 42) |
                             ((iommu_context_word)(u6)(data >> NR_IOMMU_LOG2_AT) << 36) |
                             (u36)(data >> NR_IOMMU_ROOT_AT));

    if (context || wipes) {
        self->contexts[wipes ? (u4)in->wipe.index : (u4)place] =
            context_ecc_encode(wipes ? (iommu_context_word)0 : word);
    }
}

HLS_MODULE void iommu_contexts(struct iommu_contexts *self, const struct iommu_contexts_in *in)
{
    struct context_ecc_result is = context_ecc_decode(self->word);

    self->out = (struct iommu_contexts_out){.root = (u36)is.data,
                                            .log2 = (u6)(is.data >> 36),
                                            .two = (u1)(is.data >> 42),
                                            .enable = (u1)(is.data >> 43),
                                            .lost = is.fatal,
                                            .corrected = is.corrected};
    self->word = self->contexts[in->number];
    write(self, in);
}
