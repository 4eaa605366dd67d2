// SPDX-License-Identifier: Apache-2.0
/*
 * aries.h - the Aries generation: 6 x 8 tiles, 8 VCs, one shared input queue per port.
 *
 * Matrix, VCs (4 request, 4 response), dynamic input buffering and 48-bit flits: Cray XC white paper
 * WP-Aries01-1112. Depths and the layout of the head are our own.
 */
#ifndef CONFIG_ARIES_H
#define CONFIG_ARIES_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/head_48.h"
#include "config/lcb_micropacket.h"

#define LCB_SHARED      63 /* flits of our own input queue that all VCs share, in eights, after reset */
#define LCB_SHARED_MOST 92   /* as many as it has */
#define LCB_RESPONSES   0xf0 /* VCs of responses: the upper half of RTR_VCS */

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

/* NICs: netlinks, NICs and processor tiles of each; a netlink's tiles are the next NL_TILES ports from RTR_LINKS on. */
#define NL_COUNT 2
#define NL_NICS  2
#define NL_TILES 4

#define HPET_PERIOD 1250000 /* femtoseconds of a clock: 800 MHz */

/* Tables of a NIC, entries as powers of two. */
#define NIC_FMA_LOG2       7  /* FMA descriptors */
#define NIC_WINDOW_LOG2    24 /* bytes of the put and of the get window of each */
#define NIC_NTT_LOG2       13 /* nodes of all jobs */
#define NIC_SSID_LOG2      9  /* transactions in flight */
#define NIC_TAG_LOG2       10 /* requests in flight: the ORB */
#define NIC_MDD_LOG2       12 /* memory descriptors */
#define NIC_VMDH_LOG2      8  /* protection domains with a block of handles of their own */
#define NIC_CQ_LOG2        10 /* completion queues */
#define NIC_PUTS_LOG2      7  /* writes of other nodes in progress */
#define NIC_GETS_LOG2      6  /* reads of other nodes in progress */
#define NIC_LOCALS_LOG2    6  /* reads of local memory for block transfers in progress */
#define NIC_RINGS_LOG2     3  /* reads of their descriptors in progress, and writes back */
#define NIC_QUEUED_LOG2    8 /* beats of writes in ordered modes that wait for what came before them */
#define NIC_AMO_LOG2       6 /* variables of atomic operations, in progress or kept */
#define NIC_AMO_WAYS_LOG2  4 /* of them in a set */
#define NIC_AMO_QUEUE_LOG2 7 /* beats of atomic operations that wait, two of each */
#define NIC_RMT_LOG2       9 /* transactions of other nodes that are counted at the target */
#define NIC_DATA_LOG2      6 /* writes of what we got, and of flags, in progress */
#define NIC_BTE_LOG2       2 /* channels of the block transfer engine */
#define NIC_BTE_SLOTS_LOG2 4 /* descriptors of a channel that are worked on */
#define NIC_BTE_READS_LOG2 6 /* reads of local memory for block transfers in progress */
#define NIC_MESSAGES_LOG2  4 /* messages of other nodes that posted buffers take at once */
#define NIC_PLACES_LOG2    8 /* places for replies of memory reads, of five beats each */
#define NIC_PTE_LOG2       7 /* lines of eight page table entries that are kept */
#define NIC_WALKS_LOG2     5 /* lines that are read at once */
#define NIC_CE             1 /* collective engines */

#endif
