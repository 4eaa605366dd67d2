// SPDX-License-Identifier: Apache-2.0
/*
 * netlink.h - ports and registers of the netlink: NICs to processor tiles of the router and back.
 */
#ifndef NETLINK_H
#define NETLINK_H

#include "nic/netlink/nl_receive.h"
#include "nic/netlink/nl_send.h"

/* One NIC's side: what comes from it, or goes to it. */
struct netlink_nic_in {
    struct beat request;  /* of its orb: each packet begun when room_request was 1 */
    struct beat response; /* of its npt */
    u1 room_request;      /* rat_net takes BEAT_ROOM more beats */
    u1 room_response;     /* orb does */
    u1 reset;             /* it is reset in this clock */
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
    uint(NETLINK_COUNTS) count; /* bit k: counter k counts one in this clock */
    nic_info
        info; /* the head of the dropped packet that the lowest of them is about; 0 where counts have to wait */
};

struct netlink {
    struct netlink_out out;
    struct nl_send send;
    struct nl_receive receive;
    u5 pending[NETLINK_COUNTS]; /* not passed on yet */
};

HLS_RESET void netlink_reset(struct netlink *self);
HLS_MODULE void netlink(struct netlink *self, const struct netlink_in *in);

#endif
