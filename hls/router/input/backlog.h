// SPDX-License-Identifier: Apache-2.0
/*
 * backlog.h - ports and registers of the backlog of an input: its flits on their way to each column.
 *
 * A flit counts from route on until its row buffer frees it: in staging, on the row bus and in the row buffer. These slots are full if the
 * column does not take what comes, and then all ports in this column are closed to this input, though an output may hold few flits of it: it
 * has one column buffer for each row and VC.
 */
#ifndef BACKLOG_H
#define BACKLOG_H

#include "router/flit/rtr_types.h"

/*
 * Slots for flits of one VC: staging and row buffer. A column is full for a class that has three quarters of them, or if both have
 * half of them.
 */
#define BACKLOG_SLOTS ((1 << RTR_STAGE_LOG2) + (1 << RTR_ROW_LOG2))
#define BACKLOG_ONE   (BACKLOG_SLOTS * 3 / 4)
#define BACKLOG_BOTH  (BACKLOG_SLOTS / 2)

#if RTR_STAGE_LOG2 < RTR_ROW_LOG2
#error "config: the backlog counts in words for row buffers no deeper than staging"
#endif
typedef uint(RTR_VC_BITS + RTR_STAGE_LOG2) backlog_count; /* of half of the VCs */

struct backlog_in {
    u1 routed; /* a flit leaves route for column col, on VC vc */
    rtr_col col;
    rtr_vc vc;
    struct vc_note freed[RTR_COLS]; /* by our row buffers in the tiles of this row */
};

/* Columns that are full for packets of a class, a bit each. */
struct backlog_out {
    rtr_cols full_request;
    rtr_cols full_response;
};

struct backlog {
    struct backlog_out out;
    backlog_count request[RTR_COLS];
    backlog_count response[RTR_COLS];
};

HLS_RESET void backlog_reset(struct backlog *self);
HLS_MODULE void backlog(struct backlog *self, const struct backlog_in *in);

#endif
