// SPDX-License-Identifier: Apache-2.0
/*
 * p16.h - 4 x 4 tiles, 16 ports and 4 VCs: the size to compare with other open routers.
 */
#ifndef CONFIG_P16_H
#define CONFIG_P16_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/head_48.h"

/* The matrix: port p is tile (p / RTR_COLS, p % RTR_COLS). */
#define RTR_ROWS  4
#define RTR_COLS  4
#define RTR_LINKS 12 /* ports from 0 on that have a link; the others belong to processors */

/* Virtual channels. */
#define RTR_VCS     4
#define RTR_VC_BITS 2

#define RTR_PACKET 14 /* flits of the longest packet; longer ones are refused */

/* 0: the input chooses a port; 1: it chooses a column and the cross-point tile a row of it. */
#define RTR_TWO_STEP 0

/* Buffers, in flits; powers of two. */
#define RTR_INQ_SHARED 1 /* 1: VCs share the input queue; 0: it is partitioned by VC */
#define RTR_INQ_LOG2   9 /* the whole input queue */
#define RTR_STAGE_LOG2 4 /* staging behind route, per VC */
#define RTR_ROW_LOG2   4 /* row buffer, per VC */
#define RTR_COL_LOG2   4 /* column buffer, per VC */

#endif
