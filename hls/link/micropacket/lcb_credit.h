// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_credit.h - ports and registers of the credit accounts.
 *
 * Both directions: counts what our input queue frees and offers the counts to lcb_tx, one VC after
 * the other, in whole steps of flits; keeps the account of the peer's input queue from the flits that lcb_tx took and the
 * counts that the peer sent.
 */
#ifndef LCB_CREDIT_H
#define LCB_CREDIT_H

#include "link/flit/link_types.h"

#if LCB_SHARED_MOST == 0 && LCB_GUARANTEED < 4 * LCB_LONGEST
#error "config: without shared space LCB_GUARANTEED must be four packets"
#endif

#if LCB_GUARANTEED < (1 << LCB_LENGTH_BITS) + (1 << LCB_STEP_LOG2) - 1
#error "config: LCB_GUARANTEED is less than a packet and the flits that a credit count may not tell"
#endif

#define CREDIT_SUM_BITS (LCB_CREDIT_BITS + 1)

typedef uint(LCB_VCS) lcb_vcs;
typedef uint(CREDIT_SUM_BITS) lcb_credit_sum;

struct lcb_credit_in {
    u1 clear; /* a new epoch */
    u1 dead;  /* until clear: what lcb_tx takes is reported and needs no room */
    /* Ours: */
    u1 handed;      /* lcb_rx has handed up a flit */
    u1 freed_valid; /* the input queue has passed a flit on */
    lcb_vc freed_vc;
    u1 sent; /* lcb_tx has put the offered credit into a tail */
    /* The peer's: */
    u1 start_valid; /* a packet of start_vc is announced: until its head comes it is charged as the longest */
    lcb_vc start_vc;
    u1 taken; /* lcb_tx takes this flit */
    lcb_flit flit;
    u1 credit_valid; /* lcb_rx got this count: steps of flits freed */
    lcb_vc credit_vc;
    lcb_steps credit_steps;
    u9 shared_space; /* shared space of the peer's input queue, in eights: with a VC's guarantee less than 2^LCB_CREDIT_BITS flits */
};

struct lcb_credit_out {
    lcb_vc vc; /* the credit that is due */
    lcb_steps steps;
    lcb_vcs room;  /* VC v: the peer can take a packet of any length */
    lcb_vcs spare; /* VC v: and one more packet, of any VC */
    u1 short_of;   /* a VC has no room, although no packet of ours is half sent */
    u1 drained;    /* our input queue has passed on all that it got */
    lcb_credit_sum
        requests; /* flits charged to the peer's queue, a packet's all from its head on, that it has not freed */
    lcb_credit_sum responses;
};

/* A head that was taken in the clock before. */
struct credit_head {
    u1 valid;
    u1 charged; /* not to a dead link */
    lcb_vc vc;
    lcb_length length;
};

/* What an account said before one of these: a packet's flits, or flits that the peer freed. */
struct credit_entry {
    u1 valid;
    u1 head;
    lcb_vc vc;
    lcb_credits filled;
    lcb_credits amount;
    lcb_steps steps; /* as the peer gave them */
};

struct lcb_credit {
    struct lcb_credit_out out;
    u1 wipes; /* zeros are being written to the memories, one VC per clock */
    lcb_vc wiped;

    lcb_vcs due;         /* VCs of ours that freed a whole step since their count was offered */
    lcb_vc turn;         /* the VC that is offered from the next clock on */
    lcb_credit_sum held; /* flits in our queue */

    lcb_vcs fits; /* VC v: a packet of any length fits into its guaranteed part */
#if LCB_SHARED_MOST
    lcb_credit_sum committed; /* shared space in use or to be used, at least */
#else
    lcb_vcs roomy; /* VC v: three packets fit */
#endif
    u4 pending; /* packets that count in it as the longest: their heads have not reached `head` */
    lcb_vcs begun;   /* VCs of packets begun since none was pending or in the stages below */
    lcb_length left; /* flits of the packet being taken that are still to come */
    u1 waits;        /* a count from the peer waits for a clock without `head` */
    lcb_vc waiting_vc;
    lcb_steps waiting_steps;

    struct credit_head head;   /* its account is being read */
    struct credit_entry entry; /* was read, and is being booked */
#if LCB_SHARED_MOST
    lcb_credits refund; /* flits that turned out to need no shared space */
#endif

    /* Since the epoch began: */
    HLS_LUTRAM(2) lcb_credits freed[LCB_VCS];   /* flits by our queue */
    HLS_LUTRAM(1) lcb_credits charged[LCB_VCS]; /* flits of packets handed over */
    HLS_LUTRAM(1) lcb_steps known[LCB_VCS];     /* steps freed by the peer, as last heard */
};

HLS_RESET void lcb_credit_reset(struct lcb_credit *self);
HLS_MODULE void lcb_credit(struct lcb_credit *self, const struct lcb_credit_in *in);

#endif
