// SPDX-License-Identifier: Apache-2.0
/*
 * gemini.h - the Gemini generation: 8 x 6 tiles, 24-bit phits, a 3D torus.
 *
 * Matrix, phit and fixed buffers per VC: Alverson et al., "The Gemini System Interconnect" (2010). Four
 * VCs: request and response each with one before and one from the dateline on, where Gemini has one of each and leaves
 * open how its rings stay free of deadlock.
 */
#ifndef CONFIG_GEMINI_H
#define CONFIG_GEMINI_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/lcb_packet.h"
#include "config/nic_small.h"

#define LCB_VC_BITS 2
#define LCB_VCS     4
#define LCB_SHARED                                                                                 \
    28 /* phits of our own input queue that each VC of the peer's is lent, in eights, after reset */
#define LCB_SHARED_MOST 28  /* as many as there are: its part of the queue less a packet */
#define LCB_RESPONSES   0xC /* VCs of responses: the upper half of RTR_VCS */

/* The matrix: port p is tile (p / RTR_COLS, p % RTR_COLS). */
#define RTR_ROWS  8
#define RTR_COLS  6
#define RTR_LINKS 40 /* ports that have a link: link i is the i-th that is no processor's */
#define RTR_PROCESSORS                                                                             \
    0xC30C30000000ull /* ports of processors, one bit each: rows 4 to 7 of columns 4 and 5 */

/* Virtual channels. */
#define RTR_VCS     4
#define RTR_VC_BITS 2

/*
 * Head flit from the top: vc, mode, destination (global: x and y; local: z; sub: NIC). The end frames, so a head has no
 * length; two of the 24 bits of a phit are the link's.
 */
#define RTR_FLIT_BITS    22
#define RTR_HEAD_VC_BITS 2
#define RTR_LENGTH_BITS  0
#define RTR_MODE_BITS    3
#define RTR_PHASE_BITS   0
#define RTR_GLOBAL_BITS  11
#define RTR_NEAR_BITS    5 /* of them those that have ways of their own: y */
#define RTR_LOCAL_BITS   5
#define RTR_SUB_BITS     1
#define RTR_HASH_BITS    0
#define RTR_PACKET       32 /* flits of the longest packet; longer ones are ended there */

/* 0: the input chooses a port; 1: it chooses a column and the cross-point tile a row of it. */
#define RTR_TWO_STEP 1

/* Buffers, in flits; powers of two. */
#define RTR_INQ_SHARED 0  /* 1: VCs share the input queue; 0: it is partitioned by VC */
#define RTR_INQ_LOG2   10 /* the whole input queue */
#define RTR_STAGE_LOG2 5  /* staging behind route, per VC */
#define RTR_ROW_LOG2   5  /* row buffer, per VC */
#define RTR_COL_LOG2   5  /* column buffer, per VC */

/* Maintenance: a supervisor, by AXI4-Lite; no taps for packets. */
#define DEV_MAINT 1
#define DEV_TAPS  0

/* NICs: one netlink, two NICs on all eight processor tiles. */
#define NL_COUNT 1
#define NL_NICS  2
#define NL_TILES 8

#endif
