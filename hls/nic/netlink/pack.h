// SPDX-License-Identifier: Apache-2.0
/*
 * pack.h - ports and registers of pack: beats for one processor tile, as flits with their CRC.
 *
 * Its body is pack.c for flits of 48 bits, pack24.c where the end of a packet frames.
 */
#ifndef PACK_H
#define PACK_H

#include "common/beat/beat_queue2.h"
#if RTR_LENGTH_BITS != 0
#include "nic/netlink/nic_crc.h"
#endif
#include "router/input/inq_store.h"

#if RTR_LENGTH_BITS != 0
#define PACK_ALLOWED                                                                               \
    (RTR_INQ_GUARANTEED + RTR_INQ_CREDIT_SHARED / 2) /* flits of a class at the router */
#else
#define PACK_ALLOWED RTR_INQ_CREDIT_VC /* of the first VC of its class, the only one that is used */
#endif
#if PACK_ALLOWED < 2 * RTR_PACKET
#error "pack: the router's input queue is too small for two classes"
#endif

typedef u10 pack_flits;

struct pack_in {
    u1 push; /* a beat; whole packets of a class one after the other, each begun when its room was 1 */
    u1 push_class; /* 0: requests, 1: responses */
    beat_code code;
    struct head_vc_note freed;
};

struct pack_out {
    u1 valid; /* to the router's input, which takes it: there is credit */
    rtr_flit flit;
    u1 bad;
#if RTR_LENGTH_BITS == 0
    u1 tail;
#endif
    u1 room[2];
    u8 load;          /* beats queued, and a quarter of the flits at the router's input */
    u1 uncorrectable; /* one clock: a packet whose head had a double-bit error was dropped */
    u1 corrected;     /* one clock: in the queue */
    u1 fatal;
};

#if RTR_LENGTH_BITS == 0
#include "nic/netlink/pack24.h"
#else
struct pack {
    struct pack_out out;
    struct beat_queue2 queue;

    /* The packet under way. */
    u1 open;
    u1 cls;
    u1 drops;    /* instead of a packet: one is taken off whose head had a double-bit error */
    u1 in_head;  /* the next flit is one of the head beat */
    u1 tailed;   /* its last beat has been taken */
    u3 at;       /* lane of 16 bits where the next flit begins */
    u16 rest[2]; /* lanes of the beat before: [1] is the last */
    u7 left;     /* bytes of payload with the CRC behind the head */
    u1 marked;   /* one of its beats was bad */
    nic_crc crc;

    u2 turn;            /* of packets chosen while both classes wait */
    pack_flits used[2]; /* flits of a class at the router's input */
    u1 credit[2];       /* a packet of any length fits */
};
#endif

HLS_RESET void pack_reset(struct pack *self);
HLS_MODULE void pack(struct pack *self, const struct pack_in *in);

#endif
