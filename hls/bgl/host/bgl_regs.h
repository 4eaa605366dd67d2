// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_regs.h - ports and registers of the node's register bus: host/bgl.rdl.
 *
 *  clock  0  bus.valid
 *         1  bus.ready, for one clock
 */
#ifndef BGL_REGS_H
#define BGL_REGS_H

#include "bgl/host/bgl_map.h"
#include "bgl/packet/bgl_types.h"
#include "link/lane/frame.h"

/* What a port shows, and what it is told. */
struct bgl_port_state {
    u3 state;
    u4 epoch;
    u12 round_trip;
    struct link_identity peer;
    crc32_sum send_crc;
    crc32_sum receive_crc;
    u7 tokens[BGL_VCS];
    u6 held[BGL_VCS];
    u8 base;
    u8 following;
};

struct bgl_port_control {
    u1 restart; /* for one clock */
    u1 kill;
    u1 clear_crc;
    u1 loopback;
    u1 drop;
    u1 stop;
    u16 timeout;
    u8 retry;
};

struct bgl_arbitration {
    u6 tokens[3];
    u6 fullness[3];
    u8 slq;
    u8 random;
    u5 inject;
    u16 seed;
    u1 load; /* the seed, for one clock */
};

struct bgl_regs_in {
    struct reg_request bus;
    struct bgl_port_state port[BGL_PORTS];
    u8 stopped; /* injection FIFOs */
};

struct bgl_regs_out {
    struct reg_reply reply;
    struct bgl_where where;
    struct bgl_arbitration arbitration;
    struct bgl_port_control control[BGL_PORTS];
    u16 chip;
    u3 upper;
    u8 clear_injection;
    u16 clear_reception;
};

struct bgl_regs {
    struct bgl_regs_out out;
};

HLS_RESET void bgl_regs_reset(struct bgl_regs *self);
HLS_MODULE void bgl_regs(struct bgl_regs *self, const struct bgl_regs_in *in);

#endif
