// SPDX-License-Identifier: Apache-2.0
/*
 * unpack24.h - registers of unpack where the end of a packet frames; unpack.h has its ports and includes this.
 */
#ifndef UNPACK24_H
#define UNPACK24_H

struct unpack;

#include "nic/netlink/nic_packet24.h"
#include "nic/netlink/unpack.h"

struct unpack {
    struct unpack_out out;
    struct beat_store store;

    /* The packet that comes in. */
    u1 cls;
    u1 in_head;   /* the next flit belongs to a head beat */
    u3 at;        /* of a head beat: flit; of data: {upper 8 bytes of the beat 1, phit of them 2} */
    u4 groups;    /* of 8 bytes that are still to come */
    u3 beats;     /* data beats that are still to be written */
    u4 acks;      /* that came */
    u1 misshaped; /* it is not what it says of itself, or there was no place for it */
    pkt_crc crc;
    beat_word word; /* the beat that is being filled */
    rtr_flit first; /* the head, without its VC */

    /* For the next clock. */
    u1 push; /* word is a beat, */
    u1 push_head;
    u1 ends; /* and the packet's last flit came */
    u1 bad;
    u1 good; /* its CRC is right */
    u1 fits; /* it ended where it says */

    /* For the clock after: the packet whose last beat was written in this one. */
    u1 keep;
    u1 drop;
    u1 ended; /* its class */
};

#endif
