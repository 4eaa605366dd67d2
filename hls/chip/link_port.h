// SPDX-License-Identifier: Apache-2.0
/*
 * link_port.h - ports and registers of a link port: an LCB joined to a port of the router.
 */
#ifndef LINK_PORT_H
#define LINK_PORT_H

#include "link/lcb.h"
#include "router/tile.h"

#if LCB_RESPONSES != (1 << RTR_VCS) - (1 << RTR_VCS / 2)
#error "config: LCB_RESPONSES must be the upper half of the router's VCs"
#endif

/* What the link guarantees to a VC beyond what the router does is of the space that VCs share there. */
#if LCB_GUARANTEED < RTR_INQ_GUARANTEED ||                                                         \
    RTR_VCS * (LCB_GUARANTEED - RTR_INQ_GUARANTEED) + 8 * LCB_SHARED_MOST > RTR_INQ_CREDIT_SHARED
#error "config: LCB_GUARANTEED and LCB_SHARED_MOST lend more than the input queue of the router has"
#endif

/* The SerDes side of one link: three lanes each way. */
struct cable_in {
    u3 lane_valid; /* lane l has a word in this clock */
    u3 lane_up;    /* lane l has recovered its clock */
    u16 lane[LANES];
};

struct cable_out {
    u16 lane[LANES]; /* a word per clock, bit 15 first */
};

/* A flit that a dead link did not deliver for certain. */
struct link_report {
    u1 valid;
    u1 bad;
    u48 flit;
};

struct link_port_in {
    struct port_out from_router;
    struct cable_in cable_in;
    lcb_time now;
    u1 restart; /* for one clock: begin a new epoch */
    struct link_identity identity;
    struct reg_request bus;
};

struct link_port_out {
    struct port_in to_router;
    struct cable_out cable;
    struct link_report report;
    u1 peer_now_valid; /* the peer's time, as lcb.h has it */
    lcb_time peer_now;
    lcb_age peer_age;
    enum link_state state;
    u3 tx_map;
    u3 rx_map;
    struct reg_reply bus;
};

struct link_port {
    struct link_port_out out;
    uint(RTR_INQ_LOG2 + 1) held; /* flits in the input queue of the router */
    u7 load;                     /* sent to the peer in the sideband */
    struct lcb lcb;
};

HLS_RESET void link_port_reset(struct link_port *self);
HLS_MODULE void link_port(struct link_port *self, const struct link_port_in *in);

#endif
