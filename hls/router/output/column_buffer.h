// SPDX-License-Identifier: Apache-2.0
/*
 * column_buffer.h - buffer of an output for one column bus.
 *
 * The only control bit of a flit is tail; the flit behind a tail is a head.
 */
#ifndef COLUMN_BUFFER_H
#define COLUMN_BUFFER_H

#include "router/flit/rtr_types.h"

#define VCQ         column_buffer
#define VCQ_LOG2    RTR_COL_LOG2
#define VCQ_CONTROL 1
#define VCQ_PLANES  1
#define VCQ_TAIL    0
#include "common/fifo/vc_queue.inc"

#endif
