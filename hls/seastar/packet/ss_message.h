// SPDX-License-Identifier: Apache-2.0
/*
 * ss_message.h - messages: header packets, data packets, their codes.
 *
 * A header packet has nine flits: the head, flits 1 to 6 for the message, flit 7 and [31:0] of flit 8 for up to 12 bytes of data, and the
 * CRC-32 in [63:32] of flit 8.
 *
 *     flit 1   [3:0] op   [4] ack wanted   [7:5] access entry   [13:8] portal   [31:16] target pid   [47:32] source pid   [63:48] tag
 *     flit 2   match bits
 *     flit 3   header data of a put
 *     flit 4   [39:0] requested length   [54:40] source node
 *     flit 5   [39:0] offset   [43:40] status
 *     flit 6   [31:0] user   [63:32] job
 *
 * More data follow in packets of 64 bytes. The last one has its CRC-32 in [63:32] of its last flit, behind at most 60 bytes.
 */
#ifndef SS_MESSAGE_H
#define SS_MESSAGE_H

#include "seastar/router/ss_flit.h"

#define SS_IN_HEADER  12 /* bytes of data in a header packet */
#define SS_LAST_BYTES 60 /* at most, in front of the CRC in the last packet */

/* Kinds of messages. */
#define SS_PUT   1
#define SS_GET   2
#define SS_ACK   3
#define SS_REPLY 4
#define SS_RAW   5

/* Fail codes. */
#define SS_OK      0
#define SS_CRC     1 /* end to end */
#define SS_CUT     2 /* packets are missing */
#define SS_TIMEOUT 3 /* no ack, no reply */
#define SS_MEMORY  4 /* bus error */
#define SS_ILLEGAL 7 /* command */
#define SS_IN_USE  8 /* something of it is pending */

typedef u40 ss_length;
typedef u18 ss_key; /* of a stream: class, node 15, stream 2 */
typedef u4 ss_status;

static inline ss_node ss_head_src(ss_flit head)
{
    return (ss_node)(head >> 16);
}

static inline u2 ss_head_stream(ss_flit head)
{
    return (u2)(head >> 14);
}

/* The message's first packet. */
static inline u1 ss_head_first(ss_flit head)
{
    return (u1)(head >> 13);
}

static inline u1 ss_head_last(ss_flit head)
{
    return (u1)(head >> 12);
}

static inline ss_key ss_head_key(ss_flit head)
{
    return (ss_key)(((ss_key)(u1)(ss_head_vc(head) >> 1) << 17) | ((ss_key)ss_head_src(head) << 2) |
                    ss_head_stream(head));
}

/* CRC-8, 0x2F, over dst, length, src, stream, f, l and four zeros, from 0. */
static inline u8 ss_head_check(ss_flit head)
{
    u42 bits = (u42)(((u42)ss_head_dst(head) << 27) | ((u42)ss_head_length(head) << 23) |
                     ((u42)ss_head_src(head) << 8) | ((u42)(u4)(head >> 12) << 4));
    u8 sum = 0;
    u8 power = 0x2F; /* x^8 */

#pragma clang loop unroll(full)
    for (int i = 0; i < 42; i++) {
        sum ^= (u1)(bits >> i) ? power : (u8)0;
        power = (u8)(power << 1) ^ ((u1)(power >> 7) ? (u8)0x2F : (u8)0);
    }
    return sum;
}

static inline ss_flit ss_head_make(ss_node dst, ss_node src, u4 length, u1 class, u2 stream,
                                   u1 first, u1 last)
{
    ss_flit head = ((ss_flit) class << 62) | ((ss_flit)length << 57) | ((ss_flit)dst << 42) |
                   ((ss_flit)src << 16) | ((ss_flit)stream << 14) | ((ss_flit)first << 13) |
                   ((ss_flit)last << 12);

    return head | ss_head_check(head);
}

/* What of a head the CRC-32 covers: not its VC, age and check. */
static inline ss_flit ss_head_covered(ss_flit head)
{
    return ss_head_with(head, 0, 0) & ~(ss_flit)0xFF;
}

/* CRC-32C, 0x1EDC6F41, the most significant bit of a flit first. */
static inline u32 ss_crc_times_x(u32 power)
{
    return (u32)(power << 1) ^ ((u1)(power >> 31) ? (u32)0x1EDC6F41 : (u32)0);
}

__attribute__((noinline)) static inline u32 ss_crc_half(u32 crc, u32 word)
{
    u32 bits = crc ^ word;
    u32 sum = 0;
    u32 power = 0x1EDC6F41; /* x^32 */

#pragma clang loop unroll(full)
    for (int i = 0; i < 32; i++) {
        sum ^= (u1)(bits >> i) ? power : (u32)0;
        power = ss_crc_times_x(power);
    }
    return sum;
}

static inline u32 ss_crc_flit(u32 crc, ss_flit flit)
{
    return ss_crc_half(ss_crc_half(crc, (u32)(flit >> 32)), (u32)flit);
}

/* Flits of the last packet with so many bytes of data, without its head. */
static inline u4 ss_last_flits(u7 bytes)
{
    return (u4)((u7)(bytes + 11) >> 3);
}

/* Bits of the first bytes of a flit: all of eight and more. */
static inline ss_flit ss_bytes_mask(ss_length bytes)
{
    ss_flit mask = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < 8; i++) {
        mask |= bytes > (ss_length)i ? (ss_flit)0xFF << (8 * i) : (ss_flit)0;
    }
    return mask;
}

#endif
