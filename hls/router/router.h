// SPDX-License-Identifier: Apache-2.0
/*
 * router.h - ports and registers of the whole router: the matrix of tiles.
 *
 * Port p is tile (p / RTR_COLS, p % RTR_COLS).
 */
#ifndef ROUTER_H
#define ROUTER_H

#include "router/tile.h"

struct router_in {
    struct port_in from_link[RTR_PORTS];
    struct reg_request bus; /* addr: {row 3, column 3, register 10}, rtr_regs.h */
};

struct router_out {
    struct port_out to_link[RTR_PORTS];
    struct reg_reply bus;
#if DEV_MAINT
    u1 busy; /* a flit waits in a tile */
#endif
};

struct router {
    struct router_out out;
    struct reg_request bus; /* to all tiles, for one clock */
    u1 busy;                /* no tile has answered yet */
    u6 patience;            /* clocks until the router answers itself */
    u32 now;                /* clocks */
    rtr_col turn;           /* the column whose loads are broadcast next */
    struct load_note load;
    struct tile tile[RTR_PORTS];
};

HLS_RESET void router_reset(struct router *self);
HLS_MODULE void router(struct router *self, const struct router_in *in);

#endif
