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
 *  gemini: 22 bits                                         yarc: 22 bits
 *
 *   21  20 19  17  16   11 10    6 5     1  0              21  20  18 17  15 14    9 8    5 4       0
 *  +------+------+-------+-------+-------+-----+          +----+------+------+------+------+---------+
 *  |  vc  | mode |global:|       | local | sub |          | vc | mode | hash |global:      |  local  |
 *  |      |r a h |  far  | near  |       |     |          |    |r a h |      | far  | near |         |
 *  +------+------+-------+-------+-------+-----+          +----+------+------+------+------+---------+
 *
 *  length   flits of the packet with its head, 0 means 16; more than RTR_PACKET is illegal
 *  mode     enum rtr_mode. {r, a, h} where the end frames (gemini, yarc, proto24, which have no non-minimal routes): 000 IN_ORDER,
 *           001 MIN_HASH, 010 ADAPTIVE0, 111 SOURCE; a packet with another one is dropped
 *  phase    bit 0: has taken a non-minimal route and goes minimally from here on; the others belong to
 *           the VC map, which reads and writes them as a number
 *  global,  destination: group (aries), x and y (gemini), rank-2 and in it rank-1 subtree (yarc), and the router in it
 *  local    (z for gemini, processor for yarc). far, near: the two parts of global that tables look up one by one
 *  sub      port of that router: the NIC (aries)
 *  hash     set by the sender, from source and, where order does not matter, address
 *
 *  In mode SOURCE the destination is a list of hops of 6 bits, {row, column}, the first at the low end; each router takes one off.
 *  48 bits: ones come in at the top; a hop of six ones, HEAD_NO_HOP, ends the list: who finds it drops the packet. Of a matrix of 8 x 8
 *  this is the last port, which no list can name. 22 bits: two bits below the mode say how many hops the head has, 1 or 2; behind the
 *  last the head itself is taken off, and the next flit of the packet is its head, with a mode and a destination of its own.
 *
 * Where heads have a length body flits carry no marks: packets are never interleaved on a link, so counting flits finds the next head. Else
 * the end is marked, and a head may be wrong. VC and length stand where the LCB expects them (link/flit/link_types.h).
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
#if RTR_LENGTH_BITS != 0
#define HEAD_GLOBAL_AT (HEAD_PHASE_AT - RTR_GLOBAL_BITS)
#else
#define HEAD_GLOBAL_AT (HEAD_PHASE_AT - RTR_HASH_BITS - RTR_GLOBAL_BITS) /* the hash is above it */
#endif
#define HEAD_LOCAL_AT (HEAD_GLOBAL_AT - RTR_LOCAL_BITS)
#define HEAD_SUB_AT   (HEAD_LOCAL_AT - RTR_SUB_BITS)
#if RTR_LENGTH_BITS != 0
#define HEAD_HASH_AT   (HEAD_SUB_AT - RTR_HASH_BITS)
#define HEAD_REST_BITS HEAD_HASH_AT /* at the low end: the packet's own */
#else
#define HEAD_HASH_AT   (HEAD_PHASE_AT - RTR_HASH_BITS)
#define HEAD_REST_BITS HEAD_SUB_AT
#endif
#define HEAD_HOP_BITS 6
#if RTR_LENGTH_BITS != 0
#define HEAD_NO_HOP    63 /* the list has ended */
#define HEAD_LIST_BITS (HEAD_PHASE_AT - HEAD_SUB_AT)
#else
#define HEAD_HOPS_AT (HEAD_MODE_AT - 2) /* how many hops the head has */
#if RTR_FLIT_BITS != 22 || HEAD_SUB_AT != 0 || HEAD_HOPS_AT < 2 * HEAD_HOP_BITS
#error "config: where the end frames the head fills 22 bits, and two hops fit below its mode"
#endif
#endif

typedef uint(RTR_HEAD_VC_BITS) head_vc_field; /* as wide as the field, not as RTR_VC_BITS */
typedef uint(HEAD_GLOBAL_AT + RTR_GLOBAL_BITS -
             HEAD_SUB_AT) head_place; /* global, local and sub together */
#if RTR_LENGTH_BITS != 0
typedef uint(HEAD_LIST_BITS) head_list;
#endif
typedef uint(RTR_GLOBAL_BITS) rtr_global;
typedef uint(RTR_LOCAL_BITS) rtr_local;
#if RTR_SUB_BITS != 0
typedef uint(RTR_SUB_BITS) rtr_sub;
#else
typedef u1 rtr_sub; /* always 0 */
#endif

/* clang-format off */
static inline head_vc_field head_vc(rtr_flit head) { return (head_vc_field)(head >> HEAD_VC_AT); }
#if RTR_LENGTH_BITS != 0
static inline rtr_length head_length(rtr_flit head) { return (rtr_length)(head >> HEAD_LENGTH_AT); }
#endif
static inline rtr_global head_global(rtr_flit head) { return (rtr_global)(head >> HEAD_GLOBAL_AT); }
static inline rtr_local head_local(rtr_flit head)   { return (rtr_local)(head >> HEAD_LOCAL_AT); }
static inline head_place head_place_of(rtr_flit head) { return (head_place)(head >> HEAD_SUB_AT); }
static inline u6 head_hop(rtr_flit head)            { return (u6)(head >> HEAD_SUB_AT); }
/* clang-format on */

/* One credit for the VC that the packet's head names, which the machine need not have. */
struct head_vc_note {
    u1 valid;
    head_vc_field vc;
};

static inline rtr_sub head_sub(rtr_flit head)
{
#if RTR_SUB_BITS != 0
    return (rtr_sub)(head >> HEAD_SUB_AT);
#else
    (void)head;
    return 0;
#endif
}

#if RTR_LENGTH_BITS != 0
static inline u3 head_mode(rtr_flit head)
{
    return (u3)(head >> HEAD_MODE_AT);
}
#else
/* What the head says, {r, a, h}; one that is none of these is dropped. */
enum head_rah {
    RAH_IN_ORDER = 0,
    RAH_HASH = 1,
    RAH_ADAPTIVE = 2,
    RAH_SOURCE = 7,
};

static inline u3 head_mode(rtr_flit head)
{
    u3 rah = (u3)(head >> HEAD_MODE_AT);

    return rah == RAH_SOURCE     ? (u3)MODE_SOURCE
           : rah == RAH_ADAPTIVE ? (u3)MODE_ADAPTIVE0
           : rah == RAH_HASH     ? (u3)MODE_MIN_HASH
                                 : (u3)MODE_IN_ORDER;
}

/* How many hops a head of mode SOURCE has. */
static inline u2 head_hops(rtr_flit head)
{
    return (u2)(head >> HEAD_HOPS_AT);
}

/* Whether the mode is one, and in SOURCE the number of hops. */
static inline u1 head_fits(rtr_flit head)
{
    u3 rah = (u3)(head >> HEAD_MODE_AT);
    u2 hops = head_hops(head);

    return rah == RAH_SOURCE ? hops == 1 || hops == 2 : rah <= RAH_ADAPTIVE;
}

/* A head that is taken off by the router that takes its hop. */
static inline u1 head_empties(rtr_flit head)
{
    return (u3)(head >> HEAD_MODE_AT) == RAH_SOURCE && head_hops(head) == 1;
}
#endif

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
    return (u8)((head >> HEAD_HASH_AT) & ((1 << RTR_HASH_BITS) - 1));
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
#if RTR_LENGTH_BITS != 0
    rtr_flit places = (rtr_flit)(((u64)1 << HEAD_LIST_BITS) - 1) << HEAD_SUB_AT;
    head_list ones = (head_list) ~((head_list)-1 >> HEAD_HOP_BITS);
    head_list rest = (head_list)((head_list)head_place_of(head) >> HEAD_HOP_BITS) | ones;

    return (rtr_flit)((head & ~places) | ((rtr_flit)rest << HEAD_SUB_AT));
#else
    rtr_flit upper = (rtr_flit)(head >> HEAD_MODE_AT) << HEAD_MODE_AT;

    return (rtr_flit)(upper | ((rtr_flit)1 << HEAD_HOPS_AT) | (u6)(head >> HEAD_HOP_BITS));
#endif
}

#if RTR_LENGTH_BITS != 0

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

#endif
