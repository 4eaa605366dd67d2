// SPDX-License-Identifier: Apache-2.0
/*
 * sideband.h - the tail of a micropacket.
 *
 *  tail, aries:
 *
 *   47       41 40 39 38   35 34                  20 19                       0
 *  +-----------+-----+-------+----------------------+--------------------------+
 *  | sequence  |type | count |         body         |           CRC            |
 *  +-----------+-----+-------+----------------------+--------------------------+
 *   <------------------- sideband ----------------->
 *
 *  body by type:
 *
 *                        34       28  27  26       20
 *  0 SIDE_ACK           +-----------+---+------------+
 *  3 SIDE_BAD           |    ack    |nak|    load    |   ack: sequence expected next
 *                       +-----------+---+------------+   nak: level, something is missing
 *                        34  32 31                 20
 *  1 SIDE_CREDIT        +------+---------------------+
 *                       |  vc  |        count        |   flits freed since the epoch began,
 *                       +------+---------------------+   modulo 4096
 *                        34 33 32                  20
 *  2 SIDE_CLOCK         +-----+----------------------+
 *                       |part |   13 bits of time    |   part 0 has the lowest bits
 *                       +-----+----------------------+
 *
 *  SIDE_BAD says besides that the last payload flit of this micropacket is marked bad. count is the
 *  number of payload flits, which fill the slots from 0 on; the slots behind them are zero. A
 *  micropacket with count 0 is idle: it takes no sequence number and carries that of the next one
 *  to be sent. So is one whose count is more than there are payload slots; the greatest, SIDE_EMPTY, says
 *  that the sender's input queue holds nothing of the receiver's.
 */
#ifndef SIDEBAND_H
#define SIDEBAND_H

#include "link/link_types.h"

enum side_type { SIDE_ACK, SIDE_CREDIT, SIDE_CLOCK, SIDE_BAD };

#define SIDE_EMPTY ((lcb_count) - 1)

typedef uint(LCB_SIDE_BITS) lcb_side;
typedef uint(LCB_CRC_BITS) lcb_crc;
typedef u2 lcb_type;

static inline lcb_side side_pack(lcb_seq seq, lcb_type type, lcb_count count, lcb_body body)
{
    return (lcb_side)(((lcb_side)seq << (LCB_SIDE_BITS - LCB_SEQ_BITS)) |
                      ((lcb_side)type << (LCB_BODY_BITS + LCB_COUNT_BITS)) |
                      ((lcb_side)count << LCB_BODY_BITS) | body);
}

static inline lcb_seq side_seq(lcb_side side)
{
    return (lcb_seq)(side >> (LCB_SIDE_BITS - LCB_SEQ_BITS));
}

static inline lcb_type side_type(lcb_side side)
{
    return (lcb_type)(side >> (LCB_BODY_BITS + LCB_COUNT_BITS));
}

static inline lcb_count side_count(lcb_side side)
{
    return (lcb_count)(side >> LCB_BODY_BITS);
}

/* Payload flits: 0 for what is idle. */
static inline lcb_count side_flits(lcb_side side)
{
    return side_count(side) < LCB_SLOTS ? side_count(side) : (lcb_count)0;
}

static inline lcb_body side_body(lcb_side side)
{
    return (lcb_body)side;
}

/* Bodies. */

static inline lcb_body body_ack(lcb_seq ack, u1 nak, lcb_load load)
{
    return (lcb_body)(((lcb_body)ack << (LCB_LOAD_BITS + 1)) | ((lcb_body)nak << LCB_LOAD_BITS) |
                      load);
}

static inline lcb_seq body_ack_seq(lcb_body body)
{
    return (lcb_seq)(body >> (LCB_LOAD_BITS + 1));
}

static inline u1 body_ack_nak(lcb_body body)
{
    return (u1)(body >> LCB_LOAD_BITS);
}

static inline lcb_load body_ack_load(lcb_body body)
{
    return (lcb_load)body;
}

static inline lcb_body body_credit(lcb_vc vc, lcb_credits count)
{
    return (lcb_body)(((lcb_body)vc << LCB_CREDIT_BITS) | count);
}

static inline lcb_vc body_credit_vc(lcb_body body)
{
    return (lcb_vc)(body >> LCB_CREDIT_BITS);
}

static inline lcb_credits body_credit_count(lcb_body body)
{
    return (lcb_credits)body;
}

/* Sideband and CRC make the tail. */

static inline lcb_word tail_pack(lcb_side side, lcb_crc crc)
{
    return (lcb_word)(((lcb_word)side << LCB_CRC_BITS) | crc);
}

static inline lcb_side tail_side(lcb_word tail)
{
    return (lcb_side)(tail >> LCB_CRC_BITS);
}

static inline lcb_crc tail_crc(lcb_word tail)
{
    return (lcb_crc)tail;
}

#endif
