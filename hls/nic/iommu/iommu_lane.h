// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_lane.h - accesses of one direction on their way through iommu, in order, and what has been found out about them.
 *
 * A ring of accesses: written by parb, looked for ahead (probe), translated (use), sent. Those of physical addresses are plain: all pass over them.
 */
#ifndef IOMMU_LANE_H
#define IOMMU_LANE_H

#include "axi/memory.h"

#define IOMMU_WAITS_LOG2 (NIC_WALKS_LOG2 + 1)
#define IOMMU_WAITS      (1 << IOMMU_WAITS_LOG2)
#define IOMMU_REST_BITS  23

typedef uint(IOMMU_WAITS_LOG2) iommu_slot;
typedef uint(IOMMU_WAITS_LOG2 + 1) iommu_count; /* since the beginning; the low bits are the slot */
typedef uint(IOMMU_REST_BITS) iommu_rest;

#define ECC      access_ecc /* {split, space, address} */
#define ECC_DATA 54
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      frame_ecc /* {frame, enum mem_status} */
#define ECC_DATA 38
#define ECC_BITS 7
#include "common/ecc.inc"

#define FRAME_CODE_BITS (38 + 7)

typedef uint(2 * FRAME_CODE_BITS)
    iommu_frames; /* where the first part lies, and what is behind a page's end */

/* An access as it comes. */
struct iommu_access {
    u1 valid;
    u1 plain;
    u1 split; /* it goes over the end of a page of 4 KB */
    mem_space space;
    u48 addr;
    iommu_rest rest;
};

/* The next one that leaves. */
struct iommu_front {
    u1 valid;
    u1 split;
    u2 fault; /* enum mem_status: not DONE, it is not done */
    u48 addr, behind;
    iommu_rest rest;
    u1 corrected;
};

/* What is looked up next: of which access, of its second part, in its context's first table. */
struct iommu_seek {
    iommu_count at;
    u1 half;
    u1 upper;
};

/* What a look has come to. */
struct iommu_verdict {
    u1 valid;
    u1 probes;
    u1 again;    /* it is looked for again, ... */
    u1 upper;    /* ... there */
    u1 demands;  /* its line is read for it alone: nobody else asks meanwhile */
    u1 finishes; /* it has its frame, or its fault */
    u2 fault;
    u36 frame;
    struct iommu_seek seek;
    u1 split;
};

struct iommu_lane {
    iommu_count written, probed, done, sent;
    struct iommu_seek probe, use;
    u36 first; /* frame of the first part of the one that is translated */
    u1 demand;

    HLS_LUTRAM(2) access_ecc_word accesses[IOMMU_WAITS];
    HLS_LUTRAM(1) iommu_rest rests[IOMMU_WAITS];
    HLS_LUTRAM(5) u2 kinds[IOMMU_WAITS]; /* {split, plain} */
    HLS_LUTRAM(1) iommu_frames frames[IOMMU_WAITS];
};

static inline void lane_reset(struct iommu_lane *lane)
{
    lane->written = 0;
    lane->probed = 0;
    lane->done = 0;
    lane->sent = 0;
    lane->probe = (struct iommu_seek){};
    lane->use = (struct iommu_seek){};
    lane->first = 0;
    lane->demand = 0;
}

static inline u48 page_behind(u48 addr)
{
    return (u48)((u48)((u36)(addr >> 12) + 1) << 12);
}

/* a is an older access than b. */
static inline u1 is_behind(const struct iommu_lane *lane, iommu_count a, iommu_count b)
{
    return (iommu_count)(lane->written - a) > (iommu_count)(lane->written - b);
}

/* The access that is to leave, if its address is known. */
static inline struct iommu_front lane_front(const struct iommu_lane *lane)
{
    iommu_slot at = (iommu_slot)lane->sent;
    u1 plain = (u1)lane->kinds[at];
    iommu_frames frames = lane->frames[at];
    struct access_ecc_result access = access_ecc_decode(lane->accesses[at]);
    struct frame_ecc_result first = frame_ecc_decode((frame_ecc_word)frames);
    struct frame_ecc_result second = frame_ecc_decode((frame_ecc_word)(frames >> FRAME_CODE_BITS));
    u48 addr = (u48)access.data;
    u1 lost = access.fatal || (!plain && (first.fatal || second.fatal));
    u2 fault = plain ? (u2)MEM_DONE : (u2)first.data;
    u36 frame = (u36)(first.data >> 2), behind = (u36)(second.data >> 2);

    return (struct iommu_front){
        .valid = lane->sent != lane->written && (plain || lane->sent != lane->done),
        .split = (u1)(access.data >> 53),
        .fault = lost ? (u2)MEM_WRONG_BITS : fault,
        .addr = plain ? addr : (u48)(((u48)frame << 12) | (u12)addr),
        .behind = plain ? page_behind(addr) : (u48)((u48)behind << 12),
        .rest = lane->rests[at],
        .corrected = access.corrected || (!plain && (first.corrected || second.corrected)),
    };
}

/* The next look of a seeker; kind is that of its access. Says whether there is one, in this turn. */
static inline u1 seek_step(struct iommu_seek *seek, iommu_count written, u2 kind, u1 turn)
{
    u1 there = seek->at != written, plain = (u1)kind, split = (u1)(kind >> 1);
    u1 looks = there && turn && !plain;
    u1 stays = split && !seek->half;

    if (looks && stays) {
        seek->half = 1;
        seek->upper = 0;
    } else if (looks || (there && plain)) {
        seek->at++;
        seek->half = 0;
        seek->upper = 0;
    }
    return looks;
}

/* Of the two that count how far a lane is. */
static inline void lane_pass(struct iommu_lane *lane, u1 done_plain, u1 probed_plain)
{
    lane->done += lane->done != lane->written && done_plain;
    lane->probed += lane->probed != lane->written && probed_plain;
}

static inline frame_ecc_word frame_word(u36 frame, u2 fault)
{
    return frame_ecc_encode((frame_ecc_data)(((frame_ecc_data)frame << 2) | fault));
}

/* A verdict about one of a lane's accesses. */
static inline void lane_take(struct iommu_lane *lane, const struct iommu_verdict *v)
{
    u1 uses = v->valid && !v->probes, probes = v->valid && v->probes;
    u1 faults = uses && v->finishes && v->fault != MEM_DONE;
    u1 last = v->seek.half || !v->split;
    u1 ends = uses && v->finishes && (last || v->fault != MEM_DONE);
    iommu_count next = (iommu_count)(v->seek.at + 1);
    struct iommu_seek back = {.at = faults ? next : v->seek.at,
                              .half = !faults && v->seek.half,
                              .upper = !faults && v->upper};

    if (uses && (v->again || faults)) {
        lane->use = back;
    }
    if (probes && v->again) {
        lane->probe = back;
    }
    if (probes && !v->again && last) {
        lane->probed = next;
    }
    if (ends) {
        frame_ecc_word first = frame_word(v->seek.half ? lane->first : v->frame, v->fault);
        frame_ecc_word second = frame_word(v->frame, MEM_DONE);

        lane->frames[(iommu_slot)v->seek.at] =
            (iommu_frames)(((iommu_frames)second << FRAME_CODE_BITS) | first);
        lane->done = next;
    } else if (uses && v->finishes) {
        lane->first = v->frame;
    }
    if (uses) {
        lane->demand = (lane->demand || v->demands) && !v->finishes;
    }
}

/* Nobody looks for what is translated already; after forget all begin anew. */
static inline void lane_pull(struct iommu_lane *lane, u1 forget)
{
    struct iommu_seek from = {.at = lane->done};

    if (forget || is_behind(lane, lane->probe.at, lane->done)) {
        lane->probe = from;
    }
    if (forget || is_behind(lane, lane->probed, lane->done)) {
        lane->probed = lane->done;
    }
    if (forget) {
        lane->use = from;
        lane->demand = 0;
    }
}

static inline void lane_push(struct iommu_lane *lane, const struct iommu_access *access)
{
    iommu_slot at = (iommu_slot)lane->written;

    hls_assume(!access->valid ||
               (iommu_count)(lane->written - lane->sent) != IOMMU_WAITS); /* parb heeds room */
    if (access->valid) {
        lane->accesses[at] = access_ecc_encode(
            (access_ecc_data)(((access_ecc_data)access->split << 53) |
                              ((access_ecc_data)access->space << 48) | access->addr));
        lane->rests[at] = access->rest;
        lane->kinds[at] = (u2)((u2)((u2)access->split << 1) | access->plain);
        lane->written++;
    }
}

/* Two more fit. */
static inline u1 lane_room(const struct iommu_lane *lane)
{
    return (iommu_count)(lane->written - lane->sent) <= IOMMU_WAITS - 2;
}

#endif
