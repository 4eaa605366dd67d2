// SPDX-License-Identifier: Apache-2.0
/*
 * seastar_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/seastar/host/seastar.rdl`.
 *
 * SS_REG_<REGISTER> is an address in words of 64 bits, SS_REG_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef SEASTAR_MAP_H
#define SEASTAR_MAP_H

/* clang-format off */

/* What this is */
#define SS_REG_ID 0x0000
#define SS_REG_ID_ID_AT 0
#define SS_REG_ID_ID_BITS 16
#define SS_REG_ID_ID_RESET 0x5353
#define SS_REG_ID_PORTS_AT 16
#define SS_REG_ID_PORTS_BITS 3

/* Status */
#define SS_REG_STATUS 0x0001
#define SS_REG_STATUS_IDLE_AT 0
#define SS_REG_STATUS_IDLE_BITS 1
#define SS_REG_STATUS_READY_AT 1
#define SS_REG_STATUS_READY_BITS 1

/* Control */
#define SS_REG_CONTROL 0x0002
#define SS_REG_CONTROL_DRAIN_AT 0
#define SS_REG_CONTROL_DRAIN_BITS 1

/* Who this is */
#define SS_REG_NODE 0x0003
#define SS_REG_NODE_NODE_AT 0
#define SS_REG_NODE_NODE_BITS 15

/* Where records of messages are that have no place on the chip */
#define SS_REG_STREAMS 0x0005
#define SS_REG_STREAMS_ENABLE_AT 0
#define SS_REG_STREAMS_ENABLE_BITS 1
#define SS_REG_STREAMS_BASE_AT 7
#define SS_REG_STREAMS_BASE_BITS 41

/* Clocks after which a message ends of which no packet comes */
#define SS_REG_RX_TIMEOUT 0x0006
#define SS_REG_RX_TIMEOUT_CLOCKS_AT 0
#define SS_REG_RX_TIMEOUT_CLOCKS_BITS 32
#define SS_REG_RX_TIMEOUT_CLOCKS_RESET 0x1000000

/* Clocks for which requests wait for the driver before they are dropped */
#define SS_REG_VALVE 0x0007
#define SS_REG_VALVE_CLOCKS_AT 0
#define SS_REG_VALVE_CLOCKS_BITS 32
#define SS_REG_VALVE_CLOCKS_RESET 0x100000

/* Interrupts that are masked */
#define SS_REG_IRQ_MASK 0x0025
#define SS_REG_IRQ_MASK_RING_AT 0
#define SS_REG_IRQ_MASK_RING_BITS 1
#define SS_REG_IRQ_MASK_RING_RESET 0x1

/* The ring */
#define SS_REG_RING_BASE 0x0030
#define SS_REG_RING_BASE_BASE_AT 0
#define SS_REG_RING_BASE_BASE_BITS 48

/* Its size; a write begins the ring anew */
#define SS_REG_RING_CONFIG 0x0031
#define SS_REG_RING_CONFIG_ENABLE_AT 0
#define SS_REG_RING_CONFIG_ENABLE_BITS 1
#define SS_REG_RING_CONFIG_LOG2_AT 1
#define SS_REG_RING_CONFIG_LOG2_BITS 5
#define SS_REG_RING_CONFIG_LOG2_RESET 0x8

/* Entries that the driver has read */
#define SS_REG_RING_READ 0x0032
#define SS_REG_RING_READ_COUNT_AT 0
#define SS_REG_RING_READ_COUNT_BITS 16

/* Entries that are in memory */
#define SS_REG_RING_WRITE 0x0033
#define SS_REG_RING_WRITE_COUNT_AT 0
#define SS_REG_RING_WRITE_COUNT_BITS 16

/* A cell of the scratch memory; a write reads it */
#define SS_REG_SCRATCH_ADDRESS 0x0040
#define SS_REG_SCRATCH_ADDRESS_WORD_AT 0
#define SS_REG_SCRATCH_ADDRESS_WORD_BITS 13
#define SS_REG_SCRATCH_ADDRESS_BANK_AT 13
#define SS_REG_SCRATCH_ADDRESS_BANK_BITS 2
#define SS_REG_SCRATCH_ADDRESS_BUSY_AT 15
#define SS_REG_SCRATCH_ADDRESS_BUSY_BITS 1

/* Bits 42 to 0 of the cell */
#define SS_REG_SCRATCH_DATA0 0x0041
#define SS_REG_SCRATCH_DATA0_DATA_AT 0
#define SS_REG_SCRATCH_DATA0_DATA_BITS 43

/* Bits 85 to 43 of the cell */
#define SS_REG_SCRATCH_DATA1 0x0042
#define SS_REG_SCRATCH_DATA1_DATA_AT 0
#define SS_REG_SCRATCH_DATA1_DATA_BITS 43

/* Bits 127 to 86 of the cell; a write writes the cell */
#define SS_REG_SCRATCH_DATA2 0x0043
#define SS_REG_SCRATCH_DATA2_DATA_AT 0
#define SS_REG_SCRATCH_DATA2_DATA_BITS 42

/* Clocks between two cells that the scrubber reads */
#define SS_REG_SCRUB_PERIOD 0x0044
#define SS_REG_SCRUB_PERIOD_CLOCKS_AT 0
#define SS_REG_SCRUB_PERIOD_CLOCKS_BITS 16
#define SS_REG_SCRUB_PERIOD_CLOCKS_RESET 0x40

/* Clocks after which a get or an ack times out */
#define SS_REG_GET_TIMEOUT 0x0045
#define SS_REG_GET_TIMEOUT_CLOCKS_AT 0
#define SS_REG_GET_TIMEOUT_CLOCKS_BITS 32
#define SS_REG_GET_TIMEOUT_CLOCKS_RESET 0x4000000

/* Packets in error: marked, wrong check, for another node */
#define SS_REG_DROPPED 0x0080

/* Headers in error: CRC-32, node, op, length */
#define SS_REG_HEADER 0x0081

/* Data packets without a record */
#define SS_REG_STRAY 0x0082

/* Messages for which there was no record */
#define SS_REG_FULL 0x0083

/* Requests that no process, access entry or match list took */
#define SS_REG_REFUSED 0x0084

/* Acks and replies that nothing waits for */
#define SS_REG_LATE 0x0085

/* Commands of processes and drivers that were not done */
#define SS_REG_ILLEGAL 0x0086

/* Events that found their queue full */
#define SS_REG_LOST 0x0087

/* Walks that an uncorrectable error ended */
#define SS_REG_POISONED 0x0088

/* Correctable errors of the scratch memory that were seen */
#define SS_REG_CORRECTED 0x0089

/* Uncorrectable errors of the scratch memory that were seen */
#define SS_REG_FATAL 0x008a

/* Cells that the scrubber has corrected */
#define SS_REG_SCRUBBED 0x008b

/* Records that went to host memory */
#define SS_REG_SPILLED 0x008c

/* Records that host memory did not take, or did not give back */
#define SS_REG_UNSPILT 0x008d

/* Messages that ended because no packet came any more */
#define SS_REG_AGED 0x008e

/* Messages, and entries of the ring, that were dropped because the driver did not move */
#define SS_REG_VALVED 0x008f

/* Writes an entry of the local table */
#define SS_REG_ROUTE_LOCAL 0x0200
#define SS_REG_ROUTE_LOCAL_INPUTS_AT 0
#define SS_REG_ROUTE_LOCAL_INPUTS_BITS 7
#define SS_REG_ROUTE_LOCAL_INDEX_AT 7
#define SS_REG_ROUTE_LOCAL_INDEX_BITS 12
#define SS_REG_ROUTE_LOCAL_PORT_AT 19
#define SS_REG_ROUTE_LOCAL_PORT_BITS 3
#define SS_REG_ROUTE_LOCAL_V_AT 22
#define SS_REG_ROUTE_LOCAL_V_BITS 1

/* Writes an entry of the global table */
#define SS_REG_ROUTE_GLOBAL 0x0201
#define SS_REG_ROUTE_GLOBAL_INPUTS_AT 0
#define SS_REG_ROUTE_GLOBAL_INPUTS_BITS 7
#define SS_REG_ROUTE_GLOBAL_PARTITION_AT 7
#define SS_REG_ROUTE_GLOBAL_PARTITION_BITS 3
#define SS_REG_ROUTE_GLOBAL_PORT_AT 10
#define SS_REG_ROUTE_GLOBAL_PORT_BITS 3
#define SS_REG_ROUTE_GLOBAL_V_AT 13
#define SS_REG_ROUTE_GLOBAL_V_BITS 1

/* Clocks of a tick, less one */
#define SS_REG_AGE_PERIOD 0x0202
#define SS_REG_AGE_PERIOD_CLOCKS_AT 0
#define SS_REG_AGE_PERIOD_CLOCKS_BITS 16
#define SS_REG_AGE_PERIOD_CLOCKS_RESET 0xf

/* Which choices of an output are by age */
#define SS_REG_AGE_RR 0x0203
#define SS_REG_AGE_RR_CHOICES_AT 0
#define SS_REG_AGE_RR_CHOICES_BITS 64
#define SS_REG_AGE_RR_CHOICES_RESET 0x7fff7fff7fff7fff

/* Counters, from SS_REG_DROPPED on. */
#define SS_REG_COUNTERS 16

#endif
