// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_node.h - ports and registers of a node's torus unit: six ports, injection and reception FIFOs, two cores.
 */
#ifndef BGL_NODE_H
#define BGL_NODE_H

#include "axi/axil_regs.h"
#include "bgl/bgl_port.h"
#include "bgl/host/bgl_axi.h"
#include "bgl/host/bgl_inject.h"
#include "bgl/host/bgl_reception.h"
#include "bgl/host/bgl_watch.h"
#include "bgl/torus/bgl_random.h"

#define BGL_CORES 2

struct bgl_node_in {
    u6 rx_up; /* of each port */
    u6 rx_valid;
    u8 rx[BGL_PORTS];
    struct bgl_axi_to_sub s_axi[BGL_CORES];
    struct axil_to_sub s_axil;
};

struct bgl_node_out {
    u8 tx[BGL_PORTS];
    struct bgl_axi_from_sub s_axi[BGL_CORES];
    struct axil_from_sub s_axil;
    u2 irq; /* of each core */
};

struct bgl_node {
    struct bgl_node_out out;
    struct bgl_port port[BGL_PORTS];
    struct bgl_inject inject;
    struct bgl_channel channel[BGL_INJECTION];
    struct bgl_reception reception;
    struct bgl_axi axi[BGL_CORES];
    struct bgl_watch watch;
    struct bgl_counts counts;
    struct bgl_regs regs;
    struct axil_regs axil;
    struct bgl_random random;
    u1 turn; /* the core whose push and pop are decided in this clock */
    u2 pops; /* whose the answers under way are: bit 0 of a clock ago */
};

HLS_RESET void bgl_node_reset(struct bgl_node *self);
HLS_MODULE void bgl_node(struct bgl_node *self, const struct bgl_node_in *in);

#endif
