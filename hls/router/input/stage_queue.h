// SPDX-License-Identifier: Apache-2.0
/*
 * stage_queue.h - staging behind route: what waits for the row bus, by the VC on which it came.
 *
 * Control bits of a flit from the low end: column, vc (with which it leaves), tail; then where to in the
 * column: a row, or (two steps) rows, hash and adaptive.
 */
#ifndef STAGE_QUEUE_H
#define STAGE_QUEUE_H

#include "router/flit/rtr_types.h"

#define STAGE_VC_AT    3
#define STAGE_TAIL_AT  (STAGE_VC_AT + RTR_VC_BITS)
#define STAGE_WHERE_AT (STAGE_TAIL_AT + 1)
#if RTR_TWO_STEP
#define STAGE_CONTROL (STAGE_WHERE_AT + RTR_ROWS + 3 + 1)
#else
#define STAGE_CONTROL (STAGE_WHERE_AT + 3)
#endif

#define VCQ         stage_queue
#define VCQ_LOG2    RTR_STAGE_LOG2
#define VCQ_CONTROL STAGE_CONTROL
#define VCQ_PLANES  0
#include "common/fifo/vc_queue.inc"

/* Control bits for a flit of the row bus. */
static inline stage_queue_control stage_pack(const struct row_flit *flit)
{
#if RTR_TWO_STEP
    stage_queue_control where =
        (stage_queue_control)((stage_queue_control)flit->rows |
                              ((stage_queue_control)flit->hash << RTR_ROWS) |
                              ((stage_queue_control)flit->adaptive << (RTR_ROWS + 3)));
#else
    stage_queue_control where = flit->row;
#endif
    return (stage_queue_control)((stage_queue_control)flit->col |
                                 ((stage_queue_control)flit->vc << STAGE_VC_AT) |
                                 ((stage_queue_control)flit->tail << STAGE_TAIL_AT) |
                                 (stage_queue_control)(where << STAGE_WHERE_AT));
}

/* And back: all of the flit but valid and code. */
static inline struct row_flit stage_unpack(stage_queue_control control)
{
    return (struct row_flit){
        .col = (rtr_col)control,
        .vc = (rtr_vc)(control >> STAGE_VC_AT),
        .tail = (u1)(control >> STAGE_TAIL_AT),
#if RTR_TWO_STEP
        .rows = (rtr_rows)(control >> STAGE_WHERE_AT),
        .hash = (u3)(control >> (STAGE_WHERE_AT + RTR_ROWS)),
        .adaptive = (u1)(control >> (STAGE_WHERE_AT + RTR_ROWS + 3)),
#else
        .row = (rtr_row)(control >> STAGE_WHERE_AT),
#endif
    };
}

#endif
