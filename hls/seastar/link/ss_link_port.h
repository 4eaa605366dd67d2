// SPDX-License-Identifier: Apache-2.0
/*
 * ss_link_port.h - ports and registers of a link port: an LCB joined to a port of the router.
 */
#ifndef SS_LINK_PORT_H
#define SS_LINK_PORT_H

#include "link/lcb.h"
#include "seastar/router/ss_flit.h"

#if LCB_GUARANTEED > SS_CREDIT || LCB_LONGEST != SS_LONGEST || LCB_FLIT_BITS != 64
#error "config: the link lends more than the router stores, or has other flits"
#endif

/* The SerDes side of one link: four lanes each way. */
struct ss_cable_in {
    lcb_lanes lane_valid; /* lane l has a word in this clock */
    lcb_lanes lane_up;    /* lane l has recovered its clock */
    u16 lane[LANES];
};

struct ss_cable_out {
    u16 lane[LANES]; /* a word per clock, bit 15 first */
};

/* A flit that a dead link did not deliver for certain. */
struct ss_link_report {
    u1 valid;
    u1 bad;
    ss_flit flit;
};

struct ss_link_port_in {
    struct ss_port_out from_router;
    struct ss_cable_in cable_in;
    lcb_time now;
    u1 restart; /* for one clock: begin a new epoch */
    struct link_identity identity;
    struct reg_request bus;
};

struct ss_link_port_out {
    struct ss_port_in to_router;
    struct ss_cable_out cable;
    struct ss_link_report report;
    enum link_state state;
    struct reg_reply bus;
};

struct ss_link_port {
    struct ss_link_port_out out;
    u10 held; /* flits in the input of the router */
    u7 load;  /* sent to the peer in the sideband */
    struct lcb lcb;
};

HLS_RESET void ss_link_port_reset(struct ss_link_port *self);
HLS_MODULE void ss_link_port(struct ss_link_port *self, const struct ss_link_port_in *in);

#endif
