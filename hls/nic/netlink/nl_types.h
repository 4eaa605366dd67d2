// SPDX-License-Identifier: Apache-2.0
/*
 * nl_types.h - sizes of a netlink, its counters, and what its two halves have in common.
 */
#ifndef NL_TYPES_H
#define NL_TYPES_H

#include "common/beat/beat.h"
#include "router/tile.h"

#define NL_STREAMS (2 * NL_NICS) /* 2 n: requests of NIC n, or to it; 2 n + 1: responses */
#if NL_TILES > 8 || NL_STREAMS > 8 || (NL_TILES & (NL_TILES - 1)) != 0 ||                          \
    (NL_NICS & (NL_NICS - 1)) != 0
#error "config: NL_TILES and NL_NICS must be powers of two, at most 8 and 4"
#endif

#if NL_TILES == 8
#define NL_TILE_LOG2 3
#elif NL_TILES == 4
#define NL_TILE_LOG2 2
#else
#define NL_TILE_LOG2 1
#endif

typedef uint(NL_TILES) nl_tiles;     /* one bit per tile */
typedef uint(NL_TILE_LOG2) nl_tile;  /* its number */
typedef uint(NL_STREAMS) nl_streams; /* one bit per stream */
typedef uint(NL_NICS) nl_nics;       /* one bit per NIC */

/* Counters, bits of netlink's out.count: meaning; class of errors. */
enum netlink_count {
    NETLINK_MARKED,    /* a packet came marked bad, or cut: dropped; TRANSIENT */
    NETLINK_WRONG,     /* a packet's CRC or chk was wrong: dropped; TRANSIENT */
    NETLINK_MISSHAPED, /* a packet's length is not what it says of itself, or what has to be 0 is not: dropped; TRANSIENT */
    NETLINK_NO_NIC,    /* a packet came for a `sub` that has no NIC here: dropped; CRITICAL */
    NETLINK_HEAD_LOST, /* a head in a queue had a double-bit error: its packet dropped; CRITICAL */
    NETLINK_CORRECTED, /* a single-bit error in a queue; CORRECTABLE_MEMORY */
    NETLINK_FATAL,     /* two; CRITICAL */
    NETLINK_COUNTS,
};

/* How often in a clock. */
struct nl_counts {
    u5 of[NETLINK_COUNTS];
};

/* Beats of one NIC, both classes. */
struct nl_beats {
    struct beat request;
    struct beat response;
};

/* BEAT_ROOM more beats fit. */
struct nl_room {
    u1 request;
    u1 response;
};

#endif
