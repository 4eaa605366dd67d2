// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_lane.h - ports and registers of a lane: accesses of one direction on their way through iommu, in order.
 *
 * Accesses wait in one ring, the pages of those that are to be translated in another, from which two seekers look them up; the frames that are found
 * wait in a FIFO until their accesses leave.
 */
#ifndef IOMMU_LANE_H
#define IOMMU_LANE_H

#include "nic/iommu/iommu_types.h"

#define IOMMU_FRAMES_LOG2 4
#define IOMMU_FRAMES      (1 << IOMMU_FRAMES_LOG2)

typedef uint(IOMMU_FRAMES_LOG2) iommu_frame_slot;

#define ECC      address_ecc
#define ECC_DATA 48
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      frame_ecc /* {frame, enum mem_status} */
#define ECC_DATA 38
#define ECC_BITS 7
#include "common/ecc.inc"

/* An access's other fields, as they wait: {split, plain, rest}. */
typedef uint(IOMMU_REST_BITS + 2) iommu_others;

struct iommu_lane_in {
    struct iommu_access access;
    u1 looks;  /* a look may begin, ... */
    u1 probes; /* ... of the seeker that is ahead */
    struct iommu_verdict verdict;
    u1 forget; /* page tables have changed: looks begin anew */
    u1 pop;    /* takes out.front */
};

struct iommu_lane_out {
    u1 room; /* three more */
    struct iommu_look look;
    page_ecc_word page; /* of the look */
    struct iommu_front front;
    u1 idle;
    u1 corrected; /* one clock: a single-bit error in what leaves */
    u1 lost;      /* one clock: what leaves ends with MEM_WRONG_BITS */
};

/* What is looked up next. */
struct iommu_seek {
    iommu_count at;
    u1 upper;
    u1 passed; /* up there: as it was for the look below */
    u1 turn;
};

/* An access in a register, as the memories have it. */
struct iommu_waiting {
    u1 valid;
    address_ecc_word addr;
    iommu_others others;
};

/* ... decoded. */
struct iommu_held {
    u1 valid;
    u1 plain, split;
    u1 lost, corrected;
    u48 addr;
    iommu_rest rest;
};

/* A frame, or why there is none. */
struct iommu_frame {
    u1 valid;
    u2 fault;
    u1 corrected;
    u36 frame;
};

/* What leaves next: the whole or, of one over a page's end, what is needed for its first part, and then its second one. */
enum iommu_part { IOMMU_WHOLE, IOMMU_FIRST, IOMMU_SECOND };

struct iommu_lane {
    struct iommu_lane_out out;

    /* Accesses: how many came, how many were read. */
    iommu_count written, read;
    u1 fetched; /* there is one in addr and others */
    address_ecc_word addr;
    iommu_others others;
    struct iommu_waiting waiting;
    struct iommu_held held;

    /* Pages: how many came, how far the one that looks ahead has got, how many have frames. */
    iommu_count pages, probed, done;
    struct iommu_seek use, probe;

    /* Frames: how many were read. */
    iommu_count given;
    u1 fetched_frame; /* there is one in code */
    frame_ecc_word code;
    struct iommu_frame frame;
    struct iommu_frame first; /* of the first part */
    enum iommu_part part;

    IOMMU_RING address_ecc_word addresses[IOMMU_WAITS];
    IOMMU_RING iommu_others rests[IOMMU_WAITS];
    IOMMU_RING page_ecc_word places[IOMMU_WAITS];
    HLS_LUTRAM(1) frame_ecc_word frames[IOMMU_FRAMES];
};

HLS_RESET void iommu_lane_reset(struct iommu_lane *self);
HLS_MODULE void iommu_lane(struct iommu_lane *self, const struct iommu_lane_in *in);

#endif
