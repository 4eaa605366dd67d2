// SPDX-License-Identifier: Apache-2.0
/*
 * iommu.c - address translation: two lanes of accesses, the looks at page tables that they take turns in, and what leaves for the AXI manager.
 *
 * Accesses of a direction leave in order, translated as a whole or not at all.
 */
#include "nic/iommu/iommu.h"

#define READ_FAULT_AT 6 /* in the rest of a read */
#define READER_AT     8
#define WRITE_SKIP_AT 22 /* in that of a write, below it as in the head */

HLS_RESET void iommu_reset(struct iommu *self)
{
    self->out = (struct iommu_out){};
    self->write_second = 0;
    self->read_second = 0;
    self->step = IOMMU_HEAD;
    self->turn = 0;
    self->forgets = 0;
    iommu_lane_reset(&self->writes);
    iommu_lane_reset(&self->reads);
    iommu_queue_reset(&self->data);
    iommu_looks_reset(&self->looks);
}

/* ---- what comes -------------------------------------------------------------------------------------- */

static inline struct iommu_access write_of(const struct beat *beat, u1 second)
{
    beat_word word = beat->word;
    mem_space space = BEAT_FIELD(word, MEM_SPACE_AT, 5);

    return (struct iommu_access){
        .valid = beat->valid && beat->head,
        .second = second,
        .plain = !(u1)space,
        .split = BEAT_FIELD(word, MEM_SPLIT_AT, 1),
        .context = (u4)(space >> 1),
        .addr = (u48)(word >> MEM_ADDR_AT),
        .rest = (iommu_rest)(((iommu_rest)(u1)(word >> MEM_SKIP_AT) << WRITE_SKIP_AT) | (u22)word),
    };
}

/* One that is refused already has one part. */
static inline struct iommu_access read_of(const struct mem_read *read, u1 second)
{
    u1 refused = read->fault != MEM_DONE;

    return (struct iommu_access){
        .valid = read->valid,
        .second = second,
        .plain = !(u1)read->space || refused,
        .split = read->split && !refused,
        .context = (u4)(read->space >> 1),
        .addr = read->addr,
        .rest = (iommu_rest)(((iommu_rest)read->reader << READER_AT) |
                             ((iommu_rest)read->fault << READ_FAULT_AT) | read->bytes),
    };
}

/* ---- what leaves ------------------------------------------------------------------------------------- */

/* What is taken of the lane and of the queue of data. */
struct iommu_pops {
    u1 front, data;
};

static inline struct iommu_pops send_write(struct iommu *self, const struct iommu_in *in)
{
    const struct iommu_front *front = &self->writes.out.front;
    struct beat data = self->data.out.front;
    u1 refused = front->fault != MEM_DONE;
    beat_word head = ((beat_word)front->addr << MEM_ADDR_AT) |
                     ((beat_word)front->split << MEM_SPLIT_AT) | ((beat_word)1 << MEM_WRITE_AT) |
                     ((beat_word)(u1)(front->rest >> WRITE_SKIP_AT) << MEM_SKIP_AT) |
                     (u22)front->rest;
    u1 begins = self->step == IOMMU_HEAD && front->valid;
    u1 heads = begins && !refused && in->may_write;
    u1 goes_on = self->step == IOMMU_DATA && data.valid && in->may_write;
    u1 drops = self->step == IOMMU_DROP && data.valid;
    /* in its turn: nothing before it is unanswered */
    u1 answers = self->step == IOMMU_REFUSE && in->idle_write && !self->out.to_write.valid &&
                 !in->answered.valid;

    self->out.to_write = (struct beat){.valid = heads || goes_on,
                                       .head = heads,
                                       .tail = goes_on && data.tail,
                                       .bad = goes_on && data.bad,
                                       .word = heads ? head : data.word};
    self->out.done = in->answered;
    if (answers) {
        self->out.done = (struct mem_done){
            .valid = 1,
            .client = (u4)front->rest,
            .place = (u12)(front->rest >> 4),
            .status = front->fault,
        };
    }
    if (begins && refused) {
        self->step = IOMMU_DROP;
    } else if (heads && (!front->split || front->second)) {
        self->step = IOMMU_DATA;
    } else if (drops && data.tail) {
        self->step = IOMMU_REFUSE;
    } else if ((goes_on && data.tail) || answers) {
        self->step = IOMMU_HEAD;
    }
    return (struct iommu_pops){.front = heads || answers, .data = goes_on || drops};
}

static inline u1 send_read(struct iommu *self, u1 may)
{
    const struct iommu_front *front = &self->reads.out.front;
    u1 sends = front->valid && may;

    self->out.to_read = (struct mem_read){
        .valid = sends,
        .reader = (mem_reader)(front->rest >> READER_AT),
        .fault = front->fault != MEM_DONE ? front->fault : (u2)(front->rest >> READ_FAULT_AT),
        .split = front->split,
        .bytes = (u6)front->rest,
        .addr = front->addr,
    };
    return sends;
}

/* ---- together ---------------------------------------------------------------------------------------- */

/* What a lane does, beside its front: bit 1 of the turn is the lane's, bit 0 says whether it looks ahead. */
static inline struct iommu_lane_in to_lane(const struct iommu *self, u1 reads)
{
    struct iommu_verdict verdict = self->looks.out.verdict;

    verdict.valid &= self->looks.out.reads == reads;
    return (struct iommu_lane_in){
        .looks = self->looks.out.ready && (u1)(self->turn >> 1) == reads,
        .probes = (u1)self->turn,
        .verdict = verdict,
        .forget = self->forgets,
    };
}

static inline u1 is_idle(const struct iommu *self, const struct iommu_in *in)
{
    return self->writes.out.idle && self->reads.out.idle && self->data.out.empty &&
           self->step == IOMMU_HEAD && !self->out.to_write.valid && !self->out.to_read.valid &&
           !self->out.done.valid && self->looks.out.idle && !in->write.valid && !in->read.valid;
}

static inline pte_counts counts(const struct iommu *self)
{
    const struct iommu_lane_out *w = &self->writes.out, *r = &self->reads.out;
    u1 corrected = w->corrected | r->corrected | self->data.out.corrected;
    u1 fatal = w->lost | r->lost | self->data.out.fatal;

    return (pte_counts)(self->looks.out.count |
                        (pte_counts)((pte_counts)corrected << PTE_CORRECTED) |
                        (pte_counts)((pte_counts)fatal << PTE_FATAL));
}

HLS_MODULE void iommu(struct iommu *self, const struct iommu_in *in)
{
    struct iommu_lane_in writes = to_lane(self, 0), reads = to_lane(self, 1);
    struct iommu_looks_in looks = {.look_write = self->writes.out.look,
                                   .look_read = self->reads.out.look,
                                   .page_write = self->writes.out.page,
                                   .page_read = self->reads.out.page,
                                   .forget = self->forgets,
                                   .reg = in->reg,
                                   .wipe = in->wipe,
                                   .taken = in->taken,
                                   .beat = in->beat};
    struct iommu_queue_in data = {.push = in->write};
    struct iommu_pops pops = send_write(self, in);

    writes.access = write_of(&in->write, self->write_second);
    reads.access = read_of(&in->read, self->read_second);
    writes.pop = pops.front;
    reads.pop = send_read(self, in->may_read);
    data.pop = pops.data;
    data.push.valid = in->write.valid && !in->write.head;
    if (in->write.valid && in->write.head) {
        self->write_second = writes.access.split && !self->write_second;
    }
    if (in->read.valid) {
        self->read_second = in->read.split && !self->read_second;
    }
    self->out.count = counts(self);
    self->out.stale = self->forgets | self->looks.out.stale;
    self->out.idle = is_idle(self, in);
    self->out.room_write = self->writes.out.room && self->data.out.fits;
    self->out.room_read = self->reads.out.room;
    hls_cover(self->step == IOMMU_REFUSE);
    self->turn++;
    self->forgets = (in->reg.valid && (u16)(in->reg.addr - NR_IOMMU) < 16) || in->wipe.valid ||
                    (in->reg.valid && in->reg.addr == NR_INVALIDATE);
    iommu_lane(&self->writes, &writes);
    iommu_lane(&self->reads, &reads);
    iommu_queue(&self->data, &data);
    iommu_looks(&self->looks, &looks);
    self->out.walk = self->looks.out.walk;
}
