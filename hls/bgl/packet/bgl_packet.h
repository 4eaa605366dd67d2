// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_packet.h - what is on a link: gap words, acks, packets and their codes.
 *
 *  packet: 32 n bytes, n = 1 to 8, a valid byte (0xFF good, 0x00 bad), CRC-24. Its first 8 bytes are the header; in a word of
 *  64 bits byte 0 is the top one:
 *
 *    byte   0                1                         2                               3    4    5    6           7
 *         7     1  0   7  6  5  4  3  2  1  0    7   5  4  3   2   1   0            7..0 7..0 7..0 7..0        7..0
 *        +--------+--+--+--+--+--+--+--+--+--+ +------+-----+---+--------+        +----+----+----+----------+--------+
 *        | skip   |sk|x+|x-|y+|y-|z+|z-|dp|g | | n - 1| sw  |dyn|  vc    |        | x  | y  | z  | sequence | CRC-8  |
 *        +--------+--+--+--+--+--+--+--+--+--+ +------+-----+---+--------+        +----+----+----+----------+--------+
 *
 *  ack:
 *
 *    63    60 59      52 51      45 44      38 37      31 30      24 23         16 15       8 7      0
 *    +-------+----------+----------+----------+----------+----------+-------------+----------+--------+
 *    |  0x9  | expected | freed 0  | freed 1  | freed 2  | freed 3  | ~expected   |    0     | CRC-8  |
 *    +-------+----------+----------+----------+----------+----------+-------------+----------+--------+
 *
 *  gap: two bytes between any two things, which say what follows and how long it is: word m of the Reed-Muller code (1, 4), bit i
 *  is m[4] XOR the parity of (m[3:0] AND i). m: 0x07 another gap, 0x17 an ack, 0x08 + n - 1 a packet, 0x18 + n - 1 an ack and
 *  a packet behind it without a gap.
 */
#ifndef BGL_PACKET_H
#define BGL_PACKET_H

#include "hls.h"
#include "config/machine.h"

/* Over bytes 0 to 6 of a header or an ack. */
#define CRC      crc8
#define CRC_BITS 8
#define CRC_POLY 0xA7
#include "bgl/packet/bgl_crc.inc"
#define CRC8_HEADER 0xFF /* start values */
#define CRC8_ACK    0x5A

/* Over a packet and its valid byte. */
#define CRC      crc24
#define CRC_BITS 24
#define CRC_POLY 0x7B01BD
#include "bgl/packet/bgl_crc.inc"
#define CRC24_START 0xFFFFFF

/* Over all packets of an epoch with their valid bytes. */
#define CRC      crc32
#define CRC_BITS 32
#define CRC_POLY 0x04C11DB7
#include "bgl/packet/bgl_crc.inc"
#define CRC32_START 0xFFFFFFFF

#define BGL_GOOD 0xFF /* the valid byte */
#define BGL_BAD  0x00

/* ---- header ---------------------------------------------------------------------------------- */

#define HEADER_N_AT 45

/* clang-format off */
static inline u7 header_skip(u64 h)    { return (u7)(h >> 57); }
static inline u1 header_skips(u64 h)   { return (u1)(h >> 56); }
static inline u1 header_deposit(u64 h) { return (u1)(h >> 49); }
static inline u1 header_group(u64 h)   { return (u1)(h >> 48); }
static inline u3 header_n(u64 h)       { return (u3)(h >> HEADER_N_AT); } /* chunks - 1 */
static inline u1 header_dynamic(u64 h) { return (u1)(h >> 42); }
static inline u2 header_vc(u64 h)      { return (u2)(h >> 40); }
static inline u8 header_x(u64 h)       { return (u8)(h >> 32); }
static inline u8 header_y(u64 h)       { return (u8)(h >> 24); }
static inline u8 header_z(u64 h)       { return (u8)(h >> 16); }
/* clang-format on */

/* The hint bits, bit p that of port p: in byte 1 port 0 is on top. */
static inline u6 header_hints(u64 h)
{
    u6 hints = 0;

#pragma clang loop unroll(full)
    for (int p = 0; p < BGL_PORTS; p++) {
        hints |= (u6)((u6)(u1)(h >> (55 - p)) << p);
    }
    return hints;
}

/* Byte 1 for such hints; deposit and group are left 0. */
static inline u8 header_hint_byte(u6 hints)
{
    u8 byte = 0;

#pragma clang loop unroll(full)
    for (int p = 0; p < BGL_PORTS; p++) {
        byte |= (u8)((u8)(u1)(hints >> p) << (7 - p));
    }
    return byte;
}

/* Byte 2 as the sender writes it: n and VC anew, the rest as it came. */
static inline u8 header_byte2(u3 n, u8 byte, u2 vc)
{
    return (u8)((u8)((u8)n << 5) | (u8)(byte & 0x1C) | vc);
}

/* ---- gaps ------------------------------------------------------------------------------------ */

#define GAP_IDLE 0x07
#define GAP_ACK  0x17
#define GAP_DATA 0x08 /* + n - 1 */
#define GAP_BOTH 0x18

HLS_FUNCTION static inline u16 gap_word(u5 m)
{
    u16 word = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
        u1 bit = (u1)(m >> 4) ^ (u1)__builtin_parityll(m & (unsigned)i);

        word |= (u16)((u16)bit << i);
    }
    return word;
}

/* Ones of a byte. */
static inline u4 ones_of(u8 set)
{
    u4 ones = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < 8; i++) {
        ones += (u4)(u1)(set >> i);
    }
    return ones;
}

/* m[3:0] of a gap word with up to two wrong bits: of each bit eight pairs of places vote. */
static inline u4 gap_votes(u16 word)
{
    u4 m = 0;

#pragma clang loop unroll(full)
    for (int b = 0; b < 4; b++) {
        u8 votes = 0;
        int pair = 0;

#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            if (((i >> b) & 1) == 0) {
                u1 vote = (u1)(word >> i) ^ (u1)(word >> (i | (1 << b)));

                votes |= (u8)((u8)vote << pair);
                pair++;
            }
        }
        m |= (u4)((u4)(ones_of(votes) > 4) << b);
    }
    return m;
}

/* Places in which a word differs from word m[3:0]; of 11 and more m[4] is 1. */
static inline u5 gap_distance(u16 word, u4 m)
{
    u16 differ = word ^ gap_word((u5)m);

    return (u5)((u5)ones_of((u8)differ) + (u5)ones_of((u8)(differ >> 8)));
}

/* ---- acks ------------------------------------------------------------------------------------ */

#define ACK_KIND 0x9

/* The ack but for its CRC-8, which is its last byte. */
static inline u56 ack_word(u8 expected, const u7 freed[BGL_VCS])
{
    return (u56)(((u56)ACK_KIND << 52) | ((u56)expected << 44) | ((u56)freed[0] << 37) |
                 ((u56)freed[1] << 30) | ((u56)freed[2] << 23) | ((u56)freed[3] << 16) |
                 ((u56)(u8)~expected << 8));
}

/* Kind, complement and spare bits of an ack without its CRC. */
static inline u1 ack_right(u56 ack)
{
    return (u4)(ack >> 52) == ACK_KIND && (u8)(ack >> 8) == (u8) ~(u8)(ack >> 44) && (u8)ack == 0;
}

static inline u8 ack_expected(u56 ack)
{
    return (u8)(ack >> 44);
}

#endif
