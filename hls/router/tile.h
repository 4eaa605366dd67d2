// SPDX-License-Identifier: Apache-2.0
/*
 * tile.h - ports and registers of one tile: everything that belongs to a port.
 */
#ifndef TILE_H
#define TILE_H

#include "router/input/input_queue.h"
#include "router/output/output_mux.h"
#include "router/cross/subswitch.h"
#include "router/tile_ctl.h"

/* The link at a port, as the tile sees it. */
struct port_in {
    u1 valid; /* a flit that came; the credits of out.freed guarantee room */
    rtr_flit flit;
    u1 bad;
#if RTR_LENGTH_BITS == 0
    u1 tail;
    u2 ok; /* with tail: enum rtr_ok */
#endif
    u1 ready;             /* takes the flit of out.valid in this clock */
    rtr_vcs room;         /* VC v: a packet of any length fits into the queue at the other end */
    rtr_vcs spare;        /* VC v: and one more, of any VC, chosen in the clock before */
    rtr_load peer_load;   /* what waits at the other end: as it says, */
    rtr_far far_request;  /* and as estimated at this end: of requests, */
    rtr_far far_response; /* of responses */
    u1 dead;              /* not to be used */
};

struct port_out {
    struct head_vc_note freed; /* a flit of this VC has left the input queue, or was refused */
#if RTR_LENGTH_BITS == 0
    u1 refused; /* a good packet for which the link had no credit */
#endif
    u1 valid;
    rtr_flit flit;
    u1 head;
    u1 tail;
    u1 bad;
    struct vc_note start; /* a packet of this VC was chosen */
};

struct tile_in {
    struct port_in from_link;
    struct row_flit row_in[RTR_COLS];       /* the row busses of this row */
    struct vc_note row_freed[RTR_COLS];     /* by our row buffers in the tiles of this row */
    struct column_flit column_in[RTR_ROWS]; /* the column busses to this row */
    struct vc_note column_freed[RTR_ROWS];  /* by our column buffers in the tiles of this column */
    struct load_note load;
    struct rtr_place here;  /* constant */
    u1 processor;           /* constant: the port has no link */
    u32 now;                /* clocks */
    struct reg_request bus; /* valid for one clock per request */
};

#if DEV_MAINT
/* Where flits wait: in the input queue, in row buffers, in column buffers or for the link. */
struct tile_busy {
    u1 input;
    u1 cross;
    u1 output;
};
#endif

struct tile_out {
    struct port_out to_link;
    struct row_flit row;
    struct vc_note freed_row[RTR_COLS]; /* to the input queues of this row */
    struct column_flit column[RTR_ROWS];
    struct vc_note freed_column[RTR_ROWS]; /* to the subswitches of this column */
    struct load_pair load;
    struct reg_reply bus;
#if DEV_MAINT
    struct tile_busy busy;
#endif
};

struct tile {
    struct tile_out out;
    struct input_queue queue;
    struct subswitch sub;
    struct output_mux mux;
    struct tile_ctl ctl;
};

HLS_RESET void tile_reset(struct tile *self);
HLS_MODULE void tile(struct tile *self, const struct tile_in *in);

#endif
