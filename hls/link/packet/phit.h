// SPDX-License-Identifier: Apache-2.0
/*
 * phit.h - phits, words of two, records, and the CRC of a packet.
 *
 *  phit   23 22 21                                               0
 *        +-----+-------------------------------------------------+
 *        |kind |                    content                      |   kind: 0 idle or hold, 1 body, 2 end, 3 head
 *        +-----+-------------------------------------------------+
 *  end          21  20    16 15                                 0
 *              +----+-------+-----------------------------------+
 *              |soft| count |               CRC                 |   count: phits of the packet, 32 is 0
 *              +----+-------+-----------------------------------+
 *  record       21  20  19          10  9  8  7 6          1  0
 *              +---+---+--------------+---+----+------------+---+
 *        ACK   | 1 | 0 |     ack      |nak| vc |   steps    | 0 |   steps of 8 phits of that VC freed since the epoch began
 *              +---+---+--------------+---+----+--------+---+---+
 *        SEEK  | 1 | 1 |     next     |      load       | e | 0 |   next: position of the packet that follows
 *              +---+---+--------------+-----------------+---+---+   e: the sender's input queue holds nothing of the receiver's
 *
 *  An idle phit is 0, a hold PHIT_HOLD. A record is an idle phit with bit 21 in slot A and an end with count 2 in slot B of the
 *  same word.
 *
 *  word   47          40 39          32 31          24 23          16 15           8 7            0
 *        +--------------+--------------+--------------+--------------+--------------+--------------+
 *        |  A's part    |  B's part    |  A's part    |  B's part    |  A's part    |  B's part    |
 *        +--------------+--------------+--------------+--------------+--------------+--------------+
 *         {kind[1], content[21:15]}      content[14:7]                 {content[6:0], kind[0]}
 */
#ifndef PHIT_H
#define PHIT_H

#include "link/flit/link_types.h"

enum phit_kind { PHIT_IDLE, PHIT_BODY, PHIT_END, PHIT_HEAD };

#define PHIT_HOLD    0x01A5A5
#define RECORD_COUNT 2 /* phits of a record */

typedef u24 phit_bits; /* kind and content */
typedef u16 pkt_crc;

struct phit {
    u2 kind; /* enum phit_kind */
    lcb_flit content;
};

static inline phit_bits phit_join(struct phit phit)
{
    return (phit_bits)(((phit_bits)phit.kind << LCB_FLIT_BITS) | phit.content);
}

/* ---- words ------------------------------------------------------------------------------------- */

/* What a lane has of a phit, the highest lane's part first. */
static inline phit_bits phit_parts(struct phit phit)
{
    phit_bits content = (phit_bits)((phit_bits)phit.content << 1);

    return (phit_bits)(((phit_bits)(u1)(phit.kind >> 1) << 23) | content | (u1)phit.kind);
}

static inline struct phit parts_phit(phit_bits parts)
{
    u2 upper = (u2)((u2)(u1)(parts >> 23) << 1);

    return (struct phit){.kind = upper | (u1)parts, .content = (lcb_flit)(parts >> 1)};
}

static inline lcb_word word_pack(phit_bits a, phit_bits b)
{
    return (lcb_word)(((lcb_word)(u8)(a >> 16) << 40) | ((lcb_word)(u8)(b >> 16) << 32) |
                      ((lcb_word)(u8)(a >> 8) << 24) | ((lcb_word)(u8)(b >> 8) << 16) |
                      ((lcb_word)(u8)a << 8) | (u8)b);
}

static inline phit_bits word_first(lcb_word word)
{
    return (phit_bits)(((phit_bits)(u8)(word >> 40) << 16) | ((phit_bits)(u8)(word >> 24) << 8) |
                       (u8)(word >> 8));
}

static inline phit_bits word_second(lcb_word word)
{
    return (phit_bits)(((phit_bits)(u8)(word >> 32) << 16) | ((phit_bits)(u8)(word >> 16) << 8) |
                       (u8)word);
}

/* ---- ends and records -------------------------------------------------------------------------- */

static inline lcb_flit end_pack(u1 soft, lcb_count count, pkt_crc crc)
{
    return (lcb_flit)(((lcb_flit)soft << 21) | ((lcb_flit)count << 16) | crc);
}

/* clang-format off */
static inline u1 end_soft(lcb_flit end)         { return (u1)(end >> 21); }
static inline lcb_count end_count(lcb_flit end) { return (lcb_count)(end >> 16); }
/* clang-format on */

/* Kind, soft and count of an end: what the core CRC leaves out. */
static inline u8 end_upper(lcb_flit end)
{
    return (u8)((u8)(PHIT_END << 6) | (u8)(u6)(end >> 16));
}

static inline lcb_flit ack_pack(lcb_seq ack, u1 nak, lcb_vc vc, lcb_steps steps)
{
    return (lcb_flit)(((lcb_flit)1 << 21) | ((lcb_flit)ack << 10) | ((lcb_flit)nak << 9) |
                      ((lcb_flit)vc << 7) | ((lcb_flit)steps << 1));
}

static inline lcb_flit seek_pack(lcb_seq next, lcb_load load, u1 empty)
{
    return (lcb_flit)(((lcb_flit)3 << 20) | ((lcb_flit)next << 10) | ((lcb_flit)load << 3) |
                      ((lcb_flit)empty << 2));
}

/* clang-format off */
static inline u1 is_record(struct phit phit)              { return phit.kind == PHIT_IDLE && (u1)(phit.content >> 21); }
static inline u1 record_seek(lcb_flit record)             { return (u1)(record >> 20); }
static inline lcb_seq record_position(lcb_flit record)    { return (lcb_seq)(record >> 10); }
static inline u1 ack_nak(lcb_flit record)                 { return (u1)(record >> 9); }
static inline lcb_vc ack_vc(lcb_flit record)              { return (lcb_vc)(record >> 7); }
static inline lcb_steps ack_steps(lcb_flit record)        { return (lcb_steps)(record >> 1); }
static inline lcb_load seek_load(lcb_flit record)         { return (lcb_load)(record >> 3); }
static inline u1 seek_empty(lcb_flit record)              { return (u1)(record >> 2); }
/* clang-format on */

/* ---- the CRC ----------------------------------------------------------------------------------- */

/* The sum of x^(16 + i) modulo the polynomial for each bit i that is set. */
__attribute__((noinline)) static inline pkt_crc crc_sum(u24 bits)
{
    u32 sum = 0;
    u32 power = LCB_CRC_POLY;

#pragma clang loop unroll(full)
    for (int i = 0; i < 24; i++) {
        sum ^= (u1)(bits >> i) ? power : 0u;
        power = power + power;
        power ^= (u1)(power >> LCB_CRC_BITS) ? (u32)(1u << LCB_CRC_BITS | LCB_CRC_POLY) : 0u;
    }
    return (pkt_crc)sum;
}

/* The register behind 24 more bits, the uppermost first; behind an end with a right CRC it is 0. */
static inline pkt_crc crc_phit(pkt_crc crc, phit_bits bits)
{
    return crc_sum((u24)(bits ^ (u24)((u24)crc << 8)));
}

/* Behind 8 more: the upper part of an end. */
static inline pkt_crc crc_upper(pkt_crc crc, u8 bits)
{
    return (pkt_crc)((pkt_crc)(crc << 8) ^ crc_sum((u24)(u8)((u8)(crc >> 8) ^ bits)));
}

/* In front of the first phit: the prefix of 11 bits is in, which is not sent. */
static inline pkt_crc crc_start(u1 record, lcb_seq position)
{
    u11 prefix = (u11)((u11)((u11)record << 10) | (record ? (lcb_seq)0 : position));
    u11 bits = (u11)(LCB_CRC_START >> 5) ^ prefix;

    return (pkt_crc)((pkt_crc)((u32)LCB_CRC_START << 11) ^ crc_sum((u24)bits));
}

/* A head that routers take off or change as a whole. */
static inline u1 head_source(lcb_flit head)
{
    return (u3)(head >> (LCB_FLIT_BITS - LCB_VC_BITS - 3)) == 7;
}

/*
 * Of a phit what the core CRC leaves out, the rest 0: its kind; of a leading head the VC, and all of it if its mode is SOURCE.
 * The link CRC is the core CRC plus the CRC of this with prefix and start.
 */
static inline phit_bits phit_apart(struct phit phit, u1 leads)
{
    lcb_flit vc = (lcb_flit)((phit.content >> (LCB_FLIT_BITS - LCB_VC_BITS))
                             << (LCB_FLIT_BITS - LCB_VC_BITS));
    lcb_flit content = !leads ? (lcb_flit)0 : head_source(phit.content) ? phit.content : vc;

    return phit_join((struct phit){.kind = phit.kind, .content = content});
}

/* ---- the core CRC ------------------------------------------------------------------------------ */

/* Behind the content of one more phit; a head is without its VC, heads of mode SOURCE are left out. */
static inline pkt_crc core_step(pkt_crc crc, lcb_flit flit)
{
    return crc_phit(crc, (phit_bits)flit);
}

/* What stands in the end of such a packet. */
static inline pkt_crc core_end(pkt_crc crc)
{
    return crc_upper(crc, 0);
}

#endif
