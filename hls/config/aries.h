// SPDX-License-Identifier: Apache-2.0
/*
 * aries.h - the Aries generation: 6 x 8 tiles, 8 VCs, one shared input queue per port.
 *
 * Matrix, VCs (4 request, 4 response), dynamic input buffering and 48-bit flits: Cray XC white paper
 * WP-Aries01-1112. Depths and the layout of the head are our own.
 */
#ifndef CONFIG_ARIES_H
#define CONFIG_ARIES_H

#include "config/head_48.h"
#include "config/lcb_micropacket.h"

#define LCB_SHARED      63 /* flits of our own input queue that all VCs share, in eights, after reset */
#define LCB_SHARED_MOST 96 /* as many as it has */

/* The matrix: port p is tile (p / RTR_COLS, p % RTR_COLS). */
#define RTR_ROWS  6
#define RTR_COLS  8
#define RTR_LINKS 40 /* ports from 0 on that have a link; the others belong to processors */

/* Virtual channels. */
#define RTR_VCS     8
#define RTR_VC_BITS 3

#define RTR_PACKET 14 /* flits of the longest packet; longer ones are refused */

/* 0: the input chooses a port; 1: it chooses a column and the cross-point tile a row of it. */
#define RTR_TWO_STEP 0

/* Buffers, in flits; powers of two. */
#define RTR_INQ_SHARED 1  /* 1: VCs share the input queue; 0: it is partitioned by VC */
#define RTR_INQ_LOG2   10 /* the whole input queue */
#define RTR_STAGE_LOG2 4  /* staging behind route, per VC */
#define RTR_ROW_LOG2   4  /* row buffer, per VC */
#define RTR_COL_LOG2   4  /* column buffer, per VC */

#endif
