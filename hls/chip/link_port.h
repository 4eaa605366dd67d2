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

#if LCB_PACKET
#if RTR_LENGTH_BITS != 0 || LCB_VCS != RTR_VCS || 8 * LCB_SHARED_MOST > RTR_INQ_CREDIT_VC
#error "config: LCB_SHARED_MOST lends a VC more than its part of the input queue less a packet"
#endif
#else
/* What the link guarantees to a VC beyond what the router does is of the space that VCs share there. */
#if LCB_GUARANTEED < RTR_INQ_GUARANTEED ||                                                         \
    RTR_VCS * (LCB_GUARANTEED - RTR_INQ_GUARANTEED) + 8 * LCB_SHARED_MOST > RTR_INQ_CREDIT_SHARED
#error "config: LCB_GUARANTEED and LCB_SHARED_MOST lend more than the input queue of the router has"
#endif
#endif

/* The SerDes side of one link: three lanes each way. */
struct cable_in {
    u3 lane_valid; /* lane l has a word in this clock */
    u3 lane_up;    /* lane l has recovered its clock */
    u16 lane[LANES];
};

struct cable_out {
#if LANE_PACE > 1
    u1 lane_valid; /* the lanes have a new word */
#endif
    u16 lane[LANES]; /* a word per clock, bit 15 first */
};

/* A flit that a dead link did not deliver for certain. */
struct link_report {
    u1 valid;
    u1 bad;
#if LCB_PACKET
    u1 head;
    u1 tail;
#endif
    lcb_flit flit;
};

struct link_port_in {
    struct port_out from_router;
    struct cable_in cable_in;
#if !LCB_PACKET
    lcb_time now;
#endif
    u1 restart; /* for one clock: begin a new epoch */
    struct link_identity identity;
    struct reg_request bus;
};

struct link_port_out {
    struct port_in to_router;
    struct cable_out cable;
    struct link_report report;
#if !LCB_PACKET
    u1 peer_now_valid; /* the peer's time, as lcb.h has it */
    lcb_time peer_now;
    lcb_age peer_age;
#endif
    enum link_state state;
    u3 tx_map;
    u3 rx_map;
    struct reg_reply bus;
#if DEV_MAINT
    u1 waits; /* something sent waits for its acknowledgement */
#endif
};

struct link_port {
    struct link_port_out out;
    uint(RTR_INQ_LOG2 + 1) held; /* flits in the input queue of the router */
    u7 load;                     /* sent to the peer in the sideband */
#if LCB_PACKET
    lcb_phits coming; /* flits of the packet that is coming in */
#endif
    struct lcb lcb;
};

HLS_RESET void link_port_reset(struct link_port *self);
HLS_MODULE void link_port(struct link_port *self, const struct link_port_in *in);

#endif
