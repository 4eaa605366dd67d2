// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch.h - ports and registers of the subswitch: row busses to column busses.
 */
#ifndef SUBSWITCH_H
#define SUBSWITCH_H

#include "router/column_credit.h"
#include "router/row_buffer.h"

struct subswitch_in {
    struct row_flit row[RTR_COLS]; /* of each tile of this row; taken if it is for this column */
    struct vc_note column_freed[RTR_ROWS]; /* by our column buffers in the tiles of this column */
    struct rtr_place here;                 /* constant */
};

struct subswitch_out {
    struct vc_note freed[RTR_COLS]; /* to the input queues of this row */
    struct column_flit column[RTR_ROWS];
    u1 corrected; /* one wrong bit in a memory */
    u1 fatal;     /* two */
};

#define CROSS_VCS (1 << RTR_VC_BITS)

typedef uint(CROSS_VCS) cross_vcs;               /* one bit per VC */
typedef uint(RTR_COLS << RTR_VC_BITS) cross_all; /* one bit per input and VC: {input, VC} */

#if RTR_TWO_STEP
typedef uint(RTR_VC_BITS + RTR_COL_LOG2 + 1) cross_load;
typedef uint(RTR_ROWS *RTR_ROWS) cross_order;
#endif

struct subswitch {
    struct subswitch_out out;
    struct row_buffer buffer[RTR_COLS];
    struct column_credit credit[RTR_ROWS];

    cross_all started;        /* the packet at the front has sent its head */
    cross_vcs busy[RTR_ROWS]; /* VCs of a column bus held by a packet */
    rtr_cols open;            /* input i: the last flit it sent was not a tail */
    rtr_vc vc[RTR_COLS];      /* of that flit */
    rtr_cols from[RTR_ROWS];  /* the input whose last flit went here, if none went here after it */

    /* Column bus: what was popped in the call before. */
    rtr_rows sends;
    rtr_rows tail;
    rtr_col sender[RTR_ROWS];
    rtr_vc sends_vc[RTR_ROWS]; /* stays */

    /* Round robin: all after the one that went last. */
    rtr_cols input_after[RTR_ROWS];
    cross_vcs vc_after[RTR_COLS];

#if RTR_TWO_STEP
    cross_all arriving;               /* a packet has come, but not its tail */
    rtr_row way[RTR_COLS][CROSS_VCS]; /* and goes to this row */
    cross_load load[RTR_ROWS];        /* flits under way to the column buffers of a row */
    cross_order lighter;              /* bit {row, other}: other has less load */
#endif
};

HLS_RESET void subswitch_reset(struct subswitch *self);
HLS_MODULE void subswitch(struct subswitch *self, const struct subswitch_in *in);

#endif
