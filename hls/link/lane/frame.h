// SPDX-License-Identifier: Apache-2.0
/*
 * frame.h - the discovery frame that every lane repeats during bring-up.
 *
 * Six words of 16 bits, not scrambled, the same on all lanes but for the first:
 *
 *   word 0   sync      one constant per lane, so a receiver also knows that lanes are not swapped
 *   word 1   info0     15    12 11     9 8      6  5  4      1  0
 *                     +--------+--------+--------+---+--------+---+
 *                     | epoch  | rx map |tx map  | s | count  | m |
 *                     +--------+--------+--------+---+--------+---+
 *   word 2   info1     15 14 13 12 11 10 9 8                       0
 *                     +--+--+-----+-----+-+--------------------------+
 *                     |f |u | ping| pong|0|  shared space            |
 *                     +--+--+-----+-----+-+--------------------------+
 *   word 3   chip      15                                          0
 *                     +---------------------------------------------+
 *                     |  chip                                       |
 *                     +---------------------------------------------+
 *   word 4   port      15          10 9                             0
 *                     +--------------+------------------------------+
 *                     |  port        |  echo                        |
 *                     +--------------+------------------------------+
 *   word 5   check     CRC-16 (0x1021, register all ones, msb first) over words 1 to 4
 *
 *  rx map   the lanes on which the sender of this frame will listen; 0 while it is still searching
 *  tx map   the lanes on which it will send, which is the rx map it received; 0 while unknown
 *  s        start: data begins count + 1 frames from the start of this frame, i.e. the word behind
 *           the frame with count 0 is data word 0
 *  m, f     packet mode; fresh: the sender has sent no data and accepted no flit in this epoch
 *  u        used: it has taken a flit to send, accepted one or seen one acknowledged in this epoch
 *  ping     is echoed in the peer's pong: the round trip is measured with them
 *  shared   shared input queue space in eights; chip, port: the sender's identity, which port of which chip (0: none)
 *  echo     whom the sender hears: that identity folded to ten bits; 0 while it has heard nobody that has one
 */
#ifndef FRAME_H
#define FRAME_H

#include "link/flit/link_types.h"

#define FRAME_WORDS 6
#define FRAME_LAST  (FRAME_WORDS - 1) /* the check */

/*
 * The sender's identity, an input of the LCB: without it both ends of a cable look alike. 16 bits are enough for the
 * 23,136 routers of the largest Aries system, 6 for the 48 ports of each.
 */
struct link_identity {
    u16 chip; /* 0: none */
    u6 port;
};

static inline u1 identity_same(struct link_identity a, struct link_identity b)
{
    return a.chip == b.chip && a.port == b.port;
}

/* Ten bits of an identity, with the port the other way round so that neighbouring chips and ports do not cancel; 0: none. */
static inline u10 identity_fold(struct link_identity who)
{
    u6 port = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < 6; i++) {
        port |= (u6)((u6)(u1)(who.port >> i) << (5 - i));
    }
    return who.chip == 0 ? (u10)0 : (u10)(who.chip ^ (u10)(who.chip >> 10) ^ (u10)((u10)port << 4));
}

#if LANES == 4
#include "link/lane/frame4.h"
#else
static const u16 frame_sync[LANES] = {0xB5C3, 0xD64E, 0x8B79};

static inline u16 frame_info0(u4 epoch, u3 rx_map, u3 tx_map, u1 start, u4 count)
{
    return (u16)(((u16)epoch << 12) | ((u16)rx_map << 9) | ((u16)tx_map << 6) | ((u16)start << 5) |
                 ((u16)count << 1));
}

/* clang-format off */
static inline u4 frame_epoch(u16 info0)  { return (u4)(info0 >> 12); }
static inline u3 frame_rx_map(u16 info0) { return (u3)(info0 >> 9); }
static inline u3 frame_tx_map(u16 info0) { return (u3)(info0 >> 6); }
static inline u1 frame_start(u16 info0)  { return (u1)(info0 >> 5); }
static inline u4 frame_count(u16 info0)  { return (u4)(info0 >> 1); }
/* clang-format on */

/* What stays the same from frame to frame. */
static inline u16 frame_steady(u16 info0)
{
    return info0 & (u16)(0xFFC0 | LCB_PACKET);
}

/* Its sender frames as this end does. An end in packet mode refuses one that does not, and so neither comes up. */
static inline u1 frame_framing(u16 info0)
{
    return !LCB_PACKET || (u1)info0;
}
#endif
static inline u16 frame_info1(u1 fresh, u1 used, u2 ping, u2 pong, u9 shared)
{
    return (u16)(((u16)fresh << 15) | ((u16)used << 14) | ((u16)ping << 12) | ((u16)pong << 10) |
                 shared);
}

/* clang-format off */
static inline u1 frame_fresh(u16 info1)  { return (u1)(info1 >> 15); }
static inline u1 frame_used(u16 info1)   { return (u1)(info1 >> 14); }
static inline u2 frame_ping(u16 info1)   { return (u2)(info1 >> 12); }
static inline u2 frame_pong(u16 info1)   { return (u2)(info1 >> 10); }
static inline u9 frame_shared(u16 info1) { return (u9)info1; }
/* clang-format on */

static inline u16 frame_port_word(u6 port, u10 echo)
{
    return (u16)((u16)port << 10) | echo;
}

static inline u6 frame_port(u16 word)
{
    return (u6)(word >> 10);
}

static inline u10 frame_echo(u16 word)
{
    return (u10)word;
}

/* CRC-16 over one more word: the sum of the remainders of all bits that are 1. */
static inline u16 frame_check(u16 check, u16 word)
{
    u16 bits = check ^ word;
    u16 sum = 0;
    u16 power = 0x1021; /* x^16 */

#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
        sum ^= (u1)(bits >> i) ? power : (u16)0;
        power = (u16)(power << 1) ^ ((u1)(power >> 15) ? (u16)0x1021 : (u16)0);
    }
    return sum;
}

#endif
