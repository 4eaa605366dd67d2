// SPDX-License-Identifier: Apache-2.0
/*
 * tile_ctl.h - ports and registers of tile control: configuration, counters, first error.
 */
#ifndef TILE_CTL_H
#define TILE_CTL_H

#include "router/input/input_queue.h"
#include "router/rtr_regs.h"

struct tile_ctl_in {
    struct reg_request bus; /* valid for one clock per request */
    struct rtr_place here;  /* constant */
    u32 now;                /* clocks */
    struct input_events input;
    u1 stall_request;
    u1 stall_response;
    u1 corrected; /* in subswitch or output */
    u1 fatal;
    u1 dropped; /* by the valve of the output */
};

struct tile_ctl_out {
    struct route_write config;
    u2 patience;    /* of the output: RTR_REG_OUTPUT_PATIENCE */
    rtr_rows first; /* see output_mux */
    struct reg_reply bus;
};

struct tile_ctl {
    struct tile_ctl_out out;
    u1 reads; /* a counter is to be read when its turn comes */
    u4 wanted;
    u4 turn; /* the counter that is brought up to date in this clock */
    u1 wipes;
    u4 wiped;
    u5 recent[TILE_COUNTERS]; /* events since the last turn of that counter */
    u1 captured;
    u16 first_events;
    u32 first_time;
    u16 dropped;
    HLS_LUTRAM(1) u48 counter[TILE_COUNTERS];
};

HLS_RESET void tile_ctl_reset(struct tile_ctl *self);
HLS_MODULE void tile_ctl(struct tile_ctl *self, const struct tile_ctl_in *in);

#endif
