// SPDX-License-Identifier: Apache-2.0
/*
 * vc_credit.h - ports and registers of the accounts for one buffer of vc_queue.inc: who may send a flit there.
 *
 * Counts are cumulative modulo the depth of the buffer: what is full and what is empty tells the mask.
 */
#ifndef VC_CREDIT_H
#define VC_CREDIT_H

#include "router/rtr_types.h"

#define VC_CREDIT_LOG2 (RTR_ROW_LOG2 < RTR_STAGE_LOG2 ? RTR_ROW_LOG2 : RTR_STAGE_LOG2)
#define VC_CREDIT      (1 << VC_CREDIT_LOG2) /* flits of a VC that may be in the buffer */

typedef uint(VC_CREDIT_LOG2) vc_credit_count;

struct vc_credit_in {
    u1 sent; /* a flit of sent_vc */
    rtr_vc sent_vc;
    struct vc_note freed; /* by the buffer */
    u1 wipe;              /* forgets what is out of sent_vc; nothing is sent or freed then */
};

struct vc_credit_out {
    rtr_vcs credit; /* VC v has room for a flit */
};

struct vc_credit {
    struct vc_credit_out out;
    HLS_LUTRAM(1) vc_credit_count used[1 << RTR_VC_BITS];
    HLS_LUTRAM(2) vc_credit_count known[1 << RTR_VC_BITS];
};

HLS_RESET void vc_credit_reset(struct vc_credit *self);
HLS_MODULE void vc_credit(struct vc_credit *self, const struct vc_credit_in *in);

#endif
