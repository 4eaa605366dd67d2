// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_select.h - ports and registers of the second phase of arbitration: one offer per receiver and clock.
 *
 * High-priority first; else in an SLQ clock the fullest FIFO, equals at random, in a random clock any; the bypass last. While a high-priority
 * packet waits for nothing but a packet that has its link, no other is offered: it waits for one bus, then for one port. A packet that has arrived is started
 * here, one a clock beside an offer: reception needs no sender.
 *
 *  clock  0  requests
 *         1  out.offer, out.picked; out.start of what has arrived
 *         2  the sender's answer is in its register: in.granted, out.asked
 */
#ifndef BGL_SELECT_H
#define BGL_SELECT_H

#include "bgl/torus/bgl_front.h"

struct bgl_select_in {
    struct bgl_request request[BGL_VCS];
    u6 held[BGL_VCS]; /* chunks in each FIFO */
    u6 fullness[3];   /* thresholds of them */
    u2 busy;          /* busses to senders */
    u1 normal_busy;   /* to reception FIFOs */
    u1 high_busy;
    u1 granted; /* a sender's answer to the offer of two clocks ago */
    u1 waits;   /* a high-priority packet: of the two busses one is kept */
    u1 slq;     /* an SLQ clock */
    u2 random;
};

struct bgl_select_out {
    struct bgl_offer offer;
    u4 picked;  /* VCs whose request is offered or started */
    u4 started; /* of them those whose packet goes to its reception FIFO */
    u4 asked;   /* the VC of the offer that is being answered */
    u1 asked_bus;
    u1 asked_dp;
    u3 asked_port;
    u1 bus_free; /* a packet may ask: one of the busses will be free */
    u1 normal;   /* the busses to reception FIFOs */
    u1 high;
};

struct bgl_select {
    struct bgl_select_out out;
    u4 offered; /* the VC of out.offer */
};

HLS_RESET void bgl_select_reset(struct bgl_select *self);
HLS_MODULE void bgl_select(struct bgl_select *self, const struct bgl_select_in *in);

#endif
