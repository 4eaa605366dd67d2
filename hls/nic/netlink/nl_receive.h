// SPDX-License-Identifier: Apache-2.0
/*
 * nl_receive.h - ports and registers of nl_receive: from processor tiles to the NICs that packets name.
 */
#ifndef NL_RECEIVE_H
#define NL_RECEIVE_H

#include "nic/netlink/nl_types.h"
#include "nic/netlink/unpack.h"

struct nl_receive_in {
    struct port_out tile[NL_TILES];
    struct nl_room room[NL_NICS]; /* of the NICs */
    nl_nics reset; /* bit n: NIC n is reset: of what is under way to it nothing more comes */
    rtr_sub first; /* constant: `sub` of the first NIC */
};

/* What goes to a tile. */
struct nl_place {
    rtr_vcs
        room; /* VC v: a packet of any length fits, and besides it one that was chosen in the clock before */
    rtr_load load;
};

struct nl_receive_out {
    struct nl_beats nic[NL_NICS];
    struct nl_place tile[NL_TILES];
    struct nl_counts sum;
    nic_info info; /* the head of the dropped packet that sum's lowest counter is about */
};

struct nl_receive {
    struct nl_receive_out out;
    struct unpack unpack[NL_TILES];
    nl_tiles from[NL_STREAMS]; /* the tile whose packet goes to a stream; 0: between packets */
    nl_tiles from_after[NL_STREAMS];
    nl_streams drops; /* that packet was begun before a reset of its NIC: its rest is taken off */
    nl_tiles lost[2]; /* of class c: a packet that goes nowhere is taken off */
};

HLS_RESET void nl_receive_reset(struct nl_receive *self);
HLS_MODULE void nl_receive(struct nl_receive *self, const struct nl_receive_in *in);

#endif
