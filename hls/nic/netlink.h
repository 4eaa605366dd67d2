// SPDX-License-Identifier: Apache-2.0
/*
 * netlink.h - ports and registers of the netlink: NICs to processor tiles of the router and back, packet by packet.
 */
#ifndef NETLINK_H
#define NETLINK_H

#include "nic/beat_queue.h"
#include "nic/pack.h"
#include "nic/unpack.h"
#include "router/tile.h"

#define NL_SOURCES (2 * NL_NICS) /* streams: 2 n: requests of NIC n, 2 n + 1: its responses */
#if NL_TILES > 8 || NL_SOURCES > 8 || (NL_TILES & (NL_TILES - 1)) != 0 ||                          \
    (NL_NICS & (NL_NICS - 1)) != 0
#error "config: NL_TILES and NL_NICS must be powers of two, at most 8 and 4"
#endif

/* Counters, bits of out.count: meaning, class of errors. */
enum netlink_count {
    NETLINK_SPOILT,    /* a packet came marked bad, or cut: dropped; TRANSIENT */
    NETLINK_WRONG,     /* a packet's CRC or chk was wrong: dropped; TRANSIENT */
    NETLINK_MISSHAPED, /* a packet's length is not what it says of itself, or a reserved bit is not 0: dropped; TRANSIENT */
    NETLINK_NO_NIC,    /* a packet came for a `sub` that has no NIC here: dropped; CRITICAL */
    NETLINK_HEAD_LOST, /* a head on its way out had two wrong bits: its packet dropped; CRITICAL */
    NETLINK_CORRECTED, /* one wrong bit in a queue; CORRECTABLE_MEMORY */
    NETLINK_FATAL,     /* two; CRITICAL */
    NETLINK_COUNTS,
};

/* One NIC's side: what comes from it, or goes to it. */
struct netlink_nic_in {
    struct beat request;  /* of its orb: each packet begun when room_request was 1 */
    struct beat response; /* of its npt */
    u1 room_request;      /* rat_net takes BEAT_ROOM more beats */
    u1 room_response;     /* orb does */
};

struct netlink_nic_out {
    struct beat request;  /* to rat_net */
    struct beat response; /* to orb */
    u1 room_request;      /* for orb */
    u1 room_response;     /* for npt */
};

struct netlink_in {
    struct netlink_nic_in from_nic[NL_NICS];
    struct port_out from_tile[NL_TILES];
    rtr_sub first; /* constant: `sub` of NIC 0 of this netlink */
};

struct netlink_out {
    struct netlink_nic_out to_nic[NL_NICS];
    struct port_in to_tile[NL_TILES];
    uint(NETLINK_COUNTS) count;
};

typedef uint(NL_TILES) nl_tiles; /* one bit per tile */

/* How much is counted in a clock. */
typedef struct {
    u5 of[NETLINK_COUNTS];
} nl_counts;

/* A beat on its way from a NIC's stream to a tile. */
struct nl_move {
    struct beat beat;
    nl_tiles to; /* one-hot */
};

struct netlink {
    struct netlink_out out;
    struct beat_queue entry[NL_SOURCES];
    struct pack pack[NL_TILES];
    struct unpack unpack[NL_TILES];

    /* Out. */
    nl_tiles way[NL_SOURCES]; /* the tile that a stream's packet goes to; 0: between packets */
    struct nl_move move[NL_SOURCES];
    nl_tiles less[NL_TILES]; /* bit j of less[i]: tile j has less to do than tile i */
    nl_tiles tile_after;
    uint(NL_SOURCES) source_after;

    /* In: stream 2 n, requests to NIC n, 2 n + 1, responses. */
    nl_tiles from[NL_SOURCES]; /* the tile whose packet goes there; 0: between packets */
    nl_tiles from_after[NL_SOURCES];

    nl_tiles lost[2]; /* of class c: a packet that goes nowhere is taken off */

    u5 pending[NETLINK_COUNTS]; /* not told yet */
};

HLS_RESET void netlink_reset(struct netlink *self);
HLS_MODULE void netlink(struct netlink *self, const struct netlink_in *in);

#endif
