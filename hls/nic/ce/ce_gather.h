// SPDX-License-Identifier: Apache-2.0
/*
 * ce_gather.h - ports and registers of what comes to the collective engines: joins of this host, CE_UP and CE_DOWN of others, and the
 * registers of the driver.
 */
#ifndef CE_GATHER_H
#define CE_GATHER_H

#include "common/beat/beat_queue.h"
#include "nic/ce/ce_types.h"

/* Bits of out.count. */
enum ce_gather_count {
    GATHER_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    GATHER_FATAL,     /* two in a packet or a child's entry: refused, or dropped: TRANSIENT */
    GATHER_REFUSED,   /* a join or packet was refused: TRANSACTION */
    GATHER_COUNTS
};

/* What engines are at, by ce_send. */
struct ce_phase {
    ce_engines sent; /* bit e: CE_UP is out, its result has not come */
    ce_engines busy; /* something of it is on its way */
    ce_engines
        begin; /* for one clock: the children that joined get a result now: the next reduction may begin */
};

struct ce_gather_in {
    struct beat join;    /* of nic_fma: three beats, begun when out.room_join was 1 */
    struct beat request; /* of rat_net: CE_UP and CE_DOWN, as they came */
    u1 answer_taken;     /* npt's */
    u1 refusal_taken;    /* ce_send's */
    struct ce_phase phase;
    struct nic_write write;
    struct nic_wipe wipe;
    u16 read;
    u1 epoch; /* for one clock: an ORB epoch ends */
};

struct ce_gather_out {
    u1 room_join;
    u1 room_request;
    struct amo_answer answer; /* to npt, until it is taken */
    struct ce_part part;
    struct ce_joined joined;
    struct ce_result down;
    struct ce_refusal refusal;
    struct ce_entry entry;
    struct ce_config config[CE_ENGINES];
    ce_engines active; /* bit e: a reduction has begun and no result was given out */
    ce_id id[CE_ENGINES];
    u6 operation[CE_ENGINES];
    ce_engines turn;   /* bit e: where this reduction's endpoints are kept (ce_joined.place) */
    ce_children told;  /* those that had joined at phase.begin */
    ce_engines late;   /* bit e: it has taken too long */
    ce_engines closed; /* bit e: disabled with a reduction under way */
    u1 idle;           /* no reduction, join or packet is here, and no answer */
    u1 known;          /* in.read, a clock ago, was a STATUS: */
    u64 status;
    uint(GATHER_COUNTS) count;
};

enum ce_gather_at { GATHER_TAKE, GATHER_DATA, GATHER_JUDGE, GATHER_DECIDE };

/* What speaks against a join or packet. */
struct ce_judged {
    nic_status_field status;
    u2 reason; /* enum ce_reason */
};

struct ce_gather {
    struct ce_gather_out out;
    struct beat_queue joins;
    struct beat_queue requests;

    /* Of each engine. */
    ce_children pending[CE_ENGINES]; /* joined, and no result given out */
    ce_id last[CE_ENGINES];          /* the reduction before this one */
    ce_engines before;               /* there was one */
    u8 age[CE_ENGINES];              /* epochs */

    /* What is looked at. */
    enum ce_gather_at at;
    u1 joining; /* it is a join */
    u1 bad;     /* a double-bit error in its data */
    u1 lost;    /* in its head */
    u1 second;  /* its next beat is a join's second one */
    beat_word head;
    beat_data operands;
    beat_data endpoint;
    child_ecc_word code; /* of the child that it names */
    struct ce_relative child;
    u1 fatal; /* two bits of the entry are wrong */
    u1 corrected;
    struct ce_judged judged;
    HLS_BRAM_READ_FIRST child_ecc_word children[CE_ENGINES * CE_CHILDREN];
};

HLS_RESET void ce_gather_reset(struct ce_gather *self);
HLS_MODULE void ce_gather(struct ce_gather *self, const struct ce_gather_in *in);

#endif
