// SPDX-License-Identifier: Apache-2.0
/*
 * yarc.h - YARC, the router of the Cray BlackWidow: 8 x 8 tiles, 24-bit phits, 2 VCs.
 *
 * Scott et al., "The BlackWidow High-Radix Clos Network" (2006): 64 ports, 256 phits of input buffer for each of
 * two VCs, the input chooses the column and the cross-point tile the port.
 */
#ifndef CONFIG_YARC_H
#define CONFIG_YARC_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/lcb_packet.h"

#define LCB_VC_BITS 1
#define LCB_VCS     2
#define LCB_SHARED                                                                                 \
    29 /* phits of our own input queue that each VC of the peer's is lent, in eights, after reset */
#define LCB_SHARED_MOST 29  /* as many as there are: its part of the queue less a packet */
#define LCB_RESPONSES   0x2 /* VCs of responses: the upper half of RTR_VCS */

/* The matrix: port p is tile (p / RTR_COLS, p % RTR_COLS). */
#define RTR_ROWS  8
#define RTR_COLS  8
#define RTR_LINKS 64 /* ports from 0 on that have a link; the others belong to processors */

/* Virtual channels. */
#define RTR_VCS     2
#define RTR_VC_BITS 1

/*
 * Head flit from the top: vc, mode, hash, destination (global: rank-2 and in it rank-1 subtree; local: processor). The end
 * frames, so a head has no length; two of the 24 bits of a phit are the link's.
 */
#define RTR_FLIT_BITS    22
#define RTR_HEAD_VC_BITS 1
#define RTR_LENGTH_BITS  0
#define RTR_MODE_BITS    3
#define RTR_PHASE_BITS   0
#define RTR_GLOBAL_BITS  10
#define RTR_NEAR_BITS    4 /* of them those that have ways of their own: rank-1 subtree */
#define RTR_LOCAL_BITS   5
#define RTR_SUB_BITS     0
#define RTR_HASH_BITS    3
#define RTR_PACKET       19 /* flits of the longest packet; longer ones are ended there */

/* 0: the input chooses a port; 1: it chooses a column and the cross-point tile a row of it. */
#define RTR_TWO_STEP 1

/* Buffers, in flits; powers of two. */
#define RTR_INQ_SHARED 0 /* 1: VCs share the input queue; 0: it is partitioned by VC */
#define RTR_INQ_LOG2   9 /* the whole input queue */
#define RTR_STAGE_LOG2 5 /* staging behind route, per VC */
#define RTR_ROW_LOG2   5 /* row buffer, per VC */
#define RTR_COL_LOG2   5 /* column buffer, per VC */

/* Maintenance: a supervisor, and taps for packets at the links of the first and of the last row. */
#define DEV_MAINT 1
#define DEV_TAPS  16

#endif
