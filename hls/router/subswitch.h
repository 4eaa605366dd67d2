// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch.h - ports and registers of the subswitch: row busses to column busses.
 */
#ifndef SUBSWITCH_H
#define SUBSWITCH_H

#include "router/rtr_types.h"

struct subswitch_in {
    struct row_flit row[RTR_COLS];  /* of each tile of this row; taken if it is for this column */
    struct vc_note freed[RTR_ROWS]; /* by our column buffers in the tiles of this column */
    struct rtr_place here;          /* constant */
};

struct subswitch_out {
    struct vc_note freed[RTR_COLS]; /* to the input queues of this row */
    struct column_flit column[RTR_ROWS];
    u1 corrected; /* one wrong bit in a memory */
    u1 fatal;     /* two */
};

#endif
