// SPDX-License-Identifier: Apache-2.0
/*
 * input_queue.h - ports and registers of the input side of a tile: store, route, staging, row bus.
 */
#ifndef INPUT_QUEUE_H
#define INPUT_QUEUE_H

#include "router/input/route.h"
#include "router/input/stage_queue.h"

struct input_queue_in {
    u1 valid; /* a flit from the link; credits guarantee that there is room */
    rtr_flit flit;
    u1 bad; /* marks the packet of this flit as corrupted */
#if RTR_LENGTH_BITS == 0
    u1 tail;
    u2 ok; /* with tail: enum rtr_ok */
#endif
    struct vc_note row_freed[RTR_COLS]; /* by our row buffers in the tiles of this row */
    struct load_note load;
    struct rtr_place here; /* constant */
    struct route_write config;
};

/* What tile_ctl counts; one clock each. */
struct input_events {
    struct vc_note incoming; /* a flit came on this VC */
    u1 row_bus_stall;        /* staging holds a flit, and none had credit to go */
    u1 illegal;              /* a packet with illegal VC or length was refused */
    u1 no_route;             /* a packet without a living candidate was dropped */
    u1 nonminimal;           /* a packet takes a non-minimal route */
    u1 corrected;            /* a single-bit error in a memory: corrected */
    u1 fatal;                /* two: uncorrectable */
};

struct input_queue_out {
    struct head_vc_note
        freed; /* to the link: a flit of this VC has left the store, or was refused */
#if RTR_LENGTH_BITS == 0
    u1 refused; /* to the link: a good packet for which it had no credit */
#endif
    struct row_flit row;
    struct input_events events;
#if DEV_MAINT
    u1 busy; /* a flit waits here */
#endif
};

/* A credit account of the row bus: one VC of the row buffer in one column. */
struct row_account {
    rtr_col col;
    rtr_vc vc;
};

struct input_queue {
    struct input_queue_out out;
    struct inq_store store;
    struct route route;
    struct stage_queue stage;
    struct vc_room credit[RTR_COLS];

    u1 wipes;     /* after a reset: all accounts are being set to empty, one VC per clock */
    rtr_vc wiped; /* the VC that is next */

    /* Row bus; VCs are those of staging. */
    rtr_vc turn; /* the VC that may send in this clock */
    u1 granted; /* it was found to be able to, as ready or as one that goes on; else it is the probe */
    u1 goes_on;   /* it did in the last clock, and its packet has credit for another flit */
    rtr_vcs open; /* VC v is inside a packet: its last flit was not a tail */
    struct row_account owned[RTR_VCS]; /* the account that this packet owns until its tail */
    rtr_vcs ready;                     /* scoreboard: VC v was probed, and its front may go */
    rtr_vcs stuck;                     /* scoreboard: VC v was probed, and its front has to wait */
    rtr_vc probe;                      /* the VC that is probed in this clock */
    struct row_account probe_to;       /* where its front goes, ... */
    u1 probe_again; /* ... unless it had the turn in the last clock, and sent: then stage.out.behind does */
    struct row_account turn_to; /* the same of the VC that has the turn */
    u1 turn_again;
    struct backlog backlog;
};

HLS_RESET void input_queue_reset(struct input_queue *self);
HLS_MODULE void input_queue(struct input_queue *self, const struct input_queue_in *in);

#endif
