// SPDX-License-Identifier: Apache-2.0
/*
 * nl_send.h - ports and registers of nl_send: from NICs to processor tiles, packet by packet.
 */
#ifndef NL_SEND_H
#define NL_SEND_H

#include "nic/netlink/nl_entry.h"
#include "nic/netlink/pack.h"

struct nl_send_in {
    struct nl_beats nic[NL_NICS]; /* each packet begun when its room was 1 */
    nl_nics reset;                /* bit n: NIC n is reset */
    struct head_vc_note freed[NL_TILES];
};

/* A flit into the router. */
struct nl_flit {
    u1 valid;
    rtr_flit flit;
    u1 bad;
#if RTR_LENGTH_BITS == 0
    u1 tail;
#endif
};

struct nl_send_out {
    struct nl_room room[NL_NICS];
    struct nl_flit tile[NL_TILES];
    struct nl_counts sum;
};

struct nl_send {
    struct nl_send_out out;
    struct nl_entry entry[NL_STREAMS];
    struct pack pack[NL_TILES];

    nl_tiles choice[NL_STREAMS]; /* the tile that a stream's packet goes to; 0: between packets */
    nl_tiles less[NL_TILES];     /* bit j of less[i]: tile j has less to do than tile i */
    nl_tiles tile_after;         /* all above the tile, the stream chosen last */
    nl_streams stream_after;
};

HLS_RESET void nl_send_reset(struct nl_send *self);
HLS_MODULE void nl_send(struct nl_send *self, const struct nl_send_in *in);

#endif
