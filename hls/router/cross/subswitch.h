// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch.h - ports and registers of the subswitch: row busses to column busses.
 */
#ifndef SUBSWITCH_H
#define SUBSWITCH_H

#include "router/cross/column_credit.h"
#include "router/cross/row_buffer.h"

struct subswitch_in {
    struct row_flit row[RTR_COLS]; /* of each tile of this row; taken if it is for this column */
    struct vc_note column_freed[RTR_ROWS]; /* by our column buffers in the tiles of this column */
    struct rtr_place here;                 /* constant */
};

struct subswitch_out {
    struct vc_note freed[RTR_COLS]; /* to the input queues of this row */
    struct column_flit column[RTR_ROWS];
    u1 corrected; /* a single-bit error in a memory: corrected */
    u1 fatal;     /* two: uncorrectable */
#if DEV_MAINT
    u1 busy; /* a flit waits in a row buffer */
#endif
};

#define CROSS_VCS (1 << RTR_VC_BITS)

typedef uint(CROSS_VCS) cross_vcs;               /* one bit per VC */
typedef uint(RTR_COLS << RTR_VC_BITS) cross_all; /* one bit per input and VC: {input, VC} */

#if RTR_TWO_STEP
typedef uint(RTR_VC_BITS + RTR_COL_LOG2 + 1) cross_load;
typedef uint(RTR_ROWS *RTR_ROWS) cross_order;
#endif

/* A column bus: the flit popped in the call before, which it carries now, and what was known then. */
struct column_state {
    u1 sends;
    u1 inside;       /* its packet has more flits */
    rtr_cols holder; /* one-hot: the input it came from */
    rtr_col sender;  /* its number */
    rtr_vc vc;       /* kept while nothing is sent */
    u1 stayed;       /* it went on with the VC of the flit before ... */
    u1 resumed;      /* ... whose packet had been interrupted */
    u1 few;          /* and which had few credits */
    cross_vcs busy;  /* VCs that packets hold, head to tail; without this flit */
    rtr_cols after;  /* round robin: all behind the input that was served last */
};

struct subswitch {
    struct subswitch_out out;
    struct row_buffer buffer[RTR_COLS];
    struct column_credit credit[RTR_ROWS];

    cross_all
        may; /* {input, VC}: its front is of a packet that has begun, or a head that finds its VC */
    cross_all started; /* {input, VC}: the packet at the front has sent its head */

    /* Of each input the flit that it offers in this clock or, without an offer, the one that it sent or offered last. */
    rtr_vc vc[RTR_COLS];
    rtr_row row[RTR_COLS];
    rtr_cols offers;      /* input i has an offer; */
    rtr_cols offers_tail; /* it is a tail; */
    cross_all
        after; /* round robin: of each input all VCs behind the one whose offer was taken last */
    rtr_cols token
        [CROSS_VCS]; /* of each VC one input, one-hot: the one whose head goes before the others' */
    rtr_cols
        offers_first; /* the offer of input i is of the first class: it has begun, or has the token of its VC */

    struct column_state bus[RTR_ROWS];

#if RTR_TWO_STEP
    cross_all arriving; /* {input, VC}: a packet's head has come, but not its tail */
    rtr_row row_of_packet[RTR_COLS][CROSS_VCS]; /* the row chosen for it */
    cross_load load[RTR_ROWS];                  /* flits in flight to the column buffers of a row */
    cross_order lighter;                        /* bit {row, other}: other has less load than row */
#endif
};

HLS_RESET void subswitch_reset(struct subswitch *self);
HLS_MODULE void subswitch(struct subswitch *self, const struct subswitch_in *in);

#endif
