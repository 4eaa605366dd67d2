// SPDX-License-Identifier: Apache-2.0
/*
 * ss_flit.h - flits of SeaStar, and what router and links say to each other.
 *
 * A packet is a head and up to eight flits of 64 bits. The head, from the top:
 *
 *     63  61 60    57 56        42 41       31 30        16 15    14 13  12  11 10    8 7         0
 *     +------+--------+------------+-----------+------------+--------+---+---+---+-------+-----------+
 *     |  vc  | length |    dst     |    age    |    src     | stream | f | l | 0 |  000  |   check   |
 *     +------+--------+------------+-----------+------------+--------+---+---+---+-------+-----------+
 *
 * vc: bit 1 the class (0 requests, 1 responses), bit 0 the dateline; 4 to 7 do not exist. length counts the flits with the
 * head. age: how long the packet has waited so far, in ticks. What lies below the age is the message's, not the router's.
 */
#ifndef SS_FLIT_H
#define SS_FLIT_H

#include "config/machine.h"
#include "hls.h"

#define SS_PORTS   (SS_LINKS + 1)
#define SS_VC_LOG2 2
#define SS_VCS     (1 << SS_VC_LOG2)
#define SS_LONGEST 9 /* flits of a packet; length 10 to 15 and 0, which is 16, are illegal */

/* Flits that an input stores of each VC, and how many of them the link may use: a packet less, and one for a head in error. */
#define SS_QUEUE_LOG2 7
#define SS_CREDIT     120

#define SS_NODE_BITS 15
#define SS_AGE_BITS  11
#define SS_TICK_BITS 12

typedef u64 ss_flit;
typedef uint(SS_VC_LOG2) ss_vc;
typedef uint(SS_VCS) ss_vcs;        /* a bit per VC */
typedef uint(3) ss_port;            /* 7: none */
typedef uint(SS_PORTS) ss_ports;    /* a bit per port */
typedef uint(SS_PORTS + 1) ss_ways; /* a bit per port; the last: nowhere, the packet is dropped */
typedef uint(SS_NODE_BITS) ss_node;
typedef uint(SS_AGE_BITS) ss_age;
typedef uint(SS_TICK_BITS) ss_tick;

#define SS_NOWHERE 7

static inline u3 ss_head_vc(ss_flit head)
{
    return (u3)(head >> 61);
}

static inline u4 ss_head_length(ss_flit head)
{
    return (u4)(head >> 57);
}

static inline ss_node ss_head_dst(ss_flit head)
{
    return (ss_node)(head >> 42);
}

static inline ss_age ss_head_age(ss_flit head)
{
    return (ss_age)(head >> 31);
}

/* The same head on another VC, older, and without an output. */
static inline ss_flit ss_head_with(ss_flit head, ss_vc vc, ss_age age)
{
    ss_flit kept = head & ~(((ss_flit)7 << 61) | ((ss_flit)0x7FF << 31) | ((ss_flit)7 << 8));

    return kept | ((ss_flit)vc << 61) | ((ss_flit)age << 31);
}

/* x+ and x- are dimension 0, y 1, z 2; port 0 has none. */
static inline u2 ss_dimension(ss_port port)
{
    return (u2)((u3)(port - 1) >> 1);
}

struct ss_vc_note {
    u1 valid;
    u3 vc; /* as a head names it */
};

/* From a link, or from the node's own engine, to the router. */
struct ss_port_in {
    u1 valid; /* a flit; credits guarantee that there is room */
    ss_flit flit;
    u1 bad;   /* it is marked bad */
    u1 whole; /* with a head: all its flits follow without a gap */
    u1 ready; /* the flit that the router shows is taken in this clock */
    ss_vcs
        room; /* VC v: a packet of any length fits at the other end; a start shows two clocks later */
    u1 dead; /* packets for this port are dropped */
};

struct ss_port_out {
    u1 valid; /* a flit, until it is taken */
    ss_flit flit;
    u1 head;
    u1 tail;
    u1 bad;
    struct ss_vc_note start; /* a packet for this VC has been chosen */
    struct ss_vc_note freed; /* a flit of this VC has left the input, or was refused */
};

#endif
