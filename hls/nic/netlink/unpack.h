// SPDX-License-Identifier: Apache-2.0
/*
 * unpack.h - ports and registers of unpack: flits of one processor tile, as beats of packets that are whole and right.
 *
 * Its body is unpack.c for flits of 48 bits, unpack24.c where the end of a packet frames.
 */
#ifndef UNPACK_H
#define UNPACK_H

#include "nic/netlink/beat_store.h"
#if RTR_LENGTH_BITS != 0
#include "nic/netlink/nic_crc.h"
#else
#include "nic/packet/nic_packet.h"
#endif

struct unpack_in {
    u1 valid; /* a flit of the router; room guarantees a place for its packet */
    rtr_flit flit;
    u1 head;
    u1 tail;
    u1 bad;   /* with the tail: the packet is marked */
    u2 pop;   /* bit c: takes the front of class c */
    u1 ahead; /* the class that is popped next, as far as one knows */
};

struct unpack_out {
    struct beat front[2]; /* requests, responses: valid until popped */
    u1 room[2];           /* BEAT_ROOM more beats fit */
    u7 load;              /* beats that wait */
    u1 marked;            /* one clock: a packet was dropped that is marked bad, or was cut, */
    u1 wrong;             /* whose CRC or chk is wrong, */
    u1 misshaped; /* whose length is not what it says of itself, a reserved bit is not 0, or its mode is SOURCE */
    nic_info info; /* the head of the packet that was dropped, as much as came of it */
    u1 corrected;  /* one clock: in the store */
    u1 fatal;
};

#if RTR_LENGTH_BITS == 0
#include "nic/netlink/unpack24.h"
#else
struct unpack {
    struct unpack_out out;
    struct beat_store store;

    /* The packet that comes in. */
    u1 cls;
    u1 in_head; /* the next flit belongs to the head beat */
    u3 at;      /* lane of 16 bits where the next flit begins */
    u4 flits;   /* that came, at most 15 */
    rtr_length length;
    u3 beats; /* data beats that are still to be written */
    u1 misshaped;
    u1 checked; /* its chk is right, if it has one */
    nic_crc crc;
    u16 lane[8]; /* the beat that is being filled */
    u16 over[2]; /* lanes that came with its last flit and belong to the next */

    /* For the next clock. */
    u1 push; /* the lanes are a beat */
    u1 push_head;
    u1 ends; /* and the packet's last */
    u1 bad;
    u1 good; /* its codes are right */
    u1 fits; /* as many flits came as the head says */

    /* For the clock after: the packet whose last beat was written in this one. */
    u1 keep;
    u1 drop;
    u1 ended; /* its class */
};
#endif

HLS_RESET void unpack_reset(struct unpack *self);
HLS_MODULE void unpack(struct unpack *self, const struct unpack_in *in);

#endif
