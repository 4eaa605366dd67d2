// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_credit.h - ports and registers of the credit accounts in packet mode.
 *
 * Both directions: counts what our input queue frees and offers the counts to pkt_tx; keeps the account of the peer's input
 * queue from the flits that pkt_tx took and the counts that the peer sent.
 */
#ifndef PKT_CREDIT_H
#define PKT_CREDIT_H

#include "link/flit/link_types.h"

#if LCB_VCS > LCB_VCS_MOST || LCB_VCS != 1 << LCB_VC_BITS
#error "config: an ACK names 4 VCs at most, and a head no VC that is not there"
#endif
#if 8 * LCB_SHARED_MOST < 2 * RTR_PACKET || 8 * LCB_SHARED_MOST >= LCB_LENT_MOST
#error "config: a VC is lent less than two packets, or more than a count tells"
#endif
#if RTR_PACKET > 32
#error "config: an end counts 32 phits at most"
#endif

#define CREDIT_HELD_BITS (LCB_STEP_BITS + LCB_STEP_LOG2 + LCB_VC_BITS + 1)

typedef uint(LCB_VCS) lcb_vcs;
typedef uint(LCB_STEP_BITS + LCB_STEP_LOG2) lcb_freed; /* phits since the epoch began, modulo */
typedef uint(LCB_STEP_BITS + LCB_STEP_LOG2 + 1) lcb_filled;
typedef uint(CREDIT_HELD_BITS) lcb_held;

struct pkt_credit_in {
    u1 clear; /* a new epoch */
    u1 dead;  /* until clear: what pkt_tx takes is reported and needs no credit */
    /* Ours: */
    lcb_phits counted; /* phits of a packet that pkt_rx believes */
    u1 freed_valid;    /* the input queue gives one back */
    lcb_vc freed_vc;
    u1 sent;  /* pkt_tx has put the offered credit into an ACK */
    u5 limit; /* eights freed and not reported that ask for a record */
    /* The peer's: */
    u1 start_valid; /* a packet of start_vc is announced: until its tail is taken it is charged as the longest */
    lcb_vc start_vc;
    u1 taken; /* pkt_tx takes this flit */
    u1 tail;
    lcb_vc vc;       /* of a head */
    lcb_phits made;  /* pkt_tx: phits of the packet that was taken last, which is whole; else 0 */
    u1 credit_valid; /* pkt_rx got this count: steps of phits freed */
    lcb_vc credit_vc;
    lcb_steps credit_steps;
    u9 lent; /* phits that the peer lends each VC, in eights */
};

struct pkt_credit_out {
    lcb_vc due_vc; /* the credit to report: of the VC with the most, all in turn if there is none */
    lcb_steps due_steps;
    u1 owed;           /* so much of it that a record is to go */
    lcb_vcs room;      /* VC v: the peer can take a packet of any length */
    lcb_vcs spare;     /* VC v: and one more */
    u1 short_of;       /* a VC has no room, although no packet of ours is announced or half taken */
    u1 drained;        /* our input queue has given back all that it got */
    lcb_held requests; /* phits charged to the peer's queue that it has not freed */
    lcb_held responses;
};

struct pkt_credit {
    struct pkt_credit_out out;
    lcb_held held;              /* phits in our queue */
    lcb_freed freed[LCB_VCS];   /* by our queue since the epoch began */
    lcb_steps told[LCB_VCS];    /* of them reported */
    lcb_filled filled[LCB_VCS]; /* phits of whole packets in the peer's queue */
    lcb_steps known[LCB_VCS];   /* steps that it has freed */
    u3 begun[LCB_VCS];          /* packets announced that are not whole: three, and the open one */
    u1 open;                    /* a packet is being taken */
    lcb_vc vc;                  /* its VC, or that of the last one */
    u2 ahead;                   /* packets announced whose head was not taken */
};

HLS_RESET void pkt_credit_reset(struct pkt_credit *self);
HLS_MODULE void pkt_credit(struct pkt_credit *self, const struct pkt_credit_in *in);

#endif
