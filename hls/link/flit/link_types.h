// SPDX-License-Identifier: Apache-2.0
/*
 * link_types.h - words, flits and counters as wide as the machine has them, and the flit marks.
 *
 *  head flit, aries:
 *
 *   47  45 44     41 40                                                        0
 *  +------+---------+------------------------------------------------------------+
 *  |  vc  | length  |  the packet's own                                          |
 *  +------+---------+------------------------------------------------------------+
 *
 *  length counts the flits of the packet with its head, 0 means 16. Body flits carry no marks:
 *  packets are never interleaved on a link, so counting flits finds the next head. In packet mode a flit is what a phit has
 *  beside its kind, 22 bits, and marks beside it say which are head and tail.
 */
#ifndef LINK_TYPES_H
#define LINK_TYPES_H

#include "hls.h"
#include "config/machine.h"

#if LCB_WORD_BITS == 64
#define LANES 4
typedef u3 frame_counts; /* start frames until data begin */
#else
#define LANES 3
typedef u4 frame_counts;
#endif

typedef uint(LANES) lcb_lanes; /* a bit per lane */
typedef uint(LCB_FLIT_BITS) lcb_flit;
typedef uint(LCB_WORD_BITS) lcb_word;
typedef uint(LCB_SEQ_BITS) lcb_seq;
typedef uint(LCB_COUNT_BITS) lcb_count;
typedef uint(LCB_VC_BITS) lcb_vc;
typedef uint(LCB_STEP_BITS) lcb_steps; /* of credits, 2^LCB_STEP_LOG2 flits each */
typedef uint(LCB_LOAD_BITS) lcb_load;

#if LCB_PACKET

typedef u6 lcb_phits; /* of a packet: up to 32 */
typedef lcb_seq
    lcb_side; /* what lcb_regs keeps of the first error: the position that was expected */
typedef u52 lcb_time;

#else

typedef uint(LCB_BODY_BITS) lcb_body;
typedef uint(LCB_CREDIT_BITS) lcb_credits;
typedef uint(LCB_HIGH_BITS) lcb_high; /* the high part of a load */
typedef uint(LCB_LENGTH_BITS) lcb_length;
typedef uint(LCB_SLOT_LOG2) lcb_slot;
typedef uint(LCB_WINDOW_LOG2) lcb_entry;

#define LCB_TAIL ((lcb_slot)(LCB_SLOTS - 1)) /* the slot of the tail */

static inline lcb_vc flit_vc(lcb_flit flit)
{
    return (lcb_vc)(flit >> (LCB_FLIT_BITS - LCB_VC_BITS));
}

static inline lcb_length flit_length(lcb_flit flit)
{
    return (lcb_length)(flit >> (LCB_FLIT_BITS - LCB_VC_BITS - LCB_LENGTH_BITS));
}

/* Flits of the packet that follow this one; left: the same before it, 0 if this one is a head. */
static inline lcb_length packet_left(lcb_length left, lcb_flit flit)
{
    lcb_length before = left != 0 ? left : flit_length(flit);

    return (lcb_length)(before - 1);
}

#endif

#endif
