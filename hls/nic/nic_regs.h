// SPDX-License-Identifier: Apache-2.0
/*
 * nic_regs.h - addresses and fields of the NIC's registers, in 64-bit words.
 *
 * NR_<REGISTER> is an address, NR_<REGISTER>_STEP the distance of two entries of a table, NR_<REGISTER>_<FIELD>_AT the
 * lowest bit of a field.
 */
#ifndef NIC_REGS_H
#define NIC_REGS_H

#define NR_ID          0x0000
#define NR_STATUS      0x0001
#define NR_CONTROL     0x0002
#define NR_NODE        0x0003
#define NR_ORB_EPOCH   0x0004
#define NR_RMT_TIMEOUT 0x0005
#define NR_AMO_CONFIG  0x0006
#define NR_PHYS_BASE   0x0007
#define NR_PHYS_SIZE   0x0008
#define NR_FIRST_ERROR 0x0020
#define NR_FIRST_TIME  0x0021
#define NR_FIRST_INFO0 0x0022
#define NR_FIRST_INFO1 0x0023
#define NR_IRQ_PENDING 0x0024
#define NR_IRQ_MASK    0x0025
#define NR_IRQ_TIMER   0x0026
#define NR_HIST_LIMIT  0x0048
#define NR_COUNTERS    0x0080

#define NR_VMDH          0x0800
#define NR_VMDH_BASE_AT  0  /* 12 */
#define NR_VMDH_SIZE_AT  12 /* 12 */
#define NR_VMDH_VALID_AT 24 /* 1 */

#define NR_FMA                0x1000
#define NR_FMA_STEP           4
#define NR_FMA_PTAG_AT        0  /* 8 */
#define NR_FMA_BASE_AT        8  /* 13: of the job's block in the NTT */
#define NR_FMA_SIZE_AT        21 /* 18: nodes of the job */
#define NR_FMA_GRANULARITY_AT 39 /* 3 */
#define NR_FMA_LIMIT_AT       42 /* 9: transactions in flight */
#define NR_FMA_BTE_AT         51 /* 4: channels that it may start */
#define NR_FMA_FLAG_AT        55 /* 1: may write flags */
#define NR_FMA_NTT_AT         56 /* 1: PEs are virtual */
#define NR_FMA_ENABLE_AT      57 /* 1 */

#define NR_CQ               0x2000
#define NR_CQ_STEP          4
#define NR_CQ_ADDRESS_AT    0  /* 48 */
#define NR_CQ_MMU_AT        48 /* 1 */
#define NR_CQ_TC_AT         49 /* 4 */
#define NR_CQ1_ENABLE_AT    0  /* 1 */
#define NR_CQ1_LOG2_AT      1  /* 5: 6 to 20, entries of the ring */
#define NR_CQ1_PTAG_AT      6  /* 8 */
#define NR_CQ1_IRQ_AT       14 /* 5 */
#define NR_CQ1_THRESHOLD_AT 19 /* 16 */

#define NR_NTT          0x4000
#define NR_NTT_NODE_AT  0  /* 18 */
#define NR_NTT_VALID_AT 18 /* 1 */

#define NR_MDD            0x8000
#define NR_MDD_STEP       2
#define NR_MDD_BASE_AT    0  /* 48 */
#define NR_MDD_TC_AT      48 /* 4 */
#define NR_MDD_READ_AT    52 /* 1 */
#define NR_MDD_WRITE_AT   53 /* 1 */
#define NR_MDD_ATOMIC_AT  54 /* 1 */
#define NR_MDD_MMU_AT     55 /* 1 */
#define NR_MDD_EVENT_AT   56 /* 1 */
#define NR_MDD_FENCE_AT   57 /* 1 */
#define NR_MDD_VALID_AT   58 /* 1 */
#define NR_MDD1_LENGTH_AT 0  /* 40; 0: 2^40 */
#define NR_MDD1_PTAG_AT   40 /* 8 */
#define NR_MDD1_QUEUE_AT  48 /* 10 */

#endif
