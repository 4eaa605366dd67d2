// SPDX-License-Identifier: Apache-2.0
/*
 * pack24.h - registers of pack where the end of a packet frames; pack.h has its ports and includes this.
 */
#ifndef PACK24_H
#define PACK24_H

struct pack;

#include "nic/netlink/nic_packet24.h"
#include "nic/netlink/pack.h"

/* What of a packet comes next. */
enum pack_part {
    PACK_REQUEST, /* a flit of a request's head beat */
    PACK_WORD,    /* the word of a response, which `word` has */
    PACK_DATA,
    PACK_END,
};

struct pack {
    struct pack_out out;
    struct beat_queue2 queue;

    /* The packet under way. */
    u1 open;
    u1 cls;
    u1 drops; /* instead of a packet: one is taken off whose head had a double-bit error */
    enum pack_part part;
    u3 at;   /* of a request's head: flit; of data: {upper 8 bytes of the beat 1, phit of them 2} */
    u7 left; /* bytes of data that are still to go */
    u1 tailed; /* its last beat has been taken */
    u1 marked; /* one of its beats was bad */
    pkt_crc crc;
    rtr_flit word; /* of the response whose beat was taken last */
    rtr_flit head; /* of its packet */
    u1 ack;        /* it is an ack, so another may follow it */
    u4 acks;       /* in this packet */

    u2 turn;            /* of packets chosen while both classes wait */
    u1 gave_way;        /* a response that could go has let a request go first */
    pack_flits used[2]; /* flits of a class at the router's input */
    u1 credit[2];       /* a packet of any length fits */
};

#endif
