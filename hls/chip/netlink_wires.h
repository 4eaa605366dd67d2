// SPDX-License-Identifier: Apache-2.0
/*
 * netlink_wires.h - the wires between a netlink and its NICs.
 */
#ifndef NETLINK_WIRES_H
#define NETLINK_WIRES_H

#include "nic/netlink/netlink.h"
#include "nic/nic.h"

/* What a netlink sees of one of its NICs, which is reset or not. */
static inline struct netlink_nic_in netlink_of(const struct nic_out *nic, u1 reset)
{
    return (struct netlink_nic_in){
        .request = nic->to_request,
        .response = nic->to_response,
        .room_request = nic->request_room,
        .room_response = nic->response_room,
        .reset = reset,
    };
}

/* What NIC n of a netlink sees of it. Of a netlink's NICs the first adds up what it counts. */
static inline struct nic_in nic_of(const struct netlink_out *netlink, int n)
{
    const struct netlink_nic_out *from = &netlink->to_nic[n];

    return (struct nic_in){
        .request = from->request,
        .response = from->response,
        .room_request = from->room_request,
        .room_response = from->room_response,
        .netlink = n == 0 ? netlink->count : (uint(NETLINK_COUNTS))0,
        .netlink_info = netlink->info,
    };
}

#endif
