// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_walk.c - a walk: one read of a line, or two, and again if tables change meanwhile.
 */
#include "nic/iommu/iommu_walk.h"

#define LINE_BEATS 4 /* 64 bytes */

HLS_RESET void iommu_walk_reset(struct iommu_walk *self)
{
    self->out = (struct iommu_walk_out){};
    self->at = WALK_IDLE;
    self->stale = 0;
    self->beats = 0;
}

static inline iommu_entry entry_of(u64 word)
{
    return (iommu_entry)(((iommu_entry)(u36)(word >> 12) << 2) | (u2)word);
}

/* A line of the table in a frame. */
static inline void ask(struct iommu_walk *self, u36 frame, u33 line)
{
    self->out.read.valid = 1;
    self->out.read.addr = (u48)(((u48)frame << 12) + ((u48)line << 6));
    self->beats = 0;
}

/* Beats come in order: the first one ends up lowest. */
static inline void collect(struct iommu_walk *self, const struct mem_walked *beat)
{
    uint(2 * IOMMU_ENTRY_BITS) two = (uint(2 * IOMMU_ENTRY_BITS))(
        ((uint(2 * IOMMU_ENTRY_BITS)) entry_of((u64)(beat->data >> 64)) << IOMMU_ENTRY_BITS) |
        entry_of((u64)beat->data));

    if (beat->valid) {
        self->out.entries = (iommu_line)(((iommu_line)two << (6 * IOMMU_ENTRY_BITS)) |
                                         (self->out.entries >> (2 * IOMMU_ENTRY_BITS)));
        self->out.status = beat->status > self->out.status ? beat->status : self->out.status;
        self->beats++;
    }
}

HLS_MODULE void iommu_walk(struct iommu_walk *self, const struct iommu_walk_in *in)
{
    u3 which = (u3)(in->line >> 6); /* of the upper line's entries */

    self->out.read.valid &= !in->taken;
    self->stale |= in->forget;
    hls_assume(!in->beat.valid ||
               self->beats != LINE_BEATS); /* axi_read brings what was asked for */
    collect(self, &in->beat);

    iommu_entry upper = (iommu_entry)(self->out.entries >> (IOMMU_ENTRY_BITS * (u9)which));

    hls_cover(self->stale && self->at != WALK_IDLE);

    HLS_PROCESS(self->at, WALK_IDLE, WALK_UPPER, WALK_LOWER, WALK_GIVE);
    for (;;) {
        HLS_WAIT_UNTIL(WALK_IDLE, in->asks);
        do {
            self->stale = 0;
            self->out.status = MEM_DONE;
            if (in->context.two) {
                ask(self, in->context.root, (u33)(in->line >> 9));
                do {
                    HLS_WAIT(WALK_UPPER);
                } while (self->beats != LINE_BEATS);
                if (self->out.status == MEM_DONE && !(u1)upper)
                    self->out.status = MEM_UNTRANSLATED;
            }
            if (self->out.status == MEM_DONE) {
                ask(self, in->context.two ? (u36)(upper >> 2) : in->context.root,
                    in->context.two ? (u33)(u6)in->line : in->line);
                do {
                    HLS_WAIT(WALK_LOWER);
                } while (self->beats != LINE_BEATS);
            }
        } while (self->stale);
        self->out.done = 1;
        HLS_WAIT(WALK_GIVE);
        self->out.done = 0;
    }
}
