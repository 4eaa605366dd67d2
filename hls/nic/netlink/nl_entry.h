// SPDX-License-Identifier: Apache-2.0
/*
 * nl_entry.h - ports and registers of the queue in which the packets of one stream wait for their tile.
 *
 * Beats are encoded here and stay so until the tile's own queue has them; what the choice of a tile reads stands beside
 * them under a code of its own.
 */
#ifndef NL_ENTRY_H
#define NL_ENTRY_H

#include "common/beat/beat_code.h"
#include "nic/netlink/nl_types.h"

#define NL_ENTRY_LOG2 5

typedef uint(NL_ENTRY_LOG2) nl_entry_place;
typedef uint(NL_ENTRY_LOG2 + 1) nl_entry_count;

#define ECC nl_mark_ecc
#define ECC_DATA                                                                                   \
    (6 +                                                                                           \
     NL_TILE_LOG2) /* tail five times, so that a double-bit error leaves three; adaptive; tile */
#define ECC_BITS 5
#include "common/ecc.inc"

struct nl_entry_in {
    struct beat push; /* whole packets, each begun when room was 1 */
    u1 reset;         /* the NIC is reset: what it has not sent to the tail ends with a bad one */
    u1 pop;           /* takes the front: only if it is valid */
};

struct nl_entry_out {
    u1 valid; /* the front: */
    u1 tail;
    u1 adaptive;  /* a head: any tile will do, */
    nl_tile tile; /* or this one */
    beat_code code;
    u1 room;
    u1 corrected; /* one clock: in what stands beside the beats */
    u1 fatal;
};

struct nl_entry {
    struct nl_entry_out out;
    nl_entry_count rd, wr; /* the low bits are the place */
    u1 inside;             /* a packet has come in part */
    u1 cut;                /* and its NIC was reset: its tail comes from here */
    HLS_LUTRAM(1) nl_mark_ecc_word marks[1 << NL_ENTRY_LOG2];
    HLS_BRAM beat_code codes[1 << NL_ENTRY_LOG2];
};

HLS_RESET void nl_entry_reset(struct nl_entry *self);
HLS_MODULE void nl_entry(struct nl_entry *self, const struct nl_entry_in *in);

#endif
