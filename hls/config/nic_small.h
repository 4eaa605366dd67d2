// SPDX-License-Identifier: Apache-2.0
/*
 * nic_small.h - a NIC with small tables: proto, proto24, gemini.
 */
#ifndef CONFIG_NIC_SMALL_H
#define CONFIG_NIC_SMALL_H

#define HPET_PERIOD 40000000 /* femtoseconds of a clock: 25 MHz */

/* Tables of a NIC, entries as powers of two. */
#define NIC_FMA_LOG2       3  /* FMA descriptors */
#define NIC_WINDOW_LOG2    16 /* bytes of the put and of the get window of each */
#define NIC_NTT_LOG2       8  /* nodes of all jobs */
#define NIC_SSID_LOG2      5  /* transactions in flight */
#define NIC_TAG_LOG2       7  /* requests in flight: the ORB */
#define NIC_MDD_LOG2       8  /* memory descriptors */
#define NIC_VMDH_LOG2      4  /* protection domains with a block of handles of their own */
#define NIC_CQ_LOG2        4  /* completion queues */
#define NIC_PUTS_LOG2      6  /* writes of other nodes in progress */
#define NIC_GETS_LOG2      6  /* reads of other nodes in progress */
#define NIC_LOCALS_LOG2    5  /* reads of local memory for block transfers in progress */
#define NIC_RINGS_LOG2     2  /* reads of their descriptors in progress, and writes back */
#define NIC_QUEUED_LOG2    5 /* beats of writes in ordered modes that wait for what came before them */
#define NIC_AMO_LOG2       4 /* variables of atomic operations, in progress or kept */
#define NIC_AMO_WAYS_LOG2  2 /* of them in a set */
#define NIC_AMO_QUEUE_LOG2 5 /* beats of atomic operations that wait, two of each */
#define NIC_RMT_LOG2       5 /* transactions of other nodes that are counted at the target */
#define NIC_DATA_LOG2      6 /* writes of what we got, and of flags, in progress */
#define NIC_BTE_LOG2       1 /* channels of the block transfer engine */
#define NIC_BTE_SLOTS_LOG2 3 /* descriptors of a channel that are worked on */
#define NIC_BTE_READS_LOG2 6 /* reads of local memory for block transfers in progress */
#define NIC_MESSAGES_LOG2  2 /* messages of other nodes that posted buffers take at once */
#define NIC_PLACES_LOG2    7 /* places for replies of memory reads, of five beats each */
#define NIC_PTE_LOG2       6 /* lines of eight page table entries that are kept */
#define NIC_WALKS_LOG2     3 /* lines that are read at once */
#define NIC_CE             0 /* no collective engines */

#endif
