// SPDX-License-Identifier: Apache-2.0
/*
 * packet.h - the head flit of a packet, and nothing reads or writes it but through this file.
 *
 *  aries, proto: 48 bits
 *
 *   47  45 44     41 40  38 37   36 35     28 27    20 19 18 17    10 9          0
 *  +------+---------+------+-------+---------+--------+-----+--------+------------+
 *  |  vc  | length  | mode | phase | global  | local  | sub |  hash  | the packet's|
 *  +------+---------+------+-------+---------+--------+-----+--------+------------+
 *
 *  gemini: 24 bits                                         yarc: 24 bits
 *
 *   23  21 20  17  16  15   11 10    6 5     1  0          23  22  19  18  17   11 10    6 5     1  0
 *  +------+------+----+-------+-------+-------+-----+     +----+------+----+-------+-------+-------+-----+
 *  |  vc  |length|mode|global:|       | local | sub |     | vc |length|mode|global:|       | local | sub |
 *  |      |      |    |  far  | near  |       |     |     |    |      |    |  far  | near  |       |     |
 *  +------+------+----+-------+-------+-------+-----+     +----+------+----+-------+-------+-------+-----+
 *
 *  length   flits of the packet with its head, 0 means 16; more than RTR_PACKET is illegal
 *  mode     enum rtr_mode. One bit (gemini, yarc, which have no non-minimal routes): 0 ADAPTIVE0, 1 IN_ORDER, and five
 *           ones, of which four are the top of the destination, SOURCE; so no destination begins with 1111
 *  phase    bit 0: has taken a non-minimal route and goes minimally from here on; the others belong to
 *           the VC map, which reads and writes them as a number
 *  global,  destination: group (aries), x and y (gemini), rank-2 and in it rank-1 subtree (yarc), and the router in it
 *  local    (z for gemini, processor for yarc). far, near: the two parts of global that tables look up one by one
 *  sub      port of that router: the NIC (aries)
 *  hash     set by the sender, from source and, where order does not matter, address
 *
 *  In mode SOURCE the destination (of one bit of mode: what is left of it) is a list of hops of 6 bits, {row, column},
 *  the first at the low end; each router takes one off, and ones come in at the top. A hop of six ones, HEAD_NO_HOP, ends the list: who
 *  finds it drops the packet. Of a matrix of 8 x 8 this is the last port, which no list can name.
 *
 * Body flits carry no marks; packets are never interleaved on a link, so counting flits finds the next head. VC and length stand where the LCB expects them (link/flit/link_types.h).
 */
#ifndef PACKET_H
#define PACKET_H

#include "router/flit/rtr_types.h"

/* Routing control: the names are those of the uGNI delivery modes. */
enum rtr_mode {
    MODE_ADAPTIVE0, /* least load after bias 0 ... */
    MODE_ADAPTIVE1,
    MODE_ADAPTIVE2,
    MODE_ADAPTIVE3, /* ... 3 */
    MODE_NMIN_HASH, /* the non-minimal candidate that the hash picks */
    MODE_MIN_HASH,  /* the minimal candidate that the hash picks */
    MODE_IN_ORDER, /* the same for every packet to one destination: MIN_HASH without the sender's hash */
    MODE_SOURCE, /* the sender's list of hops */
};

#define HEAD_LENGTH_AT (RTR_FLIT_BITS - RTR_HEAD_VC_BITS - RTR_LENGTH_BITS)
#define HEAD_VC_AT     (RTR_FLIT_BITS - RTR_HEAD_VC_BITS)
#define HEAD_MODE_AT   (HEAD_LENGTH_AT - RTR_MODE_BITS)
#define HEAD_PHASE_AT  (HEAD_MODE_AT - RTR_PHASE_BITS)
#define HEAD_GLOBAL_AT (HEAD_PHASE_AT - RTR_GLOBAL_BITS)
#define HEAD_LOCAL_AT  (HEAD_GLOBAL_AT - RTR_LOCAL_BITS)
#define HEAD_SUB_AT    (HEAD_LOCAL_AT - RTR_SUB_BITS)
#define HEAD_HASH_AT   (HEAD_SUB_AT - RTR_HASH_BITS)
#define HEAD_HOP_BITS  6
#define HEAD_NO_HOP    63                           /* the list has ended */
#define HEAD_ONES_BITS (RTR_MODE_BITS == 1 ? 4 : 0) /* of the destination that say SOURCE */
#define HEAD_LIST_BITS (HEAD_PHASE_AT - HEAD_SUB_AT - HEAD_ONES_BITS)

typedef uint(RTR_HEAD_VC_BITS) head_vc_field;         /* as wide as the field, not as RTR_VC_BITS */
typedef uint(HEAD_PHASE_AT - HEAD_SUB_AT) head_place; /* global, local and sub together */
typedef uint(HEAD_LIST_BITS) head_list;
typedef uint(RTR_GLOBAL_BITS) rtr_global;
typedef uint(RTR_LOCAL_BITS) rtr_local;
typedef uint(RTR_SUB_BITS) rtr_sub;

/* clang-format off */
static inline head_vc_field head_vc(rtr_flit head) { return (head_vc_field)(head >> HEAD_VC_AT); }
static inline rtr_length head_length(rtr_flit head) { return (rtr_length)(head >> HEAD_LENGTH_AT); }
static inline rtr_global head_global(rtr_flit head) { return (rtr_global)(head >> HEAD_GLOBAL_AT); }
static inline rtr_local head_local(rtr_flit head)   { return (rtr_local)(head >> HEAD_LOCAL_AT); }
static inline rtr_sub head_sub(rtr_flit head)       { return (rtr_sub)(head >> HEAD_SUB_AT); }
static inline head_place head_place_of(rtr_flit head) { return (head_place)(head >> HEAD_SUB_AT); }
static inline u6 head_hop(rtr_flit head)            { return (u6)(head >> HEAD_SUB_AT); }
/* clang-format on */

/* One credit for the VC that the packet's head names, which the machine need not have. */
struct head_vc_note {
    u1 valid;
    head_vc_field vc;
};

static inline u3 head_mode(rtr_flit head)
{
#if RTR_MODE_BITS == 1
    u5 ones = (u5)(head >> (HEAD_MODE_AT - HEAD_ONES_BITS));

    return ones == 31                   ? (u3)MODE_SOURCE
           : (u1)(head >> HEAD_MODE_AT) ? (u3)MODE_IN_ORDER
                                        : (u3)MODE_ADAPTIVE0;
#else
    return (u3)(head >> HEAD_MODE_AT);
#endif
}

/* Phase and the sender's hash; zero where the machine has none. */
static inline rtr_phase head_phase(rtr_flit head)
{
#if RTR_PHASE_BITS != 0
    return (rtr_phase)((head >> HEAD_PHASE_AT) & ((1 << RTR_PHASE_BITS) - 1));
#else
    (void)head;
    return 0;
#endif
}

static inline u8 head_hash(rtr_flit head)
{
#if RTR_HASH_BITS != 0
    return (u8)(head >> HEAD_HASH_AT);
#else
    (void)head;
    return 0;
#endif
}

/* The head as it leaves: with the VC and phase of its next hop. */
static inline rtr_flit head_on(rtr_flit head, rtr_vc vc, rtr_phase phase)
{
    rtr_flit vcs = (rtr_flit)((1 << RTR_HEAD_VC_BITS) - 1) << HEAD_VC_AT;
    rtr_flit phases = (rtr_flit)((1 << RTR_PHASE_BITS) - 1) << HEAD_PHASE_AT;

    return (rtr_flit)((head & ~vcs & ~phases) | ((rtr_flit)vc << HEAD_VC_AT) |
                      (((rtr_flit)phase << HEAD_PHASE_AT) & phases));
}

/* The head in mode SOURCE: without the hop that this router has taken off. */
static inline rtr_flit head_hopped(rtr_flit head)
{
    rtr_flit places = (rtr_flit)(((u64)1 << HEAD_LIST_BITS) - 1) << HEAD_SUB_AT;
    head_list ones = (head_list) ~((head_list)-1 >> HEAD_HOP_BITS);
    head_list rest = (head_list)((head_list)head_place_of(head) >> HEAD_HOP_BITS) | ones;

    return (rtr_flit)((head & ~places) | ((rtr_flit)rest << HEAD_SUB_AT));
}

/* An uncorrectable head as a packet of one flit on this VC: its own VC and length are not to be trusted. */
static inline rtr_flit head_cut(rtr_flit head, rtr_vc vc)
{
    rtr_flit rest = (rtr_flit)(((rtr_flit)1 << HEAD_LENGTH_AT) - 1);

    return (rtr_flit)((head & rest) | ((rtr_flit)vc << HEAD_VC_AT) |
                      ((rtr_flit)1 << HEAD_LENGTH_AT));
}

/* The head of a packet of that many flits. */
static inline rtr_flit head_sized(rtr_flit head, rtr_length length)
{
    rtr_flit lengths = (rtr_flit)(((rtr_flit)1 << RTR_LENGTH_BITS) - 1) << HEAD_LENGTH_AT;

    return (rtr_flit)((head & ~lengths) | ((rtr_flit)length << HEAD_LENGTH_AT));
}

#endif
