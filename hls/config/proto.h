// SPDX-License-Identifier: Apache-2.0
/*
 * proto.h - 2 x 2 tiles and 2 VCs: fits a small FPGA together with its LCBs.
 */
#ifndef CONFIG_PROTO_H
#define CONFIG_PROTO_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/head_48.h"
#include "config/lcb_micropacket.h"
#include "config/nic_small.h"

#define LCB_SHARED      23 /* flits of our own input queue that all VCs share, in eights, after reset */
#define LCB_SHARED_MOST 23   /* as many as it has */
#define LCB_RESPONSES   0x02 /* VCs of responses: the upper half of RTR_VCS */

/* The matrix: port p is tile (p / RTR_COLS, p % RTR_COLS). */
#define RTR_ROWS  2
#define RTR_COLS  2
#define RTR_LINKS 2 /* ports from 0 on that have a link; the others belong to processors */

/* Virtual channels. */
#define RTR_VCS     2
#define RTR_VC_BITS 1

#define RTR_PACKET 14 /* flits of the longest packet; longer ones are refused */

/* 0: the input chooses a port; 1: it chooses a column and the cross-point tile a row of it. */
#define RTR_TWO_STEP 0

/* Buffers, in flits; powers of two. */
#define RTR_INQ_SHARED 1 /* 1: VCs share the input queue; 0: it is partitioned by VC */
#define RTR_INQ_LOG2   8 /* the whole input queue */
#define RTR_STAGE_LOG2 4 /* staging behind route, per VC */
#define RTR_ROW_LOG2   4 /* row buffer, per VC */
#define RTR_COL_LOG2   4 /* column buffer, per VC */

/* NICs: netlinks, NICs and processor tiles of each; a netlink's tiles are the next NL_TILES ports from RTR_LINKS on. */
#define NL_COUNT 1
#define NL_NICS  1
#define NL_TILES 2

#endif
