// SPDX-License-Identifier: Apache-2.0
/*
 * rtr_types.h - words of the router and what its tiles say to each other.
 *
 * Every struct here is registers of the tile that drives it.
 */
#ifndef RTR_TYPES_H
#define RTR_TYPES_H

#include "hls.h"
#include "config/machine.h"

#if RTR_ROWS < 1 || RTR_ROWS > 8 || RTR_COLS < 1 || RTR_COLS > 8
#error "config: RTR_ROWS and RTR_COLS must be 1 to 8: a port is named by 3 + 3 bits"
#endif
#if RTR_LINKS < 0 || RTR_LINKS > RTR_ROWS * RTR_COLS
#error "config: RTR_LINKS is more than the matrix has ports"
#endif
#if RTR_VCS < 2 || RTR_VCS > 1 << RTR_VC_BITS || RTR_VC_BITS > RTR_HEAD_VC_BITS
#error "config: RTR_VCS must be at least 2, fit RTR_VC_BITS, and those the VC field of the head"
#endif
#if RTR_LENGTH_BITS == 0
#if RTR_PACKET < 2 || RTR_PACKET > 32
#error "config: RTR_PACKET must be 2 to 32 flits where the end frames"
#endif
#if RTR_VCS != 1 << RTR_HEAD_VC_BITS
#error                                                                                             \
    "config: where the end frames a head may be wrong, so each value of its VC field must be a VC"
#endif
#if RTR_INQ_SHARED || RTR_MODE_BITS != 3 || RTR_PHASE_BITS != 0
#error                                                                                             \
    "config: where the end frames the input queue is partitioned, and a head has r, a, h and no phase"
#endif
#elif RTR_PACKET < 1 || RTR_PACKET > 1 << RTR_LENGTH_BITS
#error "config: RTR_PACKET must be 1 to 16 flits, what the length field of the head can say"
#endif
#if RTR_HEAD_VC_BITS + RTR_LENGTH_BITS + RTR_MODE_BITS + RTR_PHASE_BITS + RTR_GLOBAL_BITS +        \
        RTR_LOCAL_BITS + RTR_SUB_BITS + RTR_HASH_BITS >                                            \
    RTR_FLIT_BITS
#error "config: the fields of the head are wider than a flit of RTR_FLIT_BITS"
#endif
#if RTR_MODE_BITS != 3
#error "config: RTR_MODE_BITS must be 3"
#endif
#if 1 << RTR_STAGE_LOG2 < RTR_PACKET || 1 << RTR_ROW_LOG2 < RTR_PACKET ||                          \
    1 << RTR_COL_LOG2 < RTR_PACKET || (1 << RTR_INQ_LOG2) / RTR_VCS < RTR_PACKET
#error "config: a buffer holds less than one packet of RTR_PACKET flits per VC"
#endif

#define RTR_PORTS (RTR_ROWS * RTR_COLS)

/* Processor ports, one bit each: those behind the links, unless the machine says otherwise. */
#ifndef RTR_PROCESSORS
#define RTR_PROCESSORS (RTR_LINKS == RTR_PORTS ? 0ull : (1ull << RTR_PORTS) - (1ull << RTR_LINKS))
#endif
static_assert(__builtin_popcountll(RTR_PROCESSORS) == RTR_PORTS - RTR_LINKS &&
                  RTR_PROCESSORS >> (RTR_PORTS - 1) <= 1,
              "config: RTR_PROCESSORS has a port for each that RTR_LINKS leaves");

static inline u1 is_processor(int port)
{
    return (u1)(RTR_PROCESSORS >> port);
}

typedef uint(RTR_FLIT_BITS) rtr_flit;
#if RTR_LENGTH_BITS != 0
typedef uint(RTR_LENGTH_BITS) rtr_length;
#else
typedef u6 rtr_length; /* of a packet: no head has it */
#endif
typedef uint(RTR_VC_BITS) rtr_vc;
typedef uint(RTR_VCS) rtr_vcs; /* one bit per VC */
typedef u3 rtr_row;
typedef u3 rtr_col;
typedef uint(RTR_ROWS) rtr_rows; /* one bit per row */
typedef uint(RTR_COLS) rtr_cols;
typedef u7 rtr_load; /* flits that wait, saturated; as wide as the LCB's sideband carries it */
#define RTR_TOLD_BITS 6
typedef uint(RTR_TOLD_BITS) rtr_told; /* a load as all tiles know it, saturated */
typedef u6 rtr_far; /* what waits at the other end of a link, in fours, saturated */

#if RTR_PHASE_BITS != 0
typedef uint(RTR_PHASE_BITS) rtr_phase;
#else
typedef u1 rtr_phase; /* always 0 */
#endif

/* A flit inside the router: with the mark of a corrupted packet, and check bits over both. */
#if RTR_FLIT_BITS == 48
#define RTR_ECC_BITS 7
#else
#define RTR_ECC_BITS 6
#endif
#define RTR_CODE_BITS (RTR_FLIT_BITS + 1 + RTR_ECC_BITS)
typedef uint(RTR_CODE_BITS) rtr_code;

/* A port is the tile at its row and column. */
struct rtr_place {
    rtr_row row;
    rtr_col col;
};

/* Row bus: a flit from an input queue to one row buffer of the tile in column col of the same row. */
struct row_flit {
    u1 valid;
    rtr_col col;
    rtr_vc vc; /* with which the packet will leave the router */
    u1 tail;
#if RTR_TWO_STEP
    rtr_rows rows; /* head: rows of that column that lead on; at least one */
    u3 hash;       /* head: which of them, if adaptive is 0 */
    u1 adaptive;   /* head: the least loaded of them */
#else
    rtr_row row; /* the row where the packet leaves; in every flit */
#endif
    rtr_code code;
};

/* Column bus: a flit from a subswitch to the column buffers of the tile in another row of its column. */
struct column_flit {
    u1 valid;
    rtr_vc vc;
    u1 tail;
    rtr_code code;
};

/* One credit: a place of this VC is free again. */
struct vc_note {
    u1 valid;
    rtr_vc vc;
};

#if RTR_LENGTH_BITS == 0
/* What the end of a packet says of it: the link's verdict. The same as enum pkt_ok of link/packet. */
enum rtr_ok {
    OK_GOOD,
    OK_SOFT, /* corrupted before the link: poisoned */
    OK_CUT,  /* a copy with a transmit error: the packet comes again, on the same credit */
};
#endif

/* The loads of a port, of each class of packets. */
struct load_pair {
    rtr_load of_requests;
    rtr_load of_responses;
};

/* A column of ports, broadcast to all tiles, one column after the other: which of them are dead, and their loads. */
struct load_note {
    rtr_col col;
    rtr_rows dead; /* not to be used */
    rtr_told request[RTR_ROWS];
    rtr_told response[RTR_ROWS];
};

/* The class of a packet on this VC: requests have the lower half of the VCs, responses the upper one. */
static inline u1 vc_responds(rtr_vc vc)
{
    return (unsigned)vc >= RTR_VCS / 2;
}

#endif
