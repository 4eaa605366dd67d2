// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_sender.h - ports and registers of the third phase of arbitration and the multiplexer of a port.
 *
 * Of the offers for its port the sender grants one: high-priority ones first, those of receivers before injection, in SLQ clocks the
 * fullest FIFO, equals at random. From the grant on the port is taken until the packet's first byte is in the framer, which says when it
 * is free again. Where no first byte follows the grant, a packet of the bypass or one that was refused since it was offered, the
 * grant lapses: nothing was charged, and the port is free again.
 *
 *  clock  0  offers
 *         1  out.grant
 *         3  first byte on a bus, or the grant lapses
 *         4  out.bus, and the account is charged
 */
#ifndef BGL_SENDER_H
#define BGL_SENDER_H

#include "bgl/torus/bgl_front.h"

#define BGL_SOURCES (BGL_PORTS + BGL_INJECTION) /* of offers */

struct bgl_sender_in {
    u3 own_port; /* this one: constant */
    struct bgl_offer offer[BGL_PORTS];
    struct bgl_request inject[BGL_INJECTION];
    u2 inject_fullness[BGL_INJECTION];
    struct bgl_byte bus[BGL_PORTS][2];
    struct bgl_byte inject_bus[BGL_INJECTION];
    u1 soon; /* framer: who asks now finds the wire free */
    u1 room; /* resend */
    u1 drop; /* the link is dead: what is offered on VCs 2 and 3 is taken and thrown away */
    u4 one;  /* tokens */
    u4 two;
    u2 ranges[2];
    u1 running;       /* the link is in RUN and may be asked: `soon` alone is missing */
    u5 inject_clocks; /* of 32, in which injection goes first */
    u5 high_clocks;   /* of 32, in which high-priority injection goes before the network's */
    u1 slq;
    u4 random;
};

struct bgl_sender_out {
    u6 grant;                      /* receivers */
    u8 grant_inject;               /* injection FIFOs */
    struct bgl_avail avail;        /* for receivers */
    struct bgl_avail avail_inject; /* for injection, when receivers have had a second offer in */
    struct bgl_byte tx;            /* to resend */
    u3 tx_n;
    u2 tx_vc;
    u1 flowing; /* a granted packet is still coming */
    /* Events, each for one clock. */
    u1 dropped; /* a packet was thrown away */
    u1 lapsed;
};

struct bgl_sender {
    struct bgl_sender_out out;
    u4 source; /* receivers, then injection */
    u1 source_bus;
    u1 throws; /* away */
    u1 coming; /* granted, not ended */
    u1 first;  /* its first byte has come */
    u4 hold;   /* clocks in which the framer does not know of the grant yet */
    u3 free;   /* how often in a row the port was free: bit 0 a clock ago */
    u5 clock;
};

HLS_RESET void bgl_sender_reset(struct bgl_sender *self);
HLS_MODULE void bgl_sender(struct bgl_sender *self, const struct bgl_sender_in *in);

#endif
