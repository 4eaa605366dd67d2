// SPDX-License-Identifier: Apache-2.0
/*
 * input_queue.h - ports and registers of the input side of a tile: store, route, staging, row bus.
 */
#ifndef INPUT_QUEUE_H
#define INPUT_QUEUE_H

#include "router/route.h"

struct input_queue_in {
    u1 valid; /* a flit from the link; credits guarantee that there is room */
    rtr_flit flit;
    u1 bad;                             /* the packet of this flit is spoilt */
    struct vc_note row_freed[RTR_COLS]; /* by our row buffers in the tiles of this row */
    struct load_note load;
    u64 dead;              /* bit {row, col}: that port is not to be used */
    struct rtr_place here; /* constant */
    struct route_write config;
};

/* What tile_ctl counts; one clock each. */
struct input_events {
    struct vc_note incoming; /* a flit came on this VC */
    u1 row_bus_stall;        /* a flit is ready for the row bus and none could go */
    u1 illegal;              /* a packet with illegal VC or length was refused */
    u1 no_way;               /* a packet without any candidate was dropped */
    u1 nonminimal;           /* a packet takes a non-minimal way */
    u1 corrected;            /* one wrong bit in a memory */
    u1 fatal;                /* two */
};

struct input_queue_out {
    struct vc_note freed; /* to the link: a flit of this VC has left the store */
    struct row_flit row;
    struct input_events events;
};

#endif
