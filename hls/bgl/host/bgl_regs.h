// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_regs.h - ports and registers of the node's register bus: host/bgl.rdl.
 *
 *  clock  0  bus.valid
 *         1  bus.ready, for one clock; of a counter when its turn of 32 clocks comes
 */
#ifndef BGL_REGS_H
#define BGL_REGS_H

#include "bgl/host/bgl_map.h"
#include "bgl/host/bgl_watch.h"
#include "bgl/link/bgl_link.h"

struct bgl_arbitration {
    u6 tokens[3];
    u6 fullness[3];
    u8 slq;
    u8 random;
    u5 inject;
    u5 high_inject;
    u7 bypass[BGL_VCS];
    u16 seed;
    u1 load; /* the seed, for one clock */
};

struct bgl_regs_in {
    struct reg_request bus;
    struct bgl_link_state port[BGL_PORTS];
    u6 held[BGL_PORTS][BGL_VCS];
    u5 index; /* the counter of each port that is in `count` */
    u32 count[BGL_PORTS];
    u32 node_count;
    u8 stopped; /* injection FIFOs */
    u3 sum_fifo;
    u32 sum; /* of that injection FIFO */
    /* watch */
    u19 status;
    u6 error;
    u5 place;
    u2 vc;
    u32 clock;
};

struct bgl_regs_out {
    struct reg_reply reply;
    struct bgl_where where;
    struct bgl_arbitration arbitration;
    struct bgl_link_control control[BGL_PORTS];
    u16 chip;
    u3 upper;
    u8 clear_injection;
    u16 clear_reception;
    struct bgl_watermarks watermark[2];
    u19 mask[2]; /* of IRQ_STATUS, for each core */
    /* each for one clock */
    u8 clear_sums;
    u1 clear_counts;
    u1 clear_first;
    u6 clear_link;
    u1 clear_error;
};

struct bgl_regs {
    struct bgl_regs_out out;
};

HLS_RESET void bgl_regs_reset(struct bgl_regs *self);
HLS_MODULE void bgl_regs(struct bgl_regs *self, const struct bgl_regs_in *in);

#endif
