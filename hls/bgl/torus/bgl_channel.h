// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_channel.h - ports and registers of the first phase of arbitration, one for each VC FIFO, bypass and injection FIFO.
 *
 * Says what the packet in front of a FIFO asks for: of the dynamic {port, VC} that it may take and that are available the one with most
 * tokens (JSQ), equals at random; else its escape; else nothing. It looks anew in every clock in which it has no open offer.
 *
 *  clock  0  front, availability
 *         1  out.request
 *         2  picked: it is being offered
 *         3  granted or not
 */
#ifndef BGL_CHANNEL_H
#define BGL_CHANNEL_H

#include "bgl/torus/bgl_front.h"

#define FROM_HOST 7 /* `from` of an injection FIFO */

struct bgl_channel_in {
    struct bgl_front front;
    u3 from; /* port where the packet came in */
    struct bgl_avail avail[BGL_PORTS];
    u1 bus_free; /* one of its busses to senders is free */
    u1 room;     /* its reception FIFO takes a packet, and the bus to it is free */
    u1 picked;   /* the request of a clock ago is being offered, or its packet was started */
    u1 granted;  /* the offer */
    u4 random;
};

struct bgl_channel_out {
    struct bgl_request request;
    u1 escapes; /* it asks for its escape though it is dynamic */
    u1 waits; /* it is of high priority, and nothing but the packet that has the link now is in its way */
};

struct bgl_channel {
    struct bgl_channel_out out;
    u1 open; /* an offer is being answered */
};

HLS_RESET void bgl_channel_reset(struct bgl_channel *self);
HLS_MODULE void bgl_channel(struct bgl_channel *self, const struct bgl_channel_in *in);

#endif
