// SPDX-License-Identifier: Apache-2.0
/*
 * proto24.h - proto with 24-bit phits and the link in packet mode: 2 x 2 tiles, 2 VCs, packets of 2 to 32 phits.
 */
#ifndef CONFIG_PROTO24_H
#define CONFIG_PROTO24_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/lcb_packet.h"
#include "config/nic_small.h"

#define LCB_VC_BITS 1
#define LCB_VCS     2
#define LCB_SHARED                                                                                 \
    28 /* phits of our own input queue that each VC of the peer's is lent, in eights, after reset */
#define LCB_SHARED_MOST 28  /* as many as there are: its part of the queue less a packet */
#define LCB_RESPONSES   0x2 /* VCs of responses: the upper half of RTR_VCS */

/* The matrix: port p is tile (p / RTR_COLS, p % RTR_COLS). */
#define RTR_ROWS  2
#define RTR_COLS  2
#define RTR_LINKS 2 /* ports from 0 on that have a link; the others belong to processors */

/* Virtual channels. */
#define RTR_VCS     2
#define RTR_VC_BITS 1

/* Head flit from the top: vc, mode, destination (global, local, sub). The end frames, so a head has no length. */
#define RTR_FLIT_BITS    22
#define RTR_HEAD_VC_BITS 1
#define RTR_LENGTH_BITS  0
#define RTR_MODE_BITS    3
#define RTR_PHASE_BITS   0
#define RTR_GLOBAL_BITS  8
#define RTR_NEAR_BITS    0 /* no part of global has ways of its own */
#define RTR_LOCAL_BITS   8
#define RTR_SUB_BITS     2
#define RTR_HASH_BITS    0
#define RTR_PACKET       32 /* phits of the longest packet; longer ones are cut */

/* 0: the input chooses a port; 1: it chooses a column and the cross-point tile a row of it. */
#define RTR_TWO_STEP 0

/* Buffers, in flits; powers of two. */
#define RTR_INQ_SHARED 0 /* 1: VCs share the input queue; 0: it is partitioned by VC */
#define RTR_INQ_LOG2   9 /* the whole input queue */
#define RTR_STAGE_LOG2 5 /* staging behind route, per VC */
#define RTR_ROW_LOG2   5 /* row buffer, per VC */
#define RTR_COL_LOG2   5 /* column buffer, per VC */

/* NICs: netlinks, NICs and processor tiles of each; a netlink's tiles are the next NL_TILES ports from RTR_LINKS on. */
#define NL_COUNT 1
#define NL_NICS  1
#define NL_TILES 2

#endif
