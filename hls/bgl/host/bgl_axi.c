// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_axi.c - a core's way to the FIFOs.
 */
#include "bgl/host/bgl_axi.h"

HLS_RESET void bgl_axi_reset(struct bgl_axi *self)
{
    *self = (struct bgl_axi){.out.s_axi = {.awready = 1, .arready = 1}};
}

/* ---- writes ---------------------------------------------------------------------------------- */

static inline void begin_write(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    u1 window = (u5)(in->s_axi.awaddr >> 11) == 0;

    if (self->out.s_axi.awready && in->s_axi.awvalid) {
        self->write_fifo = (u3)(in->s_axi.awaddr >> 8);
        self->write_good = window && in->s_axi.awsize == BGL_AXI_SIZE;
        self->out.s_axi.bid = in->s_axi.awid;
        self->out.s_axi.bresp = BGL_AXI_OKAY;
        self->out.s_axi.awready = 0;
        self->write_state = AXI_WRITE_BEATS;
    }
}

/* The beat that waits goes to its FIFO, in this core's clock, once the FIFO is this core's. */
static inline void push_beat(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    u8 one = (u8)((u8)1 << self->write_fifo);
    u1 mine = !self->write_good || (self->out.writing & one) != 0 || (in->other_writing & one) == 0;
    u1 none = self->beat_strb == 0;
    u1 whole = self->beat_strb == 0xFFFF;
    u1 lost = (in->full & one) != 0 || !whole;

    if (self->beat_valid && in->turn && mine) {
        self->beat_valid = 0;
        self->out.writing = self->write_good ? one : (u8)0;
        if (!self->write_good) {
            self->out.s_axi.bresp = BGL_AXI_SLVERR;
        } else if (!none) {
            self->out.push = (struct bgl_push){
                .valid = 1, .spoiled = !whole, .fifo = self->write_fifo, .data = self->beat};
            self->out.write_full = lost;
            self->out.s_axi.bresp = lost ? (u2)BGL_AXI_SLVERR : self->out.s_axi.bresp;
        }
        if (self->beat_last) {
            self->out.s_axi.bvalid = 1;
            self->write_state = AXI_WRITE_ANSWER;
        }
    }
}

static inline void take_beat(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    if (self->out.s_axi.wready && in->s_axi.wvalid) {
        self->beat_valid = 1;
        self->beat = in->s_axi.wdata;
        self->beat_strb = in->s_axi.wstrb;
        self->beat_last = in->s_axi.wlast;
    }
}

static inline void write_side(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    self->out.push.valid = 0;
    self->out.write_full = 0;
    switch (self->write_state) {
    case AXI_WRITE_IDLE:
        self->out.writing = 0;
        begin_write(self, in);
        break;
    case AXI_WRITE_BEATS:
        push_beat(self, in);
        take_beat(self, in);
        break;
    case AXI_WRITE_ANSWER:
        if (in->s_axi.bready) {
            self->out.s_axi.bvalid = 0;
            self->out.s_axi.awready = 1;
            self->out.writing = 0;
            self->write_state = AXI_WRITE_IDLE;
        }
        break;
    }
    self->out.s_axi.wready = self->write_state == AXI_WRITE_BEATS && !self->beat_valid;
}

/* ---- reads ----------------------------------------------------------------------------------- */

static inline void begin_read(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    u4 window = (u4)(in->s_axi.araddr >> 12);
    u4 fifo = (u4)(in->s_axi.araddr >> 8);
    u1 status = window == 2 && fifo == 0 && (u4)(in->s_axi.araddr >> 4) < 2;
    u1 there = (window == 1 && (u3)fifo != 7) || status;

    if (self->out.s_axi.arready && in->s_axi.arvalid) {
        self->read_fifo = fifo;
        self->read_status = status;
        self->read_group = (u1)(in->s_axi.araddr >> 4);
        self->read_good = there && in->s_axi.arsize == BGL_AXI_SIZE;
        self->read_left = in->s_axi.arlen;
        self->out.s_axi.rid = in->s_axi.arid;
        self->out.s_axi.arready = 0;
        self->read_state = AXI_READ_POP;
    }
}

/* Bytes r0-r5, rH, i0-i2, iH of a group. */
static inline bgl_quad status_quad(const struct bgl_axi_in *in, u1 group)
{
    bgl_quad quad = 0;

    for (int i = 0; i < 7; i++) {
        u6 held = group ? in->held_reception[8 + i] : in->held_reception[i];

        quad |= (bgl_quad)held << (8 * i);
    }
    for (int i = 0; i < 4; i++) {
        u6 held = group ? in->held_injection[4 + i] : in->held_injection[i];

        quad |= (bgl_quad)held << (8 * (7 + i));
    }
    return quad;
}

static inline void give(struct bgl_axi *self, bgl_quad data, u1 good)
{
    self->out.s_axi.rvalid = 1;
    self->out.s_axi.rdata = good ? data : (bgl_quad)0;
    self->out.s_axi.rresp = good ? (u2)BGL_AXI_OKAY : (u2)BGL_AXI_SLVERR;
    self->out.s_axi.rlast = self->read_left == 0;
    self->read_state = AXI_READ_BEAT;
}

static inline void ask(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    u16 one = (u16)((u16)1 << self->read_fifo);
    u1 mine = (self->out.reading & one) != 0 || (in->other_reading & one) == 0;

    if (!self->read_good || self->read_status) {
        give(self, status_quad(in, self->read_group), self->read_good);
    } else if (in->turn && mine) {
        self->out.reading = one;
        self->out.pop = (struct bgl_pop){.valid = 1, .fifo = self->read_fifo};
        self->read_state = AXI_READ_WAIT;
    }
}

static inline void read_side(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    self->out.pop.valid = 0;
    self->out.read_empty = 0;
    switch (self->read_state) {
    case AXI_READ_IDLE:
        begin_read(self, in);
        break;
    case AXI_READ_POP:
        ask(self, in);
        break;
    case AXI_READ_WAIT:
        if (in->popped) {
            self->out.read_empty = in->none;
            give(self, in->quad, !in->none && !in->spoiled);
        }
        break;
    case AXI_READ_BEAT:
        if (in->s_axi.rready) {
            self->out.s_axi.rvalid = 0;
            self->read_state = self->read_left == 0 ? AXI_READ_IDLE : AXI_READ_POP;
            self->out.s_axi.arready = self->read_left == 0;
            self->out.reading = self->read_left == 0 ? (u16)0 : self->out.reading;
            self->read_left--;
        }
        break;
    }
}

HLS_MODULE void bgl_axi(struct bgl_axi *self, const struct bgl_axi_in *in)
{
    write_side(self, in);
    read_side(self, in);
    hls_cover(self->out.write_full);
    hls_cover(self->out.read_empty);
}
