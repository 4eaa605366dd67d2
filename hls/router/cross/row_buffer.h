// SPDX-License-Identifier: Apache-2.0
/*
 * row_buffer.h - buffer of a subswitch for one row bus.
 *
 * Control bits of a flit from the low end: the row where it leaves (3), tail.
 */
#ifndef ROW_BUFFER_H
#define ROW_BUFFER_H

#include "router/flit/rtr_types.h"

#define ROW_BUFFER_TAIL 3 /* the plane; 0 to 2 are the row */

#define VCQ         row_buffer
#define VCQ_LOG2    RTR_ROW_LOG2
#define VCQ_CONTROL 4
#define VCQ_PLANES  1
#include "common/fifo/vc_queue.inc"

#endif
