// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_seastar.h - the link in micropacket mode, with 64-bit flits on four lanes: seastar and seastar2.
 *
 * A 16-bit CRC with retries on each link is public of SeaStar (Cray XT3). The polynomial is that of Gemini's links, 0xA2EB: distance 4
 * over the 640 bits of a micropacket. A packet of nine flits fills one; each VC has a buffer of its own. Depth, sideband layout and
 * limits are our own.
 */
#ifndef CONFIG_LCB_SEASTAR_H
#define CONFIG_LCB_SEASTAR_H

#define LCB_PACKET 0
#define LANE_PACE  1 /* clocks per word of a lane */

/* Micropacket. */
#define LCB_SLOTS       10 /* words of a micropacket: payload flits and the tail */
#define LCB_FLIT_BITS   64 /* a payload flit */
#define LCB_WORD_BITS   64 /* what a lane group moves per slot: a flit or a tail */
#define LCB_WINDOW_LOG2 6  /* micropackets that may wait for their ack: 64 */

/* Sideband in the tail, below zeros: sequence, type, count, high part of the load, body, CRC. */
#define LCB_SEQ_BITS   7 /* LCB_WINDOW_LOG2 + 1 */
#define LCB_COUNT_BITS 4
#define LCB_HIGH_BITS  4 /* of the load */
#define LCB_BODY_BITS  11
#define LCB_SIDE_BITS  28
#define LCB_CRC_BITS   16
#define LCB_CRC_POLY   0xA2EB
#define LCB_CRC_START  0x8406 /* 0xFFFF / x^16 modulo the polynomial */
#define LCB_TURN_BITS  5      /* a clock body once in 2^5 micropackets */

/* Virtual channels and head marks. */
#define LCB_VC_BITS     3
#define LCB_VCS         8   /* that a head can name; 4 to 7 do not exist */
#define LCB_LENGTH_BITS 4   /* flits of a packet, 0 means 16 */
#define LCB_LONGEST     9   /* flits of the longest packet that is sent */
#define LCB_WHOLE       1   /* heads say whether all of their packet is here */
#define LCB_STEP_LOG2   2   /* credit is returned in steps of 4 */
#define LCB_STEP_BITS   8   /* LCB_BODY_BITS - LCB_VC_BITS */
#define LCB_CREDIT_BITS 10  /* LCB_STEP_BITS + LCB_STEP_LOG2 */
#define LCB_LOAD_BITS   7   /* LCB_HIGH_BITS + LCB_BODY_BITS - LCB_SEQ_BITS - 1 */
#define LCB_GUARANTEED  120 /* flits of the peer's queue for each VC */
#define LCB_SHARED      0   /* nothing is shared */
#define LCB_SHARED_MOST 0
#define LCB_RESPONSES   0x0c /* VCs of responses */

/* Memories: words of a micropacket in the replay buffer, flits in the receive buffer. */
#define LCB_SLOT_LOG2 4
#define LCB_RX_LOG2   4
#define LCB_ECC_BITS  14 /* of each half Hamming over 32 bits and a parity over all */

/* Reset values of what the register bus can change. */
#define LCB_TIMEOUT     2560 /* slots without progress before a replay */
#define LCB_BAD_LIMIT   16   /* bad CRCs in a row before a re-initialisation */
#define LCB_RETRY_LIMIT 8    /* re-initialisations without progress before the link is dead */
#define LCB_TRAIN_LIMIT 4096 /* clocks that one bring-up may take */
#define LCB_PROGRESS    256  /* good micropackets that make up for all re-initialisations */
#define LCB_ROUND_TRIP  1024 /* clocks, until it is measured */
#define LCB_HOLD        24 /* slots on top of the measured round trip: framing, check, turn of the ack */

#endif
