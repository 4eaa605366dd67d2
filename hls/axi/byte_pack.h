// SPDX-License-Identifier: Apache-2.0
/*
 * byte_pack.h - ports and registers of the packer: a packet of bytes becomes a head flit and body flits.
 *
 * A packet waits until it is whole, as its head says how long it is. Two of the greatest length find room. One with more than
 * BYTES_MOST bytes, or with a hole in tkeep, is dropped up to its tlast, and `refused` says so for one clock.
 *
 *  clock  0  the last beat is taken
 *         1  the head flit is offered; behind it a flit a clock, as they are taken
 */
#ifndef BYTE_PACK_H
#define BYTE_PACK_H

#include "axi/bytes.h"
#include "link/lcb_axis.h"

#define PACK_BEATS_LOG2   5
#define PACK_PACKETS_LOG2 3

struct byte_pack_in {
    struct byte_beat s_axis;
    struct axis_ready flits;
};

struct byte_pack_out {
    struct axis_ready s_axis;
    struct axis_beat flits; /* as lcb_axis takes them */
    u1 refused;
};

typedef uint(PACK_BEATS_LOG2) pack_place;
typedef uint(PACK_BEATS_LOG2 + 1) pack_place_count;
typedef uint(PACK_PACKETS_LOG2) pack_packet;
typedef uint(PACK_PACKETS_LOG2 + 1) pack_packet_count;
typedef uint(BYTES_BITS + 4 + BYTES_TUSER_BITS) pack_record; /* bytes, body flits, tuser */

struct byte_pack {
    struct byte_pack_out out;

    /* The packet that is being written. */
    pack_place_count written; /* beats */
    pack_place_count whole;   /* where the last whole packet ends */
    u1 opened;                /* it has had a beat */
    u1 refuses;               /* it is dropped */
    u1 bad;                   /* one of its beats said so */
    u2 third;                 /* its beats, modulo 3: 8, 16 and 24 bytes are 2, 3 and 4 flits */
    u4 flits;
    byte_count bytes;
    byte_tuser tuser; /* of its first beat */
    pack_packet_count recorded;

    /* The packet that is being sent. */
    pack_place_count read;
    pack_packet_count begun;
    u4 left;       /* flits of it to come */
    u4 beats_left; /* beats of it to be read */
    u1 marks;      /* its flits are marked bad */
    u2 rest_twos;  /* what is left of the beat before, in units of two bytes */
    u48 rest;

    HLS_LUTRAM(1) u64 beat[1 << PACK_BEATS_LOG2];
    HLS_LUTRAM(1) pack_record record[1 << PACK_PACKETS_LOG2];
};

HLS_RESET void byte_pack_reset(struct byte_pack *self);
HLS_MODULE void byte_pack(struct byte_pack *self, const struct byte_pack_in *in);

#endif
