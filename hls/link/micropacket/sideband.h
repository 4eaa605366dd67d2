// SPDX-License-Identifier: Apache-2.0
/*
 * sideband.h - the tail of a micropacket.
 *
 *  tail, aries:
 *
 *   47       41 40 39 38   35 34  31 30              20 19                     0
 *  +-----------+-----+-------+------+------------------+------------------------+
 *  | sequence  |type | count | high |       body       |          CRC           |
 *  +-----------+-----+-------+------+------------------+------------------------+
 *   <-------------------- sideband ------------------->
 *
 *  high: of the sender's load, its upper bits, in every tail. Body by type:
 *
 *                        30       24  23  22   20
 *  0 SIDE_ACK           +-----------+---+--------+   ack: sequence expected next
 *  3 SIDE_BAD           |    ack    |nak|  low   |   nak: level, something is missing
 *                       +-----------+---+--------+   low: the rest of the load
 *                        30  28 27            20
 *  1 SIDE_CREDIT        +------+----------------+    flits freed since the epoch began, in steps
 *                       |  vc  |     steps      |    of 4, modulo 256 steps; up to 3 are kept back
 *                       +------+----------------+
 *                        30  28 27            20
 *  2 SIDE_CLOCK         +------+----------------+    part 0 has the lowest bits, part 6 the highest
 *                       | part | 8 bits of time |    4 and zeros above them
 *                       +------+----------------+
 *
 *  SIDE_BAD says besides that the last payload flit of this micropacket is marked bad. count is the
 *  number of payload flits, which fill the slots from 0 on; the slots behind them are zero. A
 *  micropacket with count 0 is idle: it takes no sequence number and carries that of the next one
 *  to be sent. So is one whose count is more than there are payload slots; the greatest, SIDE_EMPTY, says
 *  that the sender's input queue holds nothing of the receiver's.
 */
#ifndef SIDEBAND_H
#define SIDEBAND_H

#include "link/flit/link_types.h"

enum side_type { SIDE_ACK, SIDE_CREDIT, SIDE_CLOCK, SIDE_BAD };

#define SIDE_EMPTY ((lcb_count) - 1)

typedef uint(LCB_SIDE_BITS) lcb_side;
typedef uint(LCB_CRC_BITS) lcb_crc;
typedef u2 lcb_type;

#define SIDE_LOW_BITS (LCB_LOAD_BITS - LCB_HIGH_BITS)

/* Of the load its high part; the low one is in the body of an ack. */
static inline lcb_high load_high(lcb_load load)
{
    return (lcb_high)(load >> SIDE_LOW_BITS);
}

static inline lcb_side side_pack(lcb_seq seq, lcb_type type, lcb_count count, lcb_high high,
                                 lcb_body body)
{
    return (lcb_side)(((lcb_side)seq << (LCB_SIDE_BITS - LCB_SEQ_BITS)) |
                      ((lcb_side)type << (LCB_BODY_BITS + LCB_HIGH_BITS + LCB_COUNT_BITS)) |
                      ((lcb_side)count << (LCB_BODY_BITS + LCB_HIGH_BITS)) |
                      ((lcb_side)high << LCB_BODY_BITS) | body);
}

static inline lcb_seq side_seq(lcb_side side)
{
    return (lcb_seq)(side >> (LCB_SIDE_BITS - LCB_SEQ_BITS));
}

static inline lcb_type side_type(lcb_side side)
{
    return (lcb_type)(side >> (LCB_BODY_BITS + LCB_HIGH_BITS + LCB_COUNT_BITS));
}

static inline lcb_count side_count(lcb_side side)
{
    return (lcb_count)(side >> (LCB_BODY_BITS + LCB_HIGH_BITS));
}

/* Payload flits: 0 for what is idle. */
static inline lcb_count side_flits(lcb_side side)
{
    return side_count(side) < LCB_SLOTS ? side_count(side) : (lcb_count)0;
}

static inline lcb_high side_high(lcb_side side)
{
    return (lcb_high)(side >> LCB_BODY_BITS);
}

static inline lcb_body side_body(lcb_side side)
{
    return (lcb_body)side;
}

/* Bodies. */

#define SIDE_LOW ((1 << SIDE_LOW_BITS) - 1)

/* Of the load the low part goes in. */
static inline lcb_body body_ack(lcb_seq ack, u1 nak, lcb_load load)
{
    return (lcb_body)(((lcb_body)ack << (SIDE_LOW_BITS + 1)) | ((lcb_body)nak << SIDE_LOW_BITS) |
                      (load & SIDE_LOW));
}

static inline lcb_seq body_ack_seq(lcb_body body)
{
    return (lcb_seq)(body >> (SIDE_LOW_BITS + 1));
}

static inline u1 body_ack_nak(lcb_body body)
{
    return (u1)(body >> SIDE_LOW_BITS);
}

static inline lcb_body body_credit(lcb_vc vc, lcb_steps steps)
{
    return (lcb_body)(((lcb_body)vc << LCB_STEP_BITS) | steps);
}

static inline lcb_vc body_credit_vc(lcb_body body)
{
    return (lcb_vc)(body >> LCB_STEP_BITS);
}

static inline lcb_steps body_credit_steps(lcb_body body)
{
    return (lcb_steps)body;
}

/* Loads that came. */

static inline lcb_load side_load(lcb_high high, lcb_load low)
{
    return (lcb_load)(((lcb_load)high << SIDE_LOW_BITS) | (low & SIDE_LOW));
}

/* With an ack the whole load is known. */
static inline lcb_load side_whole_load(lcb_side side)
{
    return side_load(side_high(side), (lcb_load)side_body(side));
}

/* Of any other tail the high part is; of the loads that have it the one that is nearest to the load known before. */
static inline lcb_load side_near_load(lcb_side side, lcb_load before)
{
    lcb_high high = side_high(side);
    lcb_load low = high == load_high(before)  ? before
                   : high < load_high(before) ? (lcb_load)SIDE_LOW
                                              : (lcb_load)0;

    return side_load(high, low);
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
