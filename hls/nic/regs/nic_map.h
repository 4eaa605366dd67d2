// SPDX-License-Identifier: Apache-2.0
/*
 * nic_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/nic/regs/nic.rdl`.
 *
 * NR_<REGISTER> is an address in words of 64 bits, NR_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef NIC_MAP_H
#define NIC_MAP_H

/* clang-format off */

/* What this is */
#define NR_ID 0x0000
#define NR_ID_VERSION_AT 0
#define NR_ID_VERSION_BITS 8
#define NR_ID_VERSION_RESET 0x1
#define NR_ID_FMA_AT 8
#define NR_ID_FMA_BITS 8
#define NR_ID_SSID_AT 16
#define NR_ID_SSID_BITS 8
#define NR_ID_TAG_AT 24
#define NR_ID_TAG_BITS 8
#define NR_ID_MDD_AT 32
#define NR_ID_MDD_BITS 8
#define NR_ID_CQ_AT 40
#define NR_ID_CQ_BITS 8
#define NR_ID_NTT_AT 48
#define NR_ID_NTT_BITS 8
#define NR_ID_BTE_AT 56
#define NR_ID_BTE_BITS 4

/* State */
#define NR_STATUS 0x0001
#define NR_STATUS_READY_AT 0
#define NR_STATUS_READY_BITS 1
#define NR_STATUS_DRAINED_AT 1
#define NR_STATUS_DRAINED_BITS 1
#define NR_STATUS_SETTLED_AT 2
#define NR_STATUS_SETTLED_BITS 1

/* Control */
#define NR_CONTROL 0x0002
#define NR_CONTROL_ENABLE_AT 0
#define NR_CONTROL_ENABLE_BITS 1
#define NR_CONTROL_DRAIN_AT 1
#define NR_CONTROL_DRAIN_BITS 1
#define NR_CONTROL_SETTLE_AT 2
#define NR_CONTROL_SETTLE_BITS 1
#define NR_CONTROL_CLEAR_AT 3
#define NR_CONTROL_CLEAR_BITS 1
#define NR_CONTROL_FLUSH_AT 4
#define NR_CONTROL_FLUSH_BITS 1

/* Where this NIC is */
#define NR_NODE 0x0003
#define NR_NODE_NODE_AT 0
#define NR_NODE_NODE_BITS 18

/* Timeout of requests */
#define NR_ORB_EPOCH 0x0004
#define NR_ORB_EPOCH_CLOCKS_AT 0
#define NR_ORB_EPOCH_CLOCKS_BITS 40
#define NR_ORB_EPOCH_CLOCKS_RESET 0x40000000

/* Timeout of transactions that are counted for other nodes */
#define NR_RMT_TIMEOUT 0x0005
#define NR_RMT_TIMEOUT_CLOCKS_AT 0
#define NR_RMT_TIMEOUT_CLOCKS_BITS 40

/* Atomic operations */
#define NR_AMO_CONFIG 0x0006
#define NR_AMO_CONFIG_ROUNDING_AT 0
#define NR_AMO_CONFIG_ROUNDING_BITS 2
#define NR_AMO_CONFIG_LAZY_AT 16
#define NR_AMO_CONFIG_LAZY_BITS 16

/* Window of physical addresses, begin */
#define NR_PHYS_BASE 0x0007
#define NR_PHYS_BASE_BASE_AT 0
#define NR_PHYS_BASE_BASE_BITS 48

/* Window of physical addresses, size */
#define NR_PHYS_SIZE 0x0008
#define NR_PHYS_SIZE_SIZE_AT 0
#define NR_PHYS_SIZE_SIZE_BITS 48

/* First error */
#define NR_FIRST_ERROR 0x0020
#define NR_FIRST_ERROR_CAPTURED_AT 0
#define NR_FIRST_ERROR_CAPTURED_BITS 1
#define NR_FIRST_ERROR_COUNTER_AT 8
#define NR_FIRST_ERROR_COUNTER_BITS 7
#define NR_FIRST_ERROR_CLASS_NUMBER_AT 16
#define NR_FIRST_ERROR_CLASS_NUMBER_BITS 3

/* When that was */
#define NR_FIRST_TIME 0x0021
#define NR_FIRST_TIME_CLOCK_AT 0
#define NR_FIRST_TIME_CLOCK_BITS 48

/* What that was about, low half */
#define NR_FIRST_INFO0 0x0022
#define NR_FIRST_INFO0_INFO_AT 0
#define NR_FIRST_INFO0_INFO_BITS 64

/* What that was about, high half */
#define NR_FIRST_INFO1 0x0023
#define NR_FIRST_INFO1_INFO_AT 0
#define NR_FIRST_INFO1_INFO_BITS 64

/* Interrupts that wait */
#define NR_IRQ_PENDING 0x0024
#define NR_IRQ_PENDING_QUEUES_AT 0
#define NR_IRQ_PENDING_QUEUES_BITS 32
#define NR_IRQ_PENDING_CLASSES_AT 32
#define NR_IRQ_PENDING_CLASSES_BITS 8
#define NR_IRQ_PENDING_TIMERS_AT 40
#define NR_IRQ_PENDING_TIMERS_BITS 3
#define NR_IRQ_PENDING_PULSE_AT 43
#define NR_IRQ_PENDING_PULSE_BITS 1

/* Interrupts that reach the wire */
#define NR_IRQ_MASK 0x0025
#define NR_IRQ_MASK_QUEUES_AT 0
#define NR_IRQ_MASK_QUEUES_BITS 32
#define NR_IRQ_MASK_CLASSES_AT 32
#define NR_IRQ_MASK_CLASSES_BITS 8
#define NR_IRQ_MASK_TIMERS_AT 40
#define NR_IRQ_MASK_TIMERS_BITS 3
#define NR_IRQ_MASK_PULSE_AT 43
#define NR_IRQ_MASK_PULSE_BITS 1

/* Timer of the completion queues' interrupts */
#define NR_IRQ_TIMER 0x0026
#define NR_IRQ_TIMER_CLOCKS_AT 0
#define NR_IRQ_TIMER_CLOCKS_BITS 32

/* Forget translations */
#define NR_INVALIDATE 0x0040
#define NR_INVALIDATE_GO_AT 0
#define NR_INVALIDATE_GO_BITS 1

/* Limits of the histogram of response times (AR_NIC_ORB_CFG_NET_RSP_HIST_<n>) */
#define NR_HIST_LIMIT 0x0048
#define NR_HIST_LIMIT_LIMIT1_AT 0
#define NR_HIST_LIMIT_LIMIT1_BITS 9
#define NR_HIST_LIMIT_LIMIT1_RESET 0x8
#define NR_HIST_LIMIT_LIMIT2_AT 9
#define NR_HIST_LIMIT_LIMIT2_BITS 9
#define NR_HIST_LIMIT_LIMIT2_RESET 0x10
#define NR_HIST_LIMIT_LIMIT3_AT 18
#define NR_HIST_LIMIT_LIMIT3_BITS 9
#define NR_HIST_LIMIT_LIMIT3_RESET 0x20
#define NR_HIST_LIMIT_LIMIT4_AT 27
#define NR_HIST_LIMIT_LIMIT4_BITS 9
#define NR_HIST_LIMIT_LIMIT4_RESET 0x40
#define NR_HIST_LIMIT_LIMIT5_AT 36
#define NR_HIST_LIMIT_LIMIT5_BITS 9
#define NR_HIST_LIMIT_LIMIT5_RESET 0x80
#define NR_HIST_LIMIT_LIMIT6_AT 45
#define NR_HIST_LIMIT_LIMIT6_BITS 9
#define NR_HIST_LIMIT_LIMIT6_RESET 0x100
#define NR_HIST_LIMIT_LIMIT7_AT 54
#define NR_HIST_LIMIT_LIMIT7_BITS 9
#define NR_HIST_LIMIT_LIMIT7_RESET 0x1ff

/* Register accesses answered SLVERR (TRANSACTION) */
#define NR_REGISTER_REFUSED 0x0080

/* One wrong bit in a memory, in however many of them in one clock (CORRECTABLE_MEMORY) */
#define NR_MEMORY_CORRECTED 0x0081

/* AXI bursts that are none of the kinds taken (TRANSACTION) */
#define NR_PIO_BAD_BURST 0x0082

/* Accesses to a descriptor or queue that does not exist (TRANSACTION) */
#define NR_PIO_NO_PAGE 0x0083

/* Accesses to what is disabled (TRANSACTION) */
#define NR_PIO_DISABLED 0x0084

/* Parts of words of a queue's page (TRANSACTION) */
#define NR_PIO_NO_WORD 0x0085

/* OPEN refused: as many in flight as the descriptor may have (INFORMATIONAL) */
#define NR_FMA_NO_ID 0x0086

/* Requests refused: no transaction is open, or one is already (INFORMATIONAL) */
#define NR_FMA_NOT_OPEN 0x0087

/* Requests refused: no such word, opcode or size (INFORMATIONAL) */
#define NR_FMA_BAD_COMMAND 0x0088

/* Requests refused: alignment (INFORMATIONAL) */
#define NR_FMA_BAD_ALIGNMENT 0x0089

/* Requests refused: the descriptor is disabled (INFORMATIONAL) */
#define NR_FMA_DISABLED 0x008a

/* Transactions closed because their descriptor was disabled (TRANSACTION) */
#define NR_FMA_ABORTED 0x008b

/* A double-bit error in a beat of a request; it is marked bad (TRANSIENT) */
#define NR_TARB_UNCORRECTABLE 0x008c

/* A double-bit error in an entry of the NTT (ADDRESS_TRANSLATION) */
#define NR_NTT_UNCORRECTABLE 0x008d

/* Transactions opened (INFORMATIONAL) */
#define NR_SSID_OPENED 0x008e

/* Transactions ended (INFORMATIONAL) */
#define NR_SSID_ENDED 0x008f

/* Transactions that did not end OK (TRANSACTION) */
#define NR_SSID_FAILED 0x0090

/* Requests that the NTT refused (ADDRESS_TRANSLATION) */
#define NR_SSID_UNREACHABLE 0x0091

/* OPEN without an id left, or requests of a channel without transaction (TRANSACTION) */
#define NR_SSID_NO_ID 0x0092

/* Requests whose head has a double-bit error (CRITICAL) */
#define NR_SSID_HEAD_LOST 0x0093

/* Events that cannot be made: a double-bit error (CRITICAL) */
#define NR_SSID_EVENT_LOST 0x0094

/* Transactions that are 7 epochs old (TRANSIENT) */
#define NR_SSID_OLD 0x0095

/* Requests sent (INFORMATIONAL) (AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_PKTS) */
#define NR_ORB_REQUESTS 0x0096

/* Responses that fit a request (INFORMATIONAL) (AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_NET_TRACK) */
#define NR_ORB_RESPONSES 0x0097

/*
 * Responses that fit no request: late, or twice; or not taken, because memory stood still for half an epoch or
 * tables are wiped (UNKNOWN_TRANSACTION)
 */
#define NR_ORB_UNKNOWN 0x0098

/* Responses of another kind or length than wanted (TRANSACTION) */
#define NR_ORB_MISFIT 0x0099

/* Responses for another node (CRITICAL) */
#define NR_ORB_MISROUTED 0x009a

/* Requests without an answer for one to two epochs (TRANSIENT) */
#define NR_ORB_TIMEOUT 0x009b

/* Responses whose head has a double-bit error (CRITICAL) */
#define NR_ORB_HEAD_LOST 0x009c

/* Requests whose entry has a double-bit error (CRITICAL) */
#define NR_ORB_LOST 0x009d

/* Events written (INFORMATIONAL) */
#define NR_CQ_EVENTS 0x009e

/* Events dropped: the ring is full (TRANSIENT) */
#define NR_CQ_FULL 0x009f

/* Events dropped: no such queue, or it is disabled (TRANSACTION) */
#define NR_CQ_DISABLED 0x00a0

/* Events dropped: the queue belongs to another domain (TRANSACTION) */
#define NR_CQ_DOMAIN 0x00a1

/* Events lost: a double-bit error, or their memory failed (CRITICAL) */
#define NR_CQ_LOST 0x00a2

/* Read indices that cannot be (INFORMATIONAL) */
#define NR_CQ_NO_INDEX 0x00a3

/* Requests of other nodes whose head has a double-bit error (CRITICAL) */
#define NR_RAT_LOST 0x00a4

/*
 * Requests for another node, or not taken: memory stood still for half an epoch, or tables are wiped (TRANSACTION)
 */
#define NR_RAT_STRAY 0x00a5

/* Requests answered UNCORRECTABLE (TRANSACTION) */
#define NR_RAT_UNCORRECTABLE 0x00a6

/* Requests answered BAD_COMMAND (TRANSACTION) */
#define NR_RAT_BAD_COMMAND 0x00a7

/* Requests answered TRANSLATION (ADDRESS_TRANSLATION) */
#define NR_RAT_TRANSLATION 0x00a8

/* Requests answered VMDH (TRANSACTION) */
#define NR_RAT_VMDH 0x00a9

/* Requests answered MDD (TRANSACTION) */
#define NR_RAT_MDD 0x00aa

/* Requests answered PROTECTION (TRANSACTION) */
#define NR_RAT_PROTECTION 0x00ab

/* Requests answered BOUNDS (TRANSACTION) */
#define NR_RAT_BOUNDS 0x00ac

/* Requests answered UNREACHABLE: this NIC is not enabled (INFORMATIONAL) */
#define NR_RAT_UNREACHABLE 0x00ad

/* Data of gets whose head has a double-bit error (CRITICAL) */
#define NR_LOCAL_LOST 0x00ae

/* Data of gets whose local segment refuses them (TRANSACTION) */
#define NR_LOCAL_REFUSED 0x00af

/* Answers that cannot be made: a double-bit error (CRITICAL) */
#define NR_NPT_LOST 0x00b0

/* Requests answered BUS (TRANSACTION) */
#define NR_NPT_BUS 0x00b1

/* Requests answered DATA (TRANSACTION) */
#define NR_NPT_DATA 0x00b2

/* Two wrong bits on the way to or from host memory, in however many places in one clock (TRANSACTION) */
#define NR_MEMORY_UNCORRECTABLE 0x00b3

/* Writes that host memory answered with an error (TRANSACTION) */
#define NR_WRITE_ERROR 0x00b4

/* Answers of host memory to no write (CRITICAL) */
#define NR_WRITE_STRAY 0x00b5

/* Reads that host memory answered with an error (TRANSACTION) */
#define NR_READ_ERROR 0x00b6

/* Reads whose data host memory knows to be wrong (TRANSACTION) */
#define NR_READ_POISON 0x00b7

/* Reads whose RLAST is missing or early (CRITICAL) */
#define NR_READ_RLAST 0x00b8

/* Answers of host memory to no read (CRITICAL) */
#define NR_READ_STRAY 0x00b9

/* Packets dropped: marked bad, or cut (TRANSIENT) */
#define NR_NETLINK_MARKED 0x00ba

/* Packets dropped: CRC or chk (TRANSIENT) */
#define NR_NETLINK_WRONG 0x00bb

/* Packets dropped: length or reserved bits (TRANSIENT) */
#define NR_NETLINK_MISSHAPED 0x00bc

/* Packets dropped: no such NIC here (CRITICAL) */
#define NR_NETLINK_NO_NIC 0x00bd

/* Packets that could not be sent: a double-bit error in their head (CRITICAL) */
#define NR_NETLINK_HEAD_LOST 0x00be

/* A double-bit error in a queue of the netlink (CRITICAL) */
#define NR_NETLINK_UNCORRECTABLE 0x00bf

/*
 * Clocks in which a request waits for free space in the netlink or a free tag (INFORMATIONAL)
 * (AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_STALLED)
 */
#define NR_ORB_STALLED 0x00c0

/* Responses sent (INFORMATIONAL) (AR_NIC_RSPMON_NPT_EVENT_CNTR_NL_PKTS) */
#define NR_NPT_RESPONSES 0x00c1

/* Responses whose time is in bin 0 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN00) */
#define NR_ORB_TIME0 0x00c2

/* Responses whose time is in bin 1 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN01) */
#define NR_ORB_TIME1 0x00c3

/* Responses whose time is in bin 2 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN02) */
#define NR_ORB_TIME2 0x00c4

/* Responses whose time is in bin 3 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN03) */
#define NR_ORB_TIME3 0x00c5

/* Responses whose time is in bin 4 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN04) */
#define NR_ORB_TIME4 0x00c6

/* Responses whose time is in bin 5 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN05) */
#define NR_ORB_TIME5 0x00c7

/* Responses whose time is in bin 6 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN06) */
#define NR_ORB_TIME6 0x00c8

/* Responses whose time is in bin 7 of HIST_LIMIT (INFORMATIONAL) (AR_NIC_ORB_PRF_NET_RSP_HIST_BIN07) */
#define NR_ORB_TIME7 0x00c9

/* Requests refused: as many outstanding as the descriptor may have (INFORMATIONAL) */
#define NR_SSID_OVERFLOW 0x00ca

/* Atomic operations that are not done, or not answered: a double-bit error (CRITICAL) */
#define NR_AMO_LOST 0x00cb

/* Atomic operations answered BUS (TRANSACTION) */
#define NR_AMO_BUS 0x00cc

/* Atomic operations answered DATA (TRANSACTION) */
#define NR_AMO_DATA 0x00cd

/* Descriptors of block transfers that could not be read: their channel has stopped (CRITICAL) */
#define NR_BTE_FAILED 0x00ce

/* Completions of block transfers that could not be written (TRANSACTION) */
#define NR_BTE_LOST 0x00cf

/* Writes of variables that failed and had changes in them which were answered OK: AMO_CONFIG.lazy (CRITICAL) */
#define NR_AMO_UNWRITTEN 0x00d0

/* Joins and packets of reductions with a double-bit error, and reductions that end UNCORRECTABLE (TRANSIENT) */
#define NR_CE_FATAL 0x00d1

/* Joins and packets of reductions that were refused (TRANSACTION) */
#define NR_CE_REFUSED 0x00d2

/* Reductions that ended OK in an engine (INFORMATIONAL) */
#define NR_CE_DONE 0x00d3

/* Reductions that ended otherwise (TRANSACTION) */
#define NR_CE_FAILED 0x00d4

/* Children of an engine that did not get a result (CRITICAL) */
#define NR_CE_UNTOLD 0x00d5

/* Bytes of payload of requests sent (INFORMATIONAL) (AR_NIC_ORB_PRF_REQ_BYTES_SENT) */
#define NR_ORB_REQUEST_BYTES 0x00f8

/* Flits of requests sent (INFORMATIONAL) (AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS) */
#define NR_ORB_REQUEST_FLITS 0x00f9

/* Bytes of data that responses brought (INFORMATIONAL) (AR_NIC_ORB_PRF_RSP_BYTES_RCVD) */
#define NR_ORB_RESPONSE_BYTES 0x00fa

/* Bytes of payload of requests of other nodes (INFORMATIONAL) (AR_NIC_RAT_PRF_REQ_BYTES_RCVD) */
#define NR_RAT_REQUEST_BYTES 0x00fb

/* Flits of responses sent (INFORMATIONAL) (AR_NIC_RSPMON_NPT_EVENT_CNTR_NL_FLITS) */
#define NR_NPT_RESPONSE_FLITS 0x00fc

/* Ring of descriptors */
#define NR_BTE 0x0200
#define NR_BTE_STEP 16
#define NR_BTE_ENTRIES 16
#define NR_BTE_ADDRESS_AT 0
#define NR_BTE_ADDRESS_BITS 48
#define NR_BTE_MMU_AT 48
#define NR_BTE_MMU_BITS 1
#define NR_BTE_TC_AT 49
#define NR_BTE_TC_BITS 4

/* Configuration; enabling sets all indices to 0 and is ignored while the channel is busy */
#define NR_BTE1_ENABLE_AT 0
#define NR_BTE1_ENABLE_BITS 1
#define NR_BTE1_LAUNCH_AT 1
#define NR_BTE1_LAUNCH_BITS 1
#define NR_BTE1_LOG2_AT 4
#define NR_BTE1_LOG2_BITS 4
#define NR_BTE1_LIMIT_AT 8
#define NR_BTE1_LIMIT_BITS 5

/* Doorbell */
#define NR_BTE2_INDEX_AT 0
#define NR_BTE2_INDEX_BITS 10

/* Read index */
#define NR_BTE3_INDEX_AT 0
#define NR_BTE3_INDEX_BITS 10

/* Ring of buffers for messages */
#define NR_BTE4_ADDRESS_AT 0
#define NR_BTE4_ADDRESS_BITS 48
#define NR_BTE4_MMU_AT 48
#define NR_BTE4_MMU_BITS 1
#define NR_BTE4_TC_AT 49
#define NR_BTE4_TC_BITS 4

/* Configuration of the buffers; enabling sets both indices to 0 and is ignored while they are busy */
#define NR_BTE5_ENABLE_AT 0
#define NR_BTE5_ENABLE_BITS 1
#define NR_BTE5_LOG2_AT 4
#define NR_BTE5_LOG2_BITS 4

/* Doorbell of the buffers */
#define NR_BTE6_INDEX_AT 0
#define NR_BTE6_INDEX_BITS 10

/* Read index of the buffers */
#define NR_BTE7_INDEX_AT 0
#define NR_BTE7_INDEX_BITS 10

/* State */
#define NR_BTE8_ENABLED_AT 0
#define NR_BTE8_ENABLED_BITS 1
#define NR_BTE8_BUSY_AT 1
#define NR_BTE8_BUSY_BITS 1
#define NR_BTE8_FAILED_AT 2
#define NR_BTE8_FAILED_BITS 1

/* State of the buffers */
#define NR_BTE9_ENABLED_AT 0
#define NR_BTE9_ENABLED_BITS 1
#define NR_BTE9_BUSY_AT 1
#define NR_BTE9_BUSY_BITS 1
#define NR_BTE9_FAILED_AT 2
#define NR_BTE9_FAILED_BITS 1

/* Page table of a context */
#define NR_IOMMU 0x0300
#define NR_IOMMU_STEP 1
#define NR_IOMMU_ENTRIES 16
#define NR_IOMMU_ROOT_AT 0
#define NR_IOMMU_ROOT_BITS 36
#define NR_IOMMU_LOG2_AT 36
#define NR_IOMMU_LOG2_BITS 6
#define NR_IOMMU_LEVELS_AT 42
#define NR_IOMMU_LEVELS_BITS 1
#define NR_IOMMU_ENABLE_AT 43
#define NR_IOMMU_ENABLE_BITS 1

/* Configuration; enabling is ignored while the engine is busy, or with more than 32 children */
#define NR_CE 0x0400
#define NR_CE_STEP 64
#define NR_CE_ENTRIES 4
#define NR_CE_PTAG_AT 0
#define NR_CE_PTAG_BITS 8
#define NR_CE_ROUNDING_AT 8
#define NR_CE_ROUNDING_BITS 2
#define NR_CE_MODE_AT 10
#define NR_CE_MODE_BITS 3
#define NR_CE_EVENT_AT 13
#define NR_CE_EVENT_BITS 1
#define NR_CE_ERRORS_AT 14
#define NR_CE_ERRORS_BITS 1
#define NR_CE_CHILDREN_AT 15
#define NR_CE_CHILDREN_BITS 6
#define NR_CE_TIMEOUT_AT 21
#define NR_CE_TIMEOUT_BITS 8
#define NR_CE_ROOT_AT 62
#define NR_CE_ROOT_BITS 1
#define NR_CE_ENABLE_AT 63
#define NR_CE_ENABLE_BITS 1

/* Parent; ignored while the engine is enabled or busy, as the children are */
#define NR_CE1_NODE_AT 0
#define NR_CE1_NODE_BITS 18
#define NR_CE1_ENGINE_AT 18
#define NR_CE1_ENGINE_BITS 2
#define NR_CE1_CHILD_AT 20
#define NR_CE1_CHILD_BITS 5

/* Child 0; 31 more follow */
#define NR_CE2_NODE_AT 0
#define NR_CE2_NODE_BITS 18
#define NR_CE2_ENGINE_AT 18
#define NR_CE2_ENGINE_BITS 2
#define NR_CE2_KIND_AT 20
#define NR_CE2_KIND_BITS 2
#define NR_CE2_FMA_AT 22
#define NR_CE2_FMA_BITS 7

/* State */
#define NR_CE3_ENABLED_AT 0
#define NR_CE3_ENABLED_BITS 1
#define NR_CE3_BUSY_AT 1
#define NR_CE3_BUSY_BITS 1
#define NR_CE3_ACTIVE_AT 2
#define NR_CE3_ACTIVE_BITS 1
#define NR_CE3_ID_AT 4
#define NR_CE3_ID_BITS 15
#define NR_CE3_PENDING_AT 32
#define NR_CE3_PENDING_BITS 32

/* Virtual memory handles, by protection domain */
#define NR_VMDH 0x0800
#define NR_VMDH_STEP 1
#define NR_VMDH_ENTRIES 256
#define NR_VMDH_BASE_AT 0
#define NR_VMDH_BASE_BITS 12
#define NR_VMDH_SIZE_AT 12
#define NR_VMDH_SIZE_BITS 12
#define NR_VMDH_VALID_AT 24
#define NR_VMDH_VALID_BITS 1

/* Owner */
#define NR_FMA 0x1000
#define NR_FMA_STEP 4
#define NR_FMA_ENTRIES 128
#define NR_FMA_PTAG_AT 0
#define NR_FMA_PTAG_BITS 8
#define NR_FMA_BASE_AT 8
#define NR_FMA_BASE_BITS 13
#define NR_FMA_SIZE_AT 21
#define NR_FMA_SIZE_BITS 18
#define NR_FMA_GRANULARITY_AT 39
#define NR_FMA_GRANULARITY_BITS 3
#define NR_FMA_LIMIT_AT 42
#define NR_FMA_LIMIT_BITS 9
#define NR_FMA_FLAGS_AT 51
#define NR_FMA_FLAGS_BITS 1
#define NR_FMA_CHANNELS_AT 52
#define NR_FMA_CHANNELS_BITS 4
#define NR_FMA_NTT_AT 56
#define NR_FMA_NTT_BITS 1
#define NR_FMA_ENABLE_AT 57
#define NR_FMA_ENABLE_BITS 1

/* Limit; a register of its own, to be written before the owner's that enables */
#define NR_FMA1_REQUESTS_AT 0
#define NR_FMA1_REQUESTS_BITS 11

/* Ring */
#define NR_CQ 0x2000
#define NR_CQ_STEP 4
#define NR_CQ_ENTRIES 1024
#define NR_CQ_ADDRESS_AT 0
#define NR_CQ_ADDRESS_BITS 48
#define NR_CQ_MMU_AT 48
#define NR_CQ_MMU_BITS 1
#define NR_CQ_TC_AT 49
#define NR_CQ_TC_BITS 4

/* Configuration; a write of it takes both words */
#define NR_CQ1_ENABLE_AT 0
#define NR_CQ1_ENABLE_BITS 1
#define NR_CQ1_LOG2_AT 1
#define NR_CQ1_LOG2_BITS 5
#define NR_CQ1_PTAG_AT 6
#define NR_CQ1_PTAG_BITS 8
#define NR_CQ1_IRQ_AT 14
#define NR_CQ1_IRQ_BITS 5
#define NR_CQ1_THRESHOLD_AT 19
#define NR_CQ1_THRESHOLD_BITS 16

/* Node translation table */
#define NR_NTT 0x4000
#define NR_NTT_STEP 1
#define NR_NTT_ENTRIES 8192
#define NR_NTT_NODE_AT 0
#define NR_NTT_NODE_BITS 18
#define NR_NTT_VALID_AT 18
#define NR_NTT_VALID_BITS 1

/* Place and rights; with valid = 0 the entry is gone at once */
#define NR_MDD 0x8000
#define NR_MDD_STEP 2
#define NR_MDD_ENTRIES 4096
#define NR_MDD_BASE_AT 0
#define NR_MDD_BASE_BITS 48
#define NR_MDD_TC_AT 48
#define NR_MDD_TC_BITS 4
#define NR_MDD_READ_AT 52
#define NR_MDD_READ_BITS 1
#define NR_MDD_WRITE_AT 53
#define NR_MDD_WRITE_BITS 1
#define NR_MDD_ATOMIC_AT 54
#define NR_MDD_ATOMIC_BITS 1
#define NR_MDD_MMU_AT 55
#define NR_MDD_MMU_BITS 1
#define NR_MDD_EVENT_AT 56
#define NR_MDD_EVENT_BITS 1
#define NR_MDD_VALID_AT 58
#define NR_MDD_VALID_BITS 1

/* Length and owner; a write of it takes both words */
#define NR_MDD1_LENGTH_AT 0
#define NR_MDD1_LENGTH_BITS 40
#define NR_MDD1_PTAG_AT 40
#define NR_MDD1_PTAG_BITS 8
#define NR_MDD1_QUEUE_AT 48
#define NR_MDD1_QUEUE_BITS 10

/* HPET: what it is */
#define NR_HPET_ID 0xc000
#define NR_HPET_ID_REVISION_AT 0
#define NR_HPET_ID_REVISION_BITS 8
#define NR_HPET_ID_REVISION_RESET 0x1
#define NR_HPET_ID_TIMERS_AT 8
#define NR_HPET_ID_TIMERS_BITS 5
#define NR_HPET_ID_TIMERS_RESET 0x2
#define NR_HPET_ID_WIDE_AT 13
#define NR_HPET_ID_WIDE_BITS 1
#define NR_HPET_ID_WIDE_RESET 0x1
#define NR_HPET_ID_LEGACY_AT 15
#define NR_HPET_ID_LEGACY_BITS 1
#define NR_HPET_ID_VENDOR_AT 16
#define NR_HPET_ID_VENDOR_BITS 16
#define NR_HPET_ID_VENDOR_RESET 0x4845
#define NR_HPET_ID_PERIOD_AT 32
#define NR_HPET_ID_PERIOD_BITS 32

/* HPET: configuration */
#define NR_HPET_CONFIG 0xc002
#define NR_HPET_CONFIG_ENABLE_AT 0
#define NR_HPET_CONFIG_ENABLE_BITS 1
#define NR_HPET_CONFIG_LEGACY_AT 1
#define NR_HPET_CONFIG_LEGACY_BITS 1
#define NR_HPET_CONFIG_CLOCK_USE_AT 8
#define NR_HPET_CONFIG_CLOCK_USE_BITS 1

/* HPET: interrupts of level-triggered timers */
#define NR_HPET_STATUS 0xc004
#define NR_HPET_STATUS_TIMERS_AT 0
#define NR_HPET_STATUS_TIMERS_BITS 3

/* HPET: main counter; writes are ignored while it runs */
#define NR_HPET_COUNTER 0xc01e
#define NR_HPET_COUNTER_COUNTER_AT 0
#define NR_HPET_COUNTER_COUNTER_BITS 64

/* Configuration */
#define NR_HPET_TIMER 0xc020
#define NR_HPET_TIMER_STEP 4
#define NR_HPET_TIMER_ENTRIES 3
#define NR_HPET_TIMER_LEVEL_TRIGGERED_AT 1
#define NR_HPET_TIMER_LEVEL_TRIGGERED_BITS 1
#define NR_HPET_TIMER_INTERRUPTS_AT 2
#define NR_HPET_TIMER_INTERRUPTS_BITS 1
#define NR_HPET_TIMER_PERIODIC_AT 3
#define NR_HPET_TIMER_PERIODIC_BITS 1
#define NR_HPET_TIMER_MAY_BE_PERIODIC_AT 4
#define NR_HPET_TIMER_MAY_BE_PERIODIC_BITS 1
#define NR_HPET_TIMER_MAY_BE_PERIODIC_RESET 0x1
#define NR_HPET_TIMER_WIDE_AT 5
#define NR_HPET_TIMER_WIDE_BITS 1
#define NR_HPET_TIMER_WIDE_RESET 0x1
#define NR_HPET_TIMER_SET_VALUE_AT 6
#define NR_HPET_TIMER_SET_VALUE_BITS 1
#define NR_HPET_TIMER_NARROW_AT 8
#define NR_HPET_TIMER_NARROW_BITS 1
#define NR_HPET_TIMER_ROUTES_AT 32
#define NR_HPET_TIMER_ROUTES_BITS 32
#define NR_HPET_TIMER_ROUTES_RESET 0x1

/* Comparator; all ones after reset */
#define NR_HPET_TIMER1_COMPARATOR_AT 0
#define NR_HPET_TIMER1_COMPARATOR_BITS 64
#define NR_HPET_TIMER1_COMPARATOR_RESET 0xffffffffffffffff

/* Route */
#define NR_HPET_TIMER2_ROUTE_AT 0
#define NR_HPET_TIMER2_ROUTE_BITS 64

/* Counters, from NR_REGISTER_REFUSED on. */
#define NR_COUNTERS 86

/* Sums, from NR_ORB_REQUEST_BYTES on. */
#define NR_SUMS 5

/* Bit i: counter i, from the first one on (HIGH: 64 + i), is of this class; FIRST_ERROR and IRQ_PENDING number classes so. */
#define NR_CLASS_CORRECTABLE_MEMORY 0
#define NR_CLASS_CORRECTABLE_MEMORY_LOW 0x0000000000000002u
#define NR_CLASS_CORRECTABLE_MEMORY_HIGH 0x0000000000000000u
#define NR_CLASS_CRITICAL 1
#define NR_CLASS_CRITICAL_LOW 0xe321401434180000u
#define NR_CLASS_CRITICAL_HIGH 0x0000000000214800u
#define NR_CLASS_TRANSACTION 2
#define NR_CLASS_TRANSACTION_LOW 0x00de9ee30205083du
#define NR_CLASS_TRANSACTION_HIGH 0x000000000014b000u
#define NR_CLASS_ADDRESS_TRANSLATION 3
#define NR_CLASS_ADDRESS_TRANSLATION_LOW 0x0000010000022000u
#define NR_CLASS_ADDRESS_TRANSLATION_HIGH 0x0000000000000000u
#define NR_CLASS_TRANSIENT 4
#define NR_CLASS_TRANSIENT_LOW 0x1c00000088201000u
#define NR_CLASS_TRANSIENT_HIGH 0x0000000000020000u
#define NR_CLASS_INFORMATIONAL 5
#define NR_CLASS_INFORMATIONAL_LOW 0x0000200840c0c7c0u
#define NR_CLASS_INFORMATIONAL_HIGH 0x00000000000807ffu
#define NR_CLASS_DIAG_ONLY 6
#define NR_CLASS_DIAG_ONLY_LOW 0x0000000000000000u
#define NR_CLASS_DIAG_ONLY_HIGH 0x0000000000000000u
#define NR_CLASS_UNKNOWN_TRANSACTION 7
#define NR_CLASS_UNKNOWN_TRANSACTION_LOW 0x0000000001000000u
#define NR_CLASS_UNKNOWN_TRANSACTION_HIGH 0x0000000000000000u

#endif
