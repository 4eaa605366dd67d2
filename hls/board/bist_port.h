// SPDX-License-Identifier: Apache-2.0
/*
 * bist_port.h - ports and registers of a processor port under test: a source and a checker at a port of a router.
 *
 * Four streams, two for each route. What comes is taken at once.
 */
#ifndef BIST_PORT_H
#define BIST_PORT_H

#include "board/bist_check.h"
#include "board/bist_source.h"
#include "router/input/inq_store.h"
#include "router/tile.h"

struct bist_port_in {
    u1 run;
    u1 tick;
    u1 clear;
    bist_route route[2]; /* held */
    struct port_out from_router;
};

struct bist_port_out {
    struct bist_check_out seen;
    struct port_in to_router;
};

struct bist_port {
    struct bist_port_out out;
    uint(RTR_INQ_LOG2 + 1) held; /* flits that are or will be in the input queue of the router */
    struct bist_source source;
    struct bist_check check;
};

HLS_RESET void bist_port_reset(struct bist_port *self);
HLS_MODULE void bist_port(struct bist_port *self, const struct bist_port_in *in);

#endif
