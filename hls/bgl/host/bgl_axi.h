// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_axi.h - ports and registers of a core's way to the FIFOs: an AXI4 subordinate of 128 bits.
 *
 *     0x0000 + 0x100 f   write   each beat is the next 16 bytes of injection FIFO f, 0-7
 *     0x1000 + 0x100 r   read    each beat takes the next 16 bytes off reception FIFO r, 0-6, 8-14
 *     0x2000, 0x2010     read    chunks in each FIFO of group 0, 1: bytes r0-r5, rH, i0-i2, iH
 *
 * The first address of a burst names the FIFO for all its beats. SLVERR, and nothing moves: other addresses, beats of less than 16 bytes.
 * Two cores take turns, clock by clock; a FIFO is one core's for a burst.
 */
#ifndef BGL_AXI_H
#define BGL_AXI_H

#include "bgl/host/bgl_host.h"

#define BGL_AXI_BITS   16 /* of an address: 64 KB */
#define BGL_AXI_OKAY   0
#define BGL_AXI_SLVERR 2
#define BGL_AXI_SIZE   4 /* 16 bytes a beat */

struct bgl_axi_to_sub {
    u4 awid;
    uint(BGL_AXI_BITS) awaddr;
    u8 awlen;
    u3 awsize;
    u2 awburst;
    u1 awvalid;
    bgl_quad wdata;
    u16 wstrb;
    u1 wlast;
    u1 wvalid;
    u1 bready;
    u4 arid;
    uint(BGL_AXI_BITS) araddr;
    u8 arlen;
    u3 arsize;
    u2 arburst;
    u1 arvalid;
    u1 rready;
};

struct bgl_axi_from_sub {
    u1 awready;
    u1 wready;
    u4 bid;
    u2 bresp;
    u1 bvalid;
    u1 arready;
    u4 rid;
    bgl_quad rdata;
    u2 rresp;
    u1 rlast;
    u1 rvalid;
};

struct bgl_axi_in {
    struct bgl_axi_to_sub s_axi;
    u1 turn; /* what is pushed or popped now is taken in this core's clock */
    u8 full; /* injection FIFOs */
    u6 held_injection[BGL_INJECTION];
    u6 held_reception[BGL_RECEPTION];
    u1 popped; /* the answer to this core's pop */
    u1 none;
    u1 spoiled;
    bgl_quad quad;
    u8 other_writing; /* injection FIFOs that the other core's burst has */
    u16 other_reading;
};

struct bgl_axi_out {
    struct bgl_axi_from_sub s_axi;
    struct bgl_push push;
    struct bgl_pop pop;
    u8 writing;    /* the injection FIFO of a burst, one-hot */
    u16 reading;   /* the reception FIFO */
    u1 write_full; /* events */
    u1 read_empty;
};

enum axi_write_state {
    AXI_WRITE_IDLE,
    AXI_WRITE_BEATS,
    AXI_WRITE_ANSWER,
};

enum axi_read_state {
    AXI_READ_IDLE,
    AXI_READ_POP,  /* in this core's clock */
    AXI_READ_WAIT, /* for the quad */
    AXI_READ_BEAT,
};

struct bgl_axi {
    struct bgl_axi_out out;
    enum axi_write_state write_state;
    u1 write_good;
    u3 write_fifo;
    u1 beat_valid; /* a beat waits for this core's clock */
    u1 beat_last;
    u16 beat_strb;
    bgl_quad beat;
    enum axi_read_state read_state;
    u1 read_good;
    u1 read_status;
    u1 read_group;
    u4 read_fifo;
    u8 read_left; /* beats behind this one */
};

HLS_RESET void bgl_axi_reset(struct bgl_axi *self);
HLS_MODULE void bgl_axi(struct bgl_axi *self, const struct bgl_axi_in *in);

#endif
