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
    u1 corrected; /* one wrong bit in a memory: corrected */
    u1 fatal;     /* two: uncorrectable */
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

    cross_all started;         /* {input, VC}: the packet at the front has sent its head */
    cross_vcs busy[RTR_ROWS];  /* VCs of this column bus that a packet holds, head to tail */
    rtr_cols open;             /* input i is inside a packet: its last flit was not a tail */
    rtr_vc vc[RTR_COLS];       /* of the flit that input i sent last */
    rtr_cols holder[RTR_ROWS]; /* one-hot: the input whose packet owns this column bus */

    /* Column busses: the flits popped in the call before, which they carry now. */
    rtr_rows sends;
    rtr_rows tail;
    rtr_col sender[RTR_ROWS];
    rtr_vc sends_vc[RTR_ROWS]; /* kept while nothing is sent: the VC of that packet */

    /* Round robin: a mask of all behind the one that was served last. */
    rtr_cols input_after[RTR_ROWS];
    cross_vcs vc_after[RTR_COLS];

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
