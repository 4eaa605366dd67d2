// SPDX-License-Identifier: Apache-2.0
/*
 * formal.h - the smallest link that still shows every protocol step, for proofs.
 *
 * Three payload flits of 4 bits, a window of 4 and sequence numbers of 3 bits. The CRC has one
 * bit and the polynomial x, so it is 0 in a good micropacket: the mark by which a channel corrupts one.
 * Used by lcb_tx, lcb_rx and formal/prove_pair, which leaves the lanes out.
 */
#ifndef CONFIG_FORMAL_H
#define CONFIG_FORMAL_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#define LCB_PACKET 0
#define LANE_PACE  1

#define LCB_SLOTS       4
#define LCB_FLIT_BITS   4
#define LCB_WORD_BITS   14
#define LCB_WINDOW_LOG2 2

#define LCB_SEQ_BITS   3
#define LCB_COUNT_BITS 3
#define LCB_HIGH_BITS  1
#define LCB_BODY_BITS  4
#define LCB_SIDE_BITS  13
#define LCB_CRC_BITS   1
#define LCB_CRC_POLY   0
#define LCB_CRC_START  0
#define LCB_TURN_BITS  2

#define LCB_VC_BITS     1
#define LCB_VCS         2
#define LCB_RESPONSES   0x2
#define LCB_LENGTH_BITS 1
#define LCB_STEP_LOG2   1
#define LCB_STEP_BITS   3
#define LCB_CREDIT_BITS 4
#define LCB_LOAD_BITS   1
#define LCB_GUARANTEED  3
#define LCB_SHARED      1
#define LCB_SHARED_MOST 1

#define LCB_SLOT_LOG2 3
#define LCB_RX_LOG2   3
#define LCB_ECC_BITS  4

#define LCB_TIMEOUT     24
#define LCB_BAD_LIMIT   4
#define LCB_RETRY_LIMIT 2
#define LCB_TRAIN_LIMIT 64

#endif
