// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_packet.h - the link in packet mode, with 24-bit phits: proto24, gemini, yarc.
 *
 * Packets of 2 to 32 phits of 24 bits, 22 of them the packet's, under a 16-bit CRC: Alverson et al., "The Gemini System
 * Interconnect" (2010), and Scott et al., "The BlackWidow High-Radix Clos Network" (2006). The polynomial 0xA2EB has Hamming
 * distance 4 over 768 bits. Kinds, records, depth and limits are our own.
 */
#ifndef CONFIG_LCB_PACKET_H
#define CONFIG_LCB_PACKET_H

#define LCB_PACKET 1
#define LANE_PACE                                                                                  \
    2 /* clocks per word of a lane: a SerDes gives 16 bits, and a clock of the phits has 8 */

#define LCB_FLIT_BITS   22 /* of a phit those that are the packet's */
#define LCB_WORD_BITS   48 /* two phits */
#define LCB_WINDOW_LOG2 9  /* phits that may wait for their ack: 512 */
#define LCB_SEQ_BITS    10 /* a position: LCB_WINDOW_LOG2 + 1 */
#define LCB_COUNT_BITS  5  /* phits of a packet, 0 means 32 */
#define LCB_CRC_BITS    16
#define LCB_CRC_POLY    0xA2EB
#define LCB_CRC_START   0xFFFF
#define LCB_ECC_BITS    6 /* Hamming over 22 bits and a parity over all */

/* Records. */
#define LCB_STEP_LOG2 3 /* credit is returned in steps of 8 */
#define LCB_STEP_BITS 6
#define LCB_LOAD_BITS 7
#define LCB_VCS_MOST  4 /* VCs that an ACK can name */
#define LCB_SEEK_LOG2 3 /* a SEEK behind every 2^3 ACKs */
#define LCB_LENT_MOST                                                                              \
    (1 << (LCB_STEP_BITS +                                                                         \
           LCB_STEP_LOG2)) /* a count modulo this tells the phits of a VC that are lent */

/* Limits in clocks. */
#define LCB_HOLD_LIMIT                                                                             \
    2048                 /* a packet may wait so long for its next flit before the sender ends it */
#define LCB_SILENCE 4096 /* and the receiver so long for a phit of it, or for a right record */

/* Reset values of what the register bus can change. */
#define LCB_CLIP        RTR_PACKET /* phits of the longest packet */
#define LCB_EVERY       128        /* phits between two records */
#define LCB_OWED        64         /* phits of a VC freed and not reported that ask for one */
#define LCB_TIMEOUT     3840       /* phits without progress before a replay */
#define LCB_BAD_LIMIT   16         /* errors in a row before a re-initialisation */
#define LCB_RETRY_LIMIT 8          /* re-initialisations without progress before the link is dead */
#define LCB_TRAIN_LIMIT 8192       /* clocks that one bring-up may take */
#define LCB_PROGRESS    256  /* good packets and records that make up for all re-initialisations */
#define LCB_ROUND_TRIP  1024 /* clocks, until it is measured */
#define LCB_HOLD        0    /* clocks on top of it */
#define LCB_FRAMES      40 /* of it those that discovery frames take longer than records, at least */

#endif
