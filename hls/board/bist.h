// SPDX-License-Identifier: Apache-2.0
/*
 * bist.h - packets of the self-tests: all that is in one follows from 18 bits of its head.
 *
 *   47  45 44     41 40  38 37   36 35               18 17        15 14            0
 *  +------+---------+------+-------+-------------------+------------+---------------+
 *  |  vc  | length  |SOURCE|   0   |  hops, then ones  |   stream   |    number     |
 *  +------+---------+------+-------+-------------------+------------+---------------+
 *
 * A stream is packets of one VC over one route, so they come in the order of their numbers. A router takes the
 * hops off (router/flit/packet.h, mode SOURCE), ones follow; a link leaves the head as it is. 1 to 14 flits.
 */
#ifndef BIST_H
#define BIST_H

#include "router/flit/packet.h"

#define BIST_STREAM_BITS 3
#define BIST_NUMBER_BITS 15
#define BIST_PLACE_AT    (BIST_STREAM_BITS + BIST_NUMBER_BITS)
#define BIST_STREAMS     (1 << BIST_STREAM_BITS)

typedef uint(BIST_STREAM_BITS) bist_stream;
typedef uint(BIST_NUMBER_BITS) bist_number;
typedef uint(BIST_PLACE_AT) bist_tag;                   /* stream and number */
typedef uint(HEAD_PHASE_AT - BIST_PLACE_AT) bist_route; /* hops, the first lowest, then ones */

#if HEAD_SUB_AT != BIST_PLACE_AT
#error "bist.h: stream and number take what the head has below the destination"
#endif

/* Flits of the packet. */
static inline rtr_length bist_length(bist_tag tag)
{
    u4 mix = (u4)(tag ^ tag >> 4 ^ tag >> 8 ^ tag >> 13);

    return mix < RTR_PACKET ? (u4)(mix + 1) : (u4)(mix - 7);
}

/* The head when all hops are taken off. */
static inline u48 bist_head(bist_tag tag, u3 vc)
{
    return (u48)vc << HEAD_VC_AT | (u48)bist_length(tag) << HEAD_LENGTH_AT |
           (u48)MODE_SOURCE << HEAD_MODE_AT | (u48)(bist_route)-1 << BIST_PLACE_AT | tag;
}

/* The first body flit, and the one behind another. */
static inline u48 bist_first(bist_tag tag)
{
    return (u48)(u12)tag << 36 | (u48)(bist_tag)~tag << 18 | tag;
}

static inline u48 bist_next(u48 flit)
{
    u48 mixed = (u48)(flit ^ flit << 11);

    return (u48)(mixed ^ mixed >> 5);
}

#endif
