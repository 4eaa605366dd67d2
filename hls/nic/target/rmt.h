// SPDX-License-Identifier: Apache-2.0
/*
 * rmt.h - ports and registers of the sequences at the target: packets of a transaction that are in memory, counted until its END's
 * total is reached; then its flag is written and its event posted, without a round trip.
 *
 * An entry is made by the first counted packet or by END, and goes when the count reaches the total, when NOTE comes, or when two
 * epochs have ended. An END that comes before the last packet is parked: it is answered when its entry goes. `note` in an answer says
 * that a packet was not counted, or that an END did not settle its transaction; the initiator then sends NOTE.
 */
#ifndef RMT_H
#define RMT_H

#include "nic/packet/nic_types.h"

#define RMT_WAYS     4
#define RMT_SET_LOG2 (NIC_RMT_LOG2 - 2)
#define RMT_SETS     (1 << RMT_SET_LOG2)

typedef uint(RMT_SET_LOG2) rmt_place;
typedef uint(RMT_SET_LOG2 + 2) rmt_at; /* {way, set} */
typedef u4 rmt_ways;                   /* a bit each */

/* A transaction some of whose packets are here. */
struct rmt_entry {
    u1 valid;
    rmt_key key;
    u32 count;
    u1 parked; /* its END is here: */
    u32 total;
    u2 epoch; /* of its making, or of END */
};

/* What an END or NOTE wants, and whom to answer. */
struct rmt_end {
    u1 wants;
    u10 queue;
    nic_ptag ptag;
    u56 event;
    u33 whom;
};

#define RMT_WRITES_LOG2 3 /* flags that are being written */
#define RMT_WRITES      (1 << RMT_WRITES_LOG2)
typedef uint(RMT_WRITES_LOG2) rmt_write_at;
typedef uint(RMT_WRITES) rmt_writes; /* a bit each */

struct rmt_in {
    struct rmt_op op;           /* of npt: the next one after the result */
    u1 room_event;              /* cq's */
    u1 taken;                   /* npt has taken out.answer */
    u1 flag_taken;              /* rat_local has taken out.flag */
    struct rmt_refused refused; /* ... and does not write one */
    struct mem_done done;       /* axi_master's: of client LOCAL those with PLACE_RMT_AT */
    struct nic_wipe wipe;
    struct nic_config config;
};

struct rmt_out {
    struct rmt_result result;
    struct nic_event event;
    struct amo_answer
        answer;            /* of a parked END, or of what wrote a flag; stands until it is taken */
    struct rmt_write flag; /* to rat_local; stands until it is taken */
    u1 idle;               /* nothing is here that anybody waits for */
};

/* What is done with the set that was read; RMT_TELLS: the oldest flag is written, or will never be. */
enum rmt_step { RMT_NOTHING, RMT_OPERATES, RMT_SCRUBS, RMT_TELLS };

struct rmt {
    struct rmt_out out;

    struct rmt_op op; /* valid: it has no result yet */
    enum rmt_step step;
    struct rmt_entry set[RMT_WAYS]; /* of `place` */
    rmt_place place;
    rmt_place scrub; /* the set that is looked at next */
    u2 epoch;        /* that is now */
    uint(NIC_RMT_LOG2 + 1) parked;

    /* Flags that are being written, told of in their order. */
    rmt_write_at oldest;
    uint(RMT_WRITES_LOG2 + 1) writes;
    rmt_writes written; /* of these: memory has answered, */
    rmt_writes refused; /* or rat_local has */

    HLS_LUTRAM(1) struct rmt_entry way0[RMT_SETS];
    HLS_LUTRAM(1) struct rmt_entry way1[RMT_SETS];
    HLS_LUTRAM(1) struct rmt_entry way2[RMT_SETS];
    HLS_LUTRAM(1) struct rmt_entry way3[RMT_SETS];
    HLS_LUTRAM(1) struct rmt_end ends[1 << NIC_RMT_LOG2];
    HLS_LUTRAM(1) struct rmt_flag flags[1 << NIC_RMT_LOG2]; /* of the same ENDs */
    HLS_LUTRAM(1) struct rmt_end waiting[RMT_WRITES];
    HLS_LUTRAM(1) u2 memory[RMT_WRITES]; /* enum mem_status */
    HLS_LUTRAM(1) nic_status_field why[RMT_WRITES];
};

HLS_RESET void rmt_reset(struct rmt *self);
HLS_MODULE void rmt(struct rmt *self, const struct rmt_in *in);

#endif
