// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_micropacket.h - the link in micropacket mode, with 48-bit flits: aries, a16 and proto.
 *
 * Sets of ten 48-bit flits with a 20-bit CRC in the tenth and three lanes each way: Cray XC white
 * paper WP-Aries01-1112. The polynomial 0xC4047 has Hamming distance 6 up to 494 data bits
 * (Koopman's CRC tables). Depth, sideband layout and limits are our own.
 */
#ifndef CONFIG_LCB_MICROPACKET_H
#define CONFIG_LCB_MICROPACKET_H

#define LCB_PACKET 0
#define LANE_PACE  1 /* clocks per word of a lane */

/* Micropacket. */
#define LCB_SLOTS       10 /* words of a micropacket: payload flits and the tail */
#define LCB_FLIT_BITS   48 /* a payload flit */
#define LCB_WORD_BITS   48 /* what a lane group moves per slot: a flit or a tail */
#define LCB_WINDOW_LOG2 6  /* micropackets that may wait for their ack: 64 */

/* Sideband in the tail: sequence, type, count, high part of the load, body, CRC. Together LCB_WORD_BITS. */
#define LCB_SEQ_BITS   7 /* LCB_WINDOW_LOG2 + 1 */
#define LCB_COUNT_BITS 4
#define LCB_HIGH_BITS  4 /* of the load */
#define LCB_BODY_BITS  11
#define LCB_SIDE_BITS  28 /* all of the tail but the CRC */
#define LCB_CRC_BITS   20
#define LCB_CRC_POLY   0xC4047
#define LCB_CRC_START  0x34DAF /* 0xFFFFF / x^20 modulo the polynomial */
#define LCB_TURN_BITS  5       /* a clock body once in 2^5 micropackets */

/* Virtual channels and head marks. */
#define LCB_VC_BITS     3
#define LCB_VCS         8
#define LCB_LENGTH_BITS 4  /* flits of a packet, 0 means 16 */
#define LCB_STEP_LOG2   2  /* credit is returned in steps of 4 */
#define LCB_STEP_BITS   8  /* LCB_BODY_BITS - LCB_VC_BITS */
#define LCB_CREDIT_BITS 10 /* LCB_STEP_BITS + LCB_STEP_LOG2 */
#define LCB_LOAD_BITS   7  /* LCB_HIGH_BITS + LCB_BODY_BITS - LCB_SEQ_BITS - 1 */
#define LCB_GUARANTEED  20 /* flits of the peer's queue for each VC alone: a packet and a step */

/* Memories: words of a micropacket in the replay buffer, flits in the receive buffer. */
#define LCB_SLOT_LOG2 4
#define LCB_RX_LOG2   4
#define LCB_ECC_BITS  7 /* Hamming over 48 bits and a parity over all */

/* Reset values of what the register bus can change. */
#define LCB_TIMEOUT     2560 /* slots without progress before a replay */
#define LCB_BAD_LIMIT   16   /* bad CRCs in a row before a re-initialisation */
#define LCB_RETRY_LIMIT 8    /* re-initialisations without progress before the link is dead */
#define LCB_TRAIN_LIMIT 4096 /* clocks that one bring-up may take */
#define LCB_PROGRESS    256  /* good micropackets that make up for all re-initialisations */
#define LCB_ROUND_TRIP  1024 /* clocks, until it is measured */
#define LCB_HOLD        24 /* slots on top of the measured round trip: framing, check, turn of the ack */

#endif
