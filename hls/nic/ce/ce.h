// SPDX-License-Identifier: Apache-2.0
/*
 * ce.h - ports of the collective engines: reductions over a tree of nodes, whose result all processes get that took part.
 */
#ifndef CE_H
#define CE_H

#include "nic/ce/ce_fold.h"
#include "nic/ce/ce_gather.h"
#include "nic/ce/ce_send.h"
#include "nic/regs/nic_regs.h"

/* Bits of out.count. */
enum ce_counts {
    CE_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    CE_FATAL, /* two: that packet is dropped or refused, or its reduction ends UNCORRECTABLE: TRANSIENT */
    CE_REFUSED, /* a join or packet was refused: TRANSACTION */
    CE_DONE,    /* a reduction ended OK in an engine: INFORMATIONAL */
    CE_FAILED,  /* ... or otherwise: TRANSACTION */
    CE_UNTOLD,  /* a child did not get its result: CRITICAL */
    CE_COUNTS
};

struct ce_in {
    struct beat join;          /* of nic_fma: begun when out.room_join was 1 */
    struct beat request;       /* of rat_net: CE_UP, CE_DOWN */
    u1 answer_taken;           /* by npt */
    u1 room;                   /* of tarb */
    u1 tags;                   /* a few more requests may go out */
    struct ce_over over;       /* of ssid: a transaction is over */
    u1 local_taken;            /* by rat_local */
    struct mem_done done;      /* a word that it took is in memory, or is not */
    struct ce_failure refused; /* by rat_local */
    u1 room_event;             /* of cq */
    struct nic_write write;
    struct nic_wipe wipe;
    u16 read; /* nic_regs: the register that is read */
    u1 epoch; /* for one clock: an ORB epoch ends */
};

struct ce_out {
    u1 room_join;
    u1 room_request;
    struct amo_answer answer; /* to npt, until it is taken */
    struct beat beat;         /* to tarb */
    struct local_word local;  /* to rat_local, until it is taken */
    struct nic_event event;   /* to cq */
    struct owned_value owned; /* STATUS, if in.read was one a clock ago */
    u1 idle;
    uint(CE_COUNTS) count;
};

struct ce {
    struct ce_out out;
    struct ce_gather gather;
    struct ce_fold fold;
    struct ce_send send;
    struct ce_members members;
    struct ce_packet packet;
};

HLS_RESET void ce_reset(struct ce *self);
HLS_MODULE void ce(struct ce *self, const struct ce_in *in);

#endif
