// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_map.h - addresses and fields of registers, made by `scripts/rdl.py --header hls/bgl/host/bgl.rdl`.
 *
 * BGL_REG_<REGISTER> is an address in words of 64 bits, BGL_REG_<REGISTER>_<FIELD>_AT and _BITS the place of a field,
 * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,
 * and word 1 of an entry is <TABLE>1.
 */
#ifndef BGL_MAP_H
#define BGL_MAP_H

/* clang-format off */

/* Last coordinates of the machine */
#define BGL_REG_NODES 0x0000
#define BGL_REG_NODES_X_AT 0
#define BGL_REG_NODES_X_BITS 8
#define BGL_REG_NODES_Y_AT 8
#define BGL_REG_NODES_Y_BITS 8
#define BGL_REG_NODES_Z_AT 16
#define BGL_REG_NODES_Z_BITS 8

/* Coordinates of this node */
#define BGL_REG_NODE 0x0001
#define BGL_REG_NODE_X_AT 0
#define BGL_REG_NODE_X_BITS 8
#define BGL_REG_NODE_Y_AT 8
#define BGL_REG_NODE_Y_BITS 8
#define BGL_REG_NODE_Z_AT 16
#define BGL_REG_NODE_Z_BITS 8

/* Coordinates of the neighbours at ports x+, y+, z+ */
#define BGL_REG_PLUS 0x0002
#define BGL_REG_PLUS_X_AT 0
#define BGL_REG_PLUS_X_BITS 8
#define BGL_REG_PLUS_Y_AT 8
#define BGL_REG_PLUS_Y_BITS 8
#define BGL_REG_PLUS_Z_AT 16
#define BGL_REG_PLUS_Z_BITS 8

/* Coordinates of the neighbours at ports x-, y-, z- */
#define BGL_REG_MINUS 0x0003
#define BGL_REG_MINUS_X_AT 0
#define BGL_REG_MINUS_X_BITS 8
#define BGL_REG_MINUS_Y_AT 8
#define BGL_REG_MINUS_Y_BITS 8
#define BGL_REG_MINUS_Z_AT 16
#define BGL_REG_MINUS_Z_BITS 8

/* Hints by hardware: a higher coordinate up to this one is reached by the plus port */
#define BGL_REG_HINT_PLUS 0x0004
#define BGL_REG_HINT_PLUS_X_AT 0
#define BGL_REG_HINT_PLUS_X_BITS 8
#define BGL_REG_HINT_PLUS_X_RESET 0xff
#define BGL_REG_HINT_PLUS_Y_AT 8
#define BGL_REG_HINT_PLUS_Y_BITS 8
#define BGL_REG_HINT_PLUS_Y_RESET 0xff
#define BGL_REG_HINT_PLUS_Z_AT 16
#define BGL_REG_HINT_PLUS_Z_BITS 8
#define BGL_REG_HINT_PLUS_Z_RESET 0xff

/* Hints by hardware: a lower coordinate from this one on is reached by the minus port */
#define BGL_REG_HINT_MINUS 0x0005
#define BGL_REG_HINT_MINUS_X_AT 0
#define BGL_REG_HINT_MINUS_X_BITS 8
#define BGL_REG_HINT_MINUS_Y_AT 8
#define BGL_REG_HINT_MINUS_Y_BITS 8
#define BGL_REG_HINT_MINUS_Z_AT 16
#define BGL_REG_HINT_MINUS_Z_BITS 8

/* Thresholds between the four ranges of tokens and of fullness */
#define BGL_REG_RANGES 0x0006
#define BGL_REG_RANGES_TOKENS0_AT 0
#define BGL_REG_RANGES_TOKENS0_BITS 6
#define BGL_REG_RANGES_TOKENS0_RESET 0x9
#define BGL_REG_RANGES_TOKENS1_AT 6
#define BGL_REG_RANGES_TOKENS1_BITS 6
#define BGL_REG_RANGES_TOKENS1_RESET 0x11
#define BGL_REG_RANGES_TOKENS2_AT 12
#define BGL_REG_RANGES_TOKENS2_BITS 6
#define BGL_REG_RANGES_TOKENS2_RESET 0x19
#define BGL_REG_RANGES_FULL0_AT 18
#define BGL_REG_RANGES_FULL0_BITS 6
#define BGL_REG_RANGES_FULL0_RESET 0x9
#define BGL_REG_RANGES_FULL1_AT 24
#define BGL_REG_RANGES_FULL1_BITS 6
#define BGL_REG_RANGES_FULL1_RESET 0x11
#define BGL_REG_RANGES_FULL2_AT 30
#define BGL_REG_RANGES_FULL2_BITS 6
#define BGL_REG_RANGES_FULL2_RESET 0x19

/* Arbitration */
#define BGL_REG_ARBITER 0x0007
#define BGL_REG_ARBITER_SLQ_AT 0
#define BGL_REG_ARBITER_SLQ_BITS 8
#define BGL_REG_ARBITER_SLQ_RESET 0x9d
#define BGL_REG_ARBITER_RANDOM_AT 8
#define BGL_REG_ARBITER_RANDOM_BITS 8
#define BGL_REG_ARBITER_RANDOM_RESET 0x35
#define BGL_REG_ARBITER_INJECT_AT 16
#define BGL_REG_ARBITER_INJECT_BITS 5
#define BGL_REG_ARBITER_HPINJECT_AT 21
#define BGL_REG_ARBITER_HPINJECT_BITS 5
#define BGL_REG_ARBITER_SEED_AT 32
#define BGL_REG_ARBITER_SEED_BITS 16

/* Identity in discovery frames; the lower three bits of the port are the port */
#define BGL_REG_IDENTITY 0x0008
#define BGL_REG_IDENTITY_CHIP_AT 0
#define BGL_REG_IDENTITY_CHIP_BITS 16
#define BGL_REG_IDENTITY_UPPER_AT 16
#define BGL_REG_IDENTITY_UPPER_BITS 3

/* Injection FIFOs, a bit each */
#define BGL_REG_INJECTION 0x0009
#define BGL_REG_INJECTION_STOPPED_AT 0
#define BGL_REG_INJECTION_STOPPED_BITS 8
#define BGL_REG_INJECTION_CLEAR_AT 8
#define BGL_REG_INJECTION_CLEAR_BITS 8

/* Reception FIFOs, a bit each by number */
#define BGL_REG_RECEPTION 0x000a
#define BGL_REG_RECEPTION_CLEAR_AT 0
#define BGL_REG_RECEPTION_CLEAR_BITS 16

/* Chunks in each VC FIFO of a receiver below which its packets may take the bypass; 0: off, 33: always */
#define BGL_REG_BYPASS 0x000b
#define BGL_REG_BYPASS_VC0_AT 0
#define BGL_REG_BYPASS_VC0_BITS 7
#define BGL_REG_BYPASS_VC0_RESET 0x21
#define BGL_REG_BYPASS_VC1_AT 7
#define BGL_REG_BYPASS_VC1_BITS 7
#define BGL_REG_BYPASS_VC1_RESET 0x21
#define BGL_REG_BYPASS_VC2_AT 14
#define BGL_REG_BYPASS_VC2_BITS 7
#define BGL_REG_BYPASS_VC2_RESET 0x21
#define BGL_REG_BYPASS_VC3_AT 21
#define BGL_REG_BYPASS_VC3_BITS 7
#define BGL_REG_BYPASS_VC3_RESET 0x21

/* Watermarks of group 0, in chunks */
#define BGL_REG_WATERMARK0 0x000c
#define BGL_REG_WATERMARK0_RX_AT 0
#define BGL_REG_WATERMARK0_RX_BITS 5
#define BGL_REG_WATERMARK0_RX_HIGH_AT 5
#define BGL_REG_WATERMARK0_RX_HIGH_BITS 5
#define BGL_REG_WATERMARK0_TX0_AT 10
#define BGL_REG_WATERMARK0_TX0_BITS 5
#define BGL_REG_WATERMARK0_TX1_AT 15
#define BGL_REG_WATERMARK0_TX1_BITS 5
#define BGL_REG_WATERMARK0_TX2_AT 20
#define BGL_REG_WATERMARK0_TX2_BITS 5
#define BGL_REG_WATERMARK0_TX3_AT 25
#define BGL_REG_WATERMARK0_TX3_BITS 5

/* Watermarks of group 1, in chunks */
#define BGL_REG_WATERMARK1 0x000d
#define BGL_REG_WATERMARK1_RX_AT 0
#define BGL_REG_WATERMARK1_RX_BITS 5
#define BGL_REG_WATERMARK1_RX_HIGH_AT 5
#define BGL_REG_WATERMARK1_RX_HIGH_BITS 5
#define BGL_REG_WATERMARK1_TX0_AT 10
#define BGL_REG_WATERMARK1_TX0_BITS 5
#define BGL_REG_WATERMARK1_TX1_AT 15
#define BGL_REG_WATERMARK1_TX1_BITS 5
#define BGL_REG_WATERMARK1_TX2_AT 20
#define BGL_REG_WATERMARK1_TX2_BITS 5
#define BGL_REG_WATERMARK1_TX3_AT 25
#define BGL_REG_WATERMARK1_TX3_BITS 5

/* To 0, a bit each */
#define BGL_REG_CLEAR 0x000e
#define BGL_REG_CLEAR_CHECKSUMS_AT 0
#define BGL_REG_CLEAR_CHECKSUMS_BITS 8
#define BGL_REG_CLEAR_COUNTERS_AT 8
#define BGL_REG_CLEAR_COUNTERS_BITS 1

/* The first error; any write takes it off */
#define BGL_REG_FIRST_ERROR 0x000f
#define BGL_REG_FIRST_ERROR_CLASS_AT 0
#define BGL_REG_FIRST_ERROR_CLASS_BITS 6
#define BGL_REG_FIRST_ERROR_PLACE_AT 8
#define BGL_REG_FIRST_ERROR_PLACE_BITS 5
#define BGL_REG_FIRST_ERROR_VC_AT 16
#define BGL_REG_FIRST_ERROR_VC_BITS 2
#define BGL_REG_FIRST_ERROR_CLOCK_AT 32
#define BGL_REG_FIRST_ERROR_CLOCK_BITS 32

/* What asks for an interrupt */
#define BGL_REG_IRQ_STATUS 0x0010
#define BGL_REG_IRQ_STATUS_RX_AT 0
#define BGL_REG_IRQ_STATUS_RX_BITS 4
#define BGL_REG_IRQ_STATUS_TX_AT 4
#define BGL_REG_IRQ_STATUS_TX_BITS 8
#define BGL_REG_IRQ_STATUS_LINK_AT 12
#define BGL_REG_IRQ_STATUS_LINK_BITS 6
#define BGL_REG_IRQ_STATUS_ERROR_AT 18
#define BGL_REG_IRQ_STATUS_ERROR_BITS 1

/* Bits of IRQ_STATUS that core 0 is interrupted for */
#define BGL_REG_IRQ_MASK0 0x0011
#define BGL_REG_IRQ_MASK0_BITS_AT 0
#define BGL_REG_IRQ_MASK0_BITS_BITS 19

/* Bits of IRQ_STATUS that core 1 is interrupted for */
#define BGL_REG_IRQ_MASK1 0x0012
#define BGL_REG_IRQ_MASK1_BITS_AT 0
#define BGL_REG_IRQ_MASK1_BITS_BITS 19

/* Checksum over what left an injection FIFO */
#define BGL_REG_CHECKSUM 0x0018
#define BGL_REG_CHECKSUM_STEP 1
#define BGL_REG_CHECKSUM_ENTRIES 8
#define BGL_REG_CHECKSUM_SUM_AT 0
#define BGL_REG_CHECKSUM_SUM_BITS 32

/* Control of a port's link */
#define BGL_REG_PORT 0x0040
#define BGL_REG_PORT_STEP 8
#define BGL_REG_PORT_ENTRIES 6
#define BGL_REG_PORT_RESTART_AT 0
#define BGL_REG_PORT_RESTART_BITS 1
#define BGL_REG_PORT_KILL_AT 1
#define BGL_REG_PORT_KILL_BITS 1
#define BGL_REG_PORT_CLEAR_CRC_AT 2
#define BGL_REG_PORT_CLEAR_CRC_BITS 1
#define BGL_REG_PORT_CLEAR_AT 3
#define BGL_REG_PORT_CLEAR_BITS 1
#define BGL_REG_PORT_LOOPBACK_AT 4
#define BGL_REG_PORT_LOOPBACK_BITS 1
#define BGL_REG_PORT_DROP_AT 5
#define BGL_REG_PORT_DROP_BITS 1
#define BGL_REG_PORT_DROP_RESET 0x1
#define BGL_REG_PORT_STOP_AT 6
#define BGL_REG_PORT_STOP_BITS 1

/* Patience of a port's link */
#define BGL_REG_PORT1_CLOCKS_AT 0
#define BGL_REG_PORT1_CLOCKS_BITS 16
#define BGL_REG_PORT1_CLOCKS_RESET 0x400
#define BGL_REG_PORT1_RETRY_AT 16
#define BGL_REG_PORT1_RETRY_BITS 8
#define BGL_REG_PORT1_RETRY_RESET 0x40

/* State of a port's link */
#define BGL_REG_PORT2_STATE_AT 0
#define BGL_REG_PORT2_STATE_BITS 3
#define BGL_REG_PORT2_EPOCH_AT 4
#define BGL_REG_PORT2_EPOCH_BITS 4
#define BGL_REG_PORT2_ROUND_TRIP_AT 8
#define BGL_REG_PORT2_ROUND_TRIP_BITS 12
#define BGL_REG_PORT2_PEER_CHIP_AT 24
#define BGL_REG_PORT2_PEER_CHIP_BITS 16
#define BGL_REG_PORT2_PEER_PORT_AT 40
#define BGL_REG_PORT2_PEER_PORT_BITS 6

/* CRC-32 over all packets sent in this epoch */
#define BGL_REG_PORT3_SUM_AT 0
#define BGL_REG_PORT3_SUM_BITS 32

/* CRC-32 over all packets accepted in this epoch */
#define BGL_REG_PORT4_SUM_AT 0
#define BGL_REG_PORT4_SUM_BITS 32

/* Tokens that are not at home, by VC */
#define BGL_REG_PORT5_VC0_AT 0
#define BGL_REG_PORT5_VC0_BITS 7
#define BGL_REG_PORT5_VC1_AT 7
#define BGL_REG_PORT5_VC1_BITS 7
#define BGL_REG_PORT5_VC2_AT 14
#define BGL_REG_PORT5_VC2_BITS 7
#define BGL_REG_PORT5_VC3_AT 21
#define BGL_REG_PORT5_VC3_BITS 7

/* Chunks in the VC FIFOs */
#define BGL_REG_PORT6_VC0_AT 0
#define BGL_REG_PORT6_VC0_BITS 7
#define BGL_REG_PORT6_VC1_AT 7
#define BGL_REG_PORT6_VC1_BITS 7
#define BGL_REG_PORT6_VC2_AT 14
#define BGL_REG_PORT6_VC2_BITS 7
#define BGL_REG_PORT6_VC3_AT 21
#define BGL_REG_PORT6_VC3_BITS 7

/* Numbers of the resend FIFO */
#define BGL_REG_PORT7_BASE_AT 0
#define BGL_REG_PORT7_BASE_BITS 8
#define BGL_REG_PORT7_FOLLOWING_AT 8
#define BGL_REG_PORT7_FOLLOWING_BITS 8

/* Packets sent for the first time */
#define BGL_REG_COUNTERS 0x0080
#define BGL_REG_COUNTERS_STEP 32
#define BGL_REG_COUNTERS_ENTRIES 6
#define BGL_REG_COUNTERS_COUNT_AT 0
#define BGL_REG_COUNTERS_COUNT_BITS 32

/* Packets accepted */
#define BGL_REG_COUNTERS1_COUNT_AT 0
#define BGL_REG_COUNTERS1_COUNT_BITS 32

/* Packets sent again */
#define BGL_REG_COUNTERS2_COUNT_AT 0
#define BGL_REG_COUNTERS2_COUNT_BITS 32

/* Time-outs */
#define BGL_REG_COUNTERS3_COUNT_AT 0
#define BGL_REG_COUNTERS3_COUNT_BITS 32

/* Acks sent */
#define BGL_REG_COUNTERS4_COUNT_AT 0
#define BGL_REG_COUNTERS4_COUNT_BITS 32

/* Acks sent that say of freed chunks what the one before did not */
#define BGL_REG_COUNTERS5_COUNT_AT 0
#define BGL_REG_COUNTERS5_COUNT_BITS 32

/* Acks outside the window, or with a wrong CRC */
#define BGL_REG_COUNTERS6_COUNT_AT 0
#define BGL_REG_COUNTERS6_COUNT_BITS 32

/* Packets with a wrong CRC-24 */
#define BGL_REG_COUNTERS7_COUNT_AT 0
#define BGL_REG_COUNTERS7_COUNT_BITS 32

/* Headers with a wrong CRC-8 or another length than their gap word's */
#define BGL_REG_COUNTERS8_COUNT_AT 0
#define BGL_REG_COUNTERS8_COUNT_BITS 32

/* Gap words corrected */
#define BGL_REG_COUNTERS9_COUNT_AT 0
#define BGL_REG_COUNTERS9_COUNT_BITS 32

/* Gap words lost */
#define BGL_REG_COUNTERS10_COUNT_AT 0
#define BGL_REG_COUNTERS10_COUNT_BITS 32

/* Packets that came again */
#define BGL_REG_COUNTERS11_COUNT_AT 0
#define BGL_REG_COUNTERS11_COUNT_BITS 32

/* Packets of a number that is not expected yet */
#define BGL_REG_COUNTERS12_COUNT_AT 0
#define BGL_REG_COUNTERS12_COUNT_BITS 32

/* Packets thrown away at a dead link */
#define BGL_REG_COUNTERS13_COUNT_AT 0
#define BGL_REG_COUNTERS13_COUNT_BITS 32

/* The link was trained again */
#define BGL_REG_COUNTERS14_COUNT_AT 0
#define BGL_REG_COUNTERS14_COUNT_BITS 32

/* Epochs begun */
#define BGL_REG_COUNTERS15_COUNT_AT 0
#define BGL_REG_COUNTERS15_COUNT_BITS 32

/* Bits of memories corrected */
#define BGL_REG_COUNTERS16_COUNT_AT 0
#define BGL_REG_COUNTERS16_COUNT_BITS 32

/* Words with two wrong bits */
#define BGL_REG_COUNTERS17_COUNT_AT 0
#define BGL_REG_COUNTERS17_COUNT_BITS 32

/* Bytes with a wrong parity */
#define BGL_REG_COUNTERS18_COUNT_AT 0
#define BGL_REG_COUNTERS18_COUNT_BITS 32

/* Headers that cannot be, of other nodes, or that have lost their way */
#define BGL_REG_COUNTERS19_COUNT_AT 0
#define BGL_REG_COUNTERS19_COUNT_BITS 32

/* Packets that left before they were stored */
#define BGL_REG_COUNTERS20_COUNT_AT 0
#define BGL_REG_COUNTERS20_COUNT_BITS 32

/* Grants that lapsed: no packet followed */
#define BGL_REG_COUNTERS21_COUNT_AT 0
#define BGL_REG_COUNTERS21_COUNT_BITS 32

/* Dynamic packets sent on the bubble VC */
#define BGL_REG_COUNTERS22_COUNT_AT 0
#define BGL_REG_COUNTERS22_COUNT_BITS 32

/* Packets sent on VC 0 */
#define BGL_REG_COUNTERS23_COUNT_AT 0
#define BGL_REG_COUNTERS23_COUNT_BITS 32

/* Packets sent on VC 1 */
#define BGL_REG_COUNTERS24_COUNT_AT 0
#define BGL_REG_COUNTERS24_COUNT_BITS 32

/* Packets sent on VC 2 */
#define BGL_REG_COUNTERS25_COUNT_AT 0
#define BGL_REG_COUNTERS25_COUNT_BITS 32

/* Packets sent on VC 3 */
#define BGL_REG_COUNTERS26_COUNT_AT 0
#define BGL_REG_COUNTERS26_COUNT_BITS 32

/* Packets accepted on VC 0 */
#define BGL_REG_COUNTERS27_COUNT_AT 0
#define BGL_REG_COUNTERS27_COUNT_BITS 32

/* Packets accepted on VC 1 */
#define BGL_REG_COUNTERS28_COUNT_AT 0
#define BGL_REG_COUNTERS28_COUNT_BITS 32

/* Packets accepted on VC 2 */
#define BGL_REG_COUNTERS29_COUNT_AT 0
#define BGL_REG_COUNTERS29_COUNT_BITS 32

/* Packets accepted on VC 3 */
#define BGL_REG_COUNTERS30_COUNT_AT 0
#define BGL_REG_COUNTERS30_COUNT_BITS 32

/* Injected packets refused: a destination that the machine does not have */
#define BGL_REG_NODE_COUNTERS 0x0140
#define BGL_REG_NODE_COUNTERS_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS_COUNT_BITS 32

/* Injected packets refused: hints */
#define BGL_REG_NODE_COUNTERS1_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS1_COUNT_BITS 32

/* Injected packets refused: VC */
#define BGL_REG_NODE_COUNTERS2_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS2_COUNT_BITS 32

/* Injected packets refused: a broadcast that is not down one line */
#define BGL_REG_NODE_COUNTERS3_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS3_COUNT_BITS 32

/* Injected packets refused: to this node without a hint */
#define BGL_REG_NODE_COUNTERS4_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS4_COUNT_BITS 32

/* Quads written to a full injection FIFO, or not whole */
#define BGL_REG_NODE_COUNTERS5_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS5_COUNT_BITS 32

/* Quads read off an empty reception FIFO */
#define BGL_REG_NODE_COUNTERS6_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS6_COUNT_BITS 32

/* Bits of the host's memories corrected */
#define BGL_REG_NODE_COUNTERS7_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS7_COUNT_BITS 32

/* Words of them with two wrong bits */
#define BGL_REG_NODE_COUNTERS8_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS8_COUNT_BITS 32

/* The random generator began anew: its parity was wrong */
#define BGL_REG_NODE_COUNTERS9_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS9_COUNT_BITS 32

/* Packets taken back at a reception FIFO: their valid byte was not 0xFF */
#define BGL_REG_NODE_COUNTERS10_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS10_COUNT_BITS 32

/* Clocks in which normal reception FIFO 0 of group 0 takes no full packet */
#define BGL_REG_NODE_COUNTERS11_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS11_COUNT_BITS 32

/* Clocks in which normal reception FIFO 1 of group 0 takes no full packet */
#define BGL_REG_NODE_COUNTERS12_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS12_COUNT_BITS 32

/* Clocks in which normal reception FIFO 2 of group 0 takes no full packet */
#define BGL_REG_NODE_COUNTERS13_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS13_COUNT_BITS 32

/* Clocks in which normal reception FIFO 3 of group 0 takes no full packet */
#define BGL_REG_NODE_COUNTERS14_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS14_COUNT_BITS 32

/* Clocks in which normal reception FIFO 4 of group 0 takes no full packet */
#define BGL_REG_NODE_COUNTERS15_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS15_COUNT_BITS 32

/* Clocks in which normal reception FIFO 5 of group 0 takes no full packet */
#define BGL_REG_NODE_COUNTERS16_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS16_COUNT_BITS 32

/* Clocks in which the high-priority reception FIFO of group 0 takes no full packet */
#define BGL_REG_NODE_COUNTERS17_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS17_COUNT_BITS 32

/* Clocks in which normal reception FIFO 0 of group 1 takes no full packet */
#define BGL_REG_NODE_COUNTERS18_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS18_COUNT_BITS 32

/* Clocks in which normal reception FIFO 1 of group 1 takes no full packet */
#define BGL_REG_NODE_COUNTERS19_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS19_COUNT_BITS 32

/* Clocks in which normal reception FIFO 2 of group 1 takes no full packet */
#define BGL_REG_NODE_COUNTERS20_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS20_COUNT_BITS 32

/* Clocks in which normal reception FIFO 3 of group 1 takes no full packet */
#define BGL_REG_NODE_COUNTERS21_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS21_COUNT_BITS 32

/* Clocks in which normal reception FIFO 4 of group 1 takes no full packet */
#define BGL_REG_NODE_COUNTERS22_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS22_COUNT_BITS 32

/* Clocks in which normal reception FIFO 5 of group 1 takes no full packet */
#define BGL_REG_NODE_COUNTERS23_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS23_COUNT_BITS 32

/* Clocks in which the high-priority reception FIFO of group 1 takes no full packet */
#define BGL_REG_NODE_COUNTERS24_COUNT_AT 0
#define BGL_REG_NODE_COUNTERS24_COUNT_BITS 32

#endif
