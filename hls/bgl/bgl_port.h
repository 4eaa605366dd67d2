// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_port.h - ports and registers of one of the six ports: its link, its receiver and its sender.
 */
#ifndef BGL_PORT_H
#define BGL_PORT_H

#include "bgl/host/bgl_regs.h"
#include "bgl/link/bgl_link.h"
#include "bgl/torus/bgl_channel.h"
#include "bgl/torus/bgl_pipe.h"
#include "bgl/torus/bgl_select.h"
#include "bgl/torus/bgl_sender.h"
#include "bgl/torus/bgl_vc_fifo.h"

struct bgl_port_in {
    u3 own_port; /* constant */
    /* wire */
    u1 rx_up;
    u1 rx_valid;
    u8 rx;
    struct bgl_link_control control;
    struct link_identity identity;
    struct bgl_where at;
    struct bgl_arbitration arbitration;
    u1 slq;
    u16 random;
    /* all ports */
    struct bgl_avail avail[BGL_PORTS];
    struct bgl_offer offers[BGL_PORTS];
    struct bgl_byte bus[BGL_PORTS][2];
    u1 granted; /* to this receiver, by any sender */
    /* injection */
    struct bgl_request inject[BGL_INJECTION];
    u2 inject_fullness[BGL_INJECTION];
    struct bgl_byte inject_bus[BGL_INJECTION];
    /* reception: its FIFOs of the two groups take a packet of this port */
    u2 room;
    u2 room_high;
};

struct bgl_port_out {
    u8 tx;
    struct bgl_link_state shown;
    u5 index; /* of the counter in `count` */
    u32 count;
    u6 held[BGL_VCS]; /* chunks in the VC FIFOs */
    struct bgl_port_errors errors;
    struct bgl_offer offer;
    struct bgl_byte to_sender[2];
    struct bgl_byte normal;
    u1 normal_group;
    struct bgl_byte high;
    u1 high_group;
    u6 grant;
    u8 grant_inject;
    struct bgl_avail sender_avail;
    struct bgl_avail avail_inject;
};

struct bgl_port {
    struct bgl_port_out out;
    struct bgl_link link;
    struct bgl_pipe pipe;
    struct bgl_vc_fifo fifo;
    struct bgl_channel channel[BGL_VCS];
    struct bgl_select select;
    struct bgl_sender sender;
    u4 dropped; /* tokens of a packet that was accepted and is not in the FIFO */
    u2 dropped_vc;
};

HLS_RESET void bgl_port_reset(struct bgl_port *self);
HLS_MODULE void bgl_port(struct bgl_port *self, const struct bgl_port_in *in);

#endif
