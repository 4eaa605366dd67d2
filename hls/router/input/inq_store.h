// SPDX-License-Identifier: Apache-2.0
/*
 * inq_store.h - ports and registers of the input queue's buffer.
 *
 * A word of the buffer holds a flit under its code, the mark of a packet's last flit four times over, and, where
 * VCs share the buffer, in the last word but one of a block the number of the VC's next block under its own code:
 *
 *  aries, proto: 72, 70 bits                     gemini, yarc: 35 bits
 *
 *   71..60  59..56  55         0                  34..31  30         0
 *  +-------+-------+------------+                +-------+------------+
 *  | next  | tail  |    code    |                | tail  |    code    |
 *  +-------+-------+------------+                +-------+------------+
 */
#ifndef INQ_STORE_H
#define INQ_STORE_H

#include "router/flit/packet.h"
#include "router/input/vc_room.h"

/* What a sender may have in the buffer; whoever keeps its accounts takes the numbers from here. */
#if RTR_INQ_SHARED
#define INQ_BLOCK_LOG2     3 /* flits of a block */
#define INQ_BLOCK_BITS     (RTR_INQ_LOG2 - INQ_BLOCK_LOG2)
#define INQ_COUNT_BITS     RTR_INQ_LOG2
#define RTR_INQ_GUARANTEED 16 /* flits that belong to each VC alone */
/* Flits that all VCs share. A VC wastes 16 at most: 7 read in its first block, the last of one and a whole one that are free. */
#define RTR_INQ_CREDIT_SHARED ((1 << RTR_INQ_LOG2) - RTR_VCS * (RTR_INQ_GUARANTEED + 16))
#if RTR_INQ_CREDIT_SHARED < 0
#error "config: a shared input queue needs 32 flits per VC, half of them for what blocks waste"
#endif
#else
#define INQ_COUNT_BITS (RTR_INQ_LOG2 - RTR_VC_BITS)
#if RTR_LENGTH_BITS != 0
#define RTR_INQ_CREDIT_VC (1 << INQ_COUNT_BITS) /* flits of each VC */
#else
/* Flits of each VC, in eights: its part without a packet, as one copy may stand there that nobody is charged for. */
#define RTR_INQ_CREDIT_VC (((1 << INQ_COUNT_BITS) - RTR_PACKET) / 8 * 8)
#if RTR_INQ_CREDIT_VC < 2 * RTR_PACKET
#error "config: a VC's part of the input queue holds less than three packets"
#endif
#endif
#endif

#if RTR_INQ_SHARED
#define ECC      inq_block_ecc
#define ECC_DATA INQ_BLOCK_BITS
#define ECC_BITS 5
#include "common/ecc.inc"
#define INQ_NEXT_BITS (INQ_BLOCK_BITS + 5)
#else
#define INQ_NEXT_BITS 0
#endif

#define INQ_TAIL_BITS 4
#define INQ_NEXT_AT   (RTR_CODE_BITS + INQ_TAIL_BITS)
#define INQ_WORD_BITS (INQ_NEXT_AT + INQ_NEXT_BITS)
#define INQ_PLACES    (1 << RTR_VC_BITS) /* of what is indexed by any rtr_vc */

typedef uint(INQ_WORD_BITS) inq_word;
typedef uint(INQ_TAIL_BITS) inq_tail;
typedef uint(INQ_COUNT_BITS) inq_count;
typedef uint(RTR_INQ_LOG2) inq_place;
#if RTR_INQ_SHARED
typedef uint(RTR_VC_BITS + 1) inq_side; /* {VC, lowest bit of the number of one of its blocks} */
#endif

/* A mark four times over: majority vote; one wrong copy is corrected, two are uncorrectable. */
static inline u1 inq_tail_set(inq_tail tail)
{
    u1 upper = (u1)(tail >> 3) & (u1)(tail >> 2);
    u1 lower = (u1)(tail >> 1) & (u1)tail;
    u1 some_upper = (tail >> 2) != 0;
    u1 some_lower = (u2)tail != 0;

    return (upper & some_lower) | (lower & some_upper);
}

static inline u1 inq_tail_odd(inq_tail tail)
{
    return (u1)(tail >> 3) ^ (u1)(tail >> 2) ^ (u1)(tail >> 1) ^ (u1)tail;
}

static inline u1 inq_tail_fatal(inq_tail tail)
{
    return !inq_tail_odd(tail) && tail != 0 && tail != (inq_tail)-1;
}

struct inq_store_in {
    u1 valid; /* a flit from the link */
    rtr_flit flit;
    u1 bad;
#if RTR_LENGTH_BITS == 0
    u1 tail;
    u2 ok; /* with tail: enum rtr_ok */
#endif
    u1 hold;                      /* send nothing to staging */
    struct vc_note staging_freed; /* one place: a flit was sent on, or dropped by route */
    u1 wipe; /* after a reset, for each VC once: set the counts of wipe_vc to zero; nothing comes in */
    rtr_vc wipe_vc;
};

struct inq_store_out {
    u1 read; /* word is a flit of vc */
    rtr_vc vc;
    inq_word word;             /* read register */
    struct head_vc_note freed; /* to the link */
    struct vc_note incoming;
    u1 illegal;
#if RTR_LENGTH_BITS == 0
    u1 refused; /* a packet for which the peer had no credit, and a good one: the peer lies */
#endif
    u1 corrected; /* a block number with a single-bit error */
    u1 fatal;     /* with two: uncorrectable */
#if DEV_MAINT
    u1 busy; /* a flit is here */
#endif
};

#if RTR_LENGTH_BITS == 0
#define INQ_RD_READERS 3
typedef u6 inq_owed;

/* The packet that is coming in: inq_verdict.h. */
struct inq_packet {
    u1 open;
    u1 refused; /* it was too long and has been ended here: its rest is not stored, and the credit goes back */
    u1 stored;  /* its head is in the store */
    u1 stopped; /* its VC's part was full: nothing but its end is stored any more */
    u1 begun;   /* its head was read */
    rtr_vc vc;
    rtr_length number; /* of the flit that came last */
    inq_count began;   /* flits of the VC that were written before it */
    rtr_length
        inside; /* flits of it in the store, and those read, but for one read in the clock before */
    rtr_length held;
};
#else
#define INQ_RD_READERS 2
#endif

struct inq_store {
    struct inq_store_out out;
    struct vc_room staging; /* hears of a flit one clock after it was read */
    rtr_vc next;            /* whose turn it is when VC out.vc does not go on */

    /* The packet that is coming in. */
#if RTR_LENGTH_BITS != 0
    rtr_length left; /* flits still to come; 0: the next is a head */
    u1 refused;      /* its head is illegal: it is not stored */
    head_vc_field vc;
#else
    struct inq_packet packet;
    u1 mine;                  /* the flit read last is of it */
    inq_owed owed[RTR_VCS];   /* credit that goes back, one in a clock */
    rtr_length mute[RTR_VCS]; /* flits of a truncated packet in the store: they give none */
#endif
    struct head_vc_note refund; /* a refused flit: its credit goes back one clock later */

    rtr_vcs filled; /* VC v has a flit; of the one read in the clock before: it had one then */
    HLS_LUTRAM(2) inq_count wr[INQ_PLACES]; /* flits written, read; */
    HLS_LUTRAM(INQ_RD_READERS)
    inq_count rd[INQ_PLACES]; /* the low bits are the place in the block */

#if RTR_INQ_SHARED
    /* Each VC knows the block that it is in and, from the last word but one on, the one behind it, in turn. */
    rtr_vcs moved_wr; /* VC v writes in one of wr_block; else in its first block, number v */
    rtr_vcs moved_rd; /* the same of reading and rd_block */
    HLS_LUTRAM(1) uint(INQ_BLOCK_BITS) wr_block[2 * INQ_PLACES];
    HLS_LUTRAM(2) uint(INQ_BLOCK_BITS) rd_block[2 * INQ_PLACES];
    u1 names;  /* out.word is the last but one of its block and holds the number of the next one */
    u1 linked; /* link holds that of the block at rd_block[link_at] */
    inq_block_ecc_word link;
    inq_side link_at;

    u1 gives; /* the word read last was the last of block given */
    uint(INQ_BLOCK_BITS) given;

    /* Free blocks: those never used, then a FIFO of those that came back. One is at hand. */
    u1 spare_valid;
    inq_block_ecc_word spare;
    uint(INQ_BLOCK_BITS + 1) fresh; /* the next never used; the top bit: none is left */
    u1 listed_valid;
    inq_block_ecc_word listed; /* read register: front of the FIFO */
    uint(INQ_BLOCK_BITS) list_rd;
    uint(INQ_BLOCK_BITS) list_wr;
    HLS_BRAM inq_block_ecc_word list[1 << INQ_BLOCK_BITS];
#endif

    HLS_BRAM inq_word buffer[1 << RTR_INQ_LOG2];
};

HLS_RESET void inq_store_reset(struct inq_store *self);
HLS_MODULE void inq_store(struct inq_store *self, const struct inq_store_in *in);

#endif
