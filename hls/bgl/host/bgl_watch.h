// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_watch.h - ports and registers of what a node tells its software unasked: watermarks, interrupts, the first error, events to count.
 *
 *  clock  0  events and levels
 *         1  out.status, out.error, out.events
 *         2  out.irq
 */
#ifndef BGL_WATCH_H
#define BGL_WATCH_H

#include "bgl/host/bgl_host.h"
#include "bgl/host/bgl_inj_head.h"

/* Classes of FIRST_ERROR; those of a refused header are enum bgl_refusal. */
enum bgl_error {
    ERROR_NONE,
    ERROR_RANGE,
    ERROR_HINT,
    ERROR_VC,
    ERROR_DEPOSIT,
    ERROR_SELF,
    ERROR_HEADER, /* CRC-8 let it through, and it cannot be */
    ERROR_WRONG_NODE,
    ERROR_LOST_WAY,
    ERROR_PARITY,
    ERROR_UNCORRECTABLE,
    ERROR_DROPPED, /* at a link that is down */
    ERROR_WRITE_FULL,
    ERROR_READ_EMPTY,
};

/* Places of FIRST_ERROR: ports from 0 on, and */
#define PLACE_NODE      6  /* the random generator */
#define PLACE_INJECTION 8  /* + FIFO */
#define PLACE_RECEPTION 16 /* + FIFO */

/* Errors of a port, each for one clock. */
struct bgl_port_errors {
    u1 header;
    u1 wrong_node;
    u1 lost_way;
    u1 parity;
    u1 uncorrectable;
    u1 dropped;
    u2 vc; /* of the first three */
};

/* Counters of the node, in the order of bgl.rdl. */
enum bgl_node_count {
    NODE_REFUSED, /* of class 1, and so on */
    NODE_WRITE_FULL = NODE_REFUSED + REFUSED_SELF,
    NODE_READ_EMPTY,
    NODE_CORRECTED,
    NODE_UNCORRECTABLE,
    NODE_PARITY,
    NODE_SPOILED,
    NODE_FULL, /* of reception FIFOs 0 to 6, 8 to 14 */
    NODE_LAST = NODE_FULL + 2 * 7 - 1,
};

/* Of a group, in chunks. */
struct bgl_watermarks {
    u5 rx;
    u5 rx_high;
    u5 tx[4];
};

struct bgl_watch_in {
    struct bgl_port_errors port[BGL_PORTS];
    u3 state[BGL_PORTS]; /* of the links */
    u6 held_injection[BGL_INJECTION];
    u6 held_reception[BGL_RECEPTION];
    u16 full; /* reception FIFOs that take no full packet */
    struct bgl_watermarks watermark[2];
    /* host, each for one clock */
    enum bgl_refusal refused;
    u3 refused_fifo;
    u1 write_full;
    u3 write_fifo;
    u1 read_empty;
    u4 read_fifo;
    u1 inject_corrected;
    u1 inject_fatal;
    u3 inject_fifo;
    u1 reception_corrected;
    u1 reception_fatal;
    u4 reception_fifo;
    u1 taken_back; /* a packet, at a reception FIFO */
    u1 random_wrong;
    /* registers */
    u6 clear_link; /* bits that are taken off */
    u1 clear_error;
    u1 clear_first;
    u19 mask[2];
};

struct bgl_watch_out {
    u19 status; /* IRQ_STATUS */
    u2 irq;     /* of each core */
    u6 error;   /* enum bgl_error, until it is taken off */
    u5 place;
    u2 vc;
    u32 clock;
    u32 events; /* a bit for each counter */
};

struct bgl_watch {
    struct bgl_watch_out out;
    u32 clock;
    u3 state[BGL_PORTS];
    u6 changed;
    u1 flagged; /* a first error has come since the bit was taken off */
};

HLS_RESET void bgl_watch_reset(struct bgl_watch *self);
HLS_MODULE void bgl_watch(struct bgl_watch *self, const struct bgl_watch_in *in);

#endif
