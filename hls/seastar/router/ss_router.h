// SPDX-License-Identifier: Apache-2.0
/*
 * ss_router.h - ports and registers of the router of SeaStar: one port of the node, one for each link.
 */
#ifndef SS_ROUTER_H
#define SS_ROUTER_H

#include "seastar/router/ss_choice.h"
#include "seastar/router/ss_output.h"

struct ss_router_in {
    struct ss_port_in from[SS_PORTS];
    uint(SS_PARTITION_BITS) partition; /* of this node */
    u64 age_rr;                        /* choice n of an output: 1 by age, 0 round robin */
    u16 age_period;                    /* clocks of a tick, less one */
    ss_age bias_request[SS_PORTS];     /* added to an age on arrival, by input */
    ss_age bias_response[SS_PORTS];
    ss_ports write_at; /* inputs whose tables are written */
    struct ss_route_write write;
};

struct ss_router_out {
    struct ss_port_out to[SS_PORTS];
    struct ss_input_events events[SS_PORTS];
};

struct ss_router {
    struct ss_router_out out;
    struct ss_route route[SS_PORTS];
    struct ss_input in_port[SS_PORTS];
    struct ss_output out_port[SS_PORTS];
    struct ss_choice choice;

    u16 clocks; /* of this tick */
    ss_tick tick;
};

HLS_RESET void ss_router_reset(struct ss_router *self);
HLS_MODULE void ss_router(struct ss_router *self, const struct ss_router_in *in);

#endif
