// SPDX-License-Identifier: Apache-2.0
/*
 * border.h - what crosses from our routers to those of other ranks in a window: what went into each cable in each clock, and the
 * packets that were begun to be sent there. One message to each other rank and window.
 */
#ifndef SIM_BORDER_H
#define SIM_BORDER_H

#include "sim/engine/ranks/packets.h"
#include "sim/engine/ranks/ranks.h"

struct border;

/* item: bytes of what a cable carries in a clock; window: most clocks between two exchanges; ports: of a router that make packets. */
struct border *border_new(struct ranks *ranks, const struct topology *t, unsigned window,
                          size_t item);
void border_free(struct border *b);

/* Where what one of our routers puts into a cable to another rank goes, in that clock of the window. */
void *border_item(struct border *b, unsigned router, unsigned port, unsigned clock);

/* A packet for a router of another rank. */
void border_packet(struct border *b, unsigned router, const struct packet *packet);

/* Who takes what came: from the cable that router and port send into, in that clock of the window; a packet to `router`. */
struct border_takers {
    void *self;
    void (*item)(void *self, unsigned router, unsigned port, unsigned clock, const void *item);
    void (*packet)(void *self, unsigned router, const struct packet *packet);
};

/* Together, at the end of a window of so many clocks. */
void border_swap(struct border *b, unsigned clocks, const struct border_takers *takers);

#endif
