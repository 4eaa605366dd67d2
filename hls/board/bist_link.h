// SPDX-License-Identifier: Apache-2.0
/*
 * bist_link.h - ports and registers of one end of a link under test: an LCB, a source and a checker.
 */
#ifndef BIST_LINK_H
#define BIST_LINK_H

#include "board/bist_check.h"
#include "board/bist_source.h"
#include "link/lcb.h"

struct bist_link_in {
    u1 run;
    u1 tick;
    u1 clear;
    struct link_identity identity; /* held */
    u16 rx_lane[LANES];
    u3 lane_up;
    struct reg_request bus; /* of the LCB */
};

struct bist_link_out {
    struct bist_check_out seen;
    enum link_state state;
    u2 lanes; /* in use, of what comes */
    u16 tx_lane[LANES];
    struct reg_reply bus;
};

struct bist_link {
    struct bist_link_out out;
    lcb_time now;
    u1 freed_valid; /* what came is passed on at once */
    u3 freed_vc;
    struct lcb lcb;
    struct bist_source source;
    struct bist_check check;
};

HLS_RESET void bist_link_reset(struct bist_link *self);
HLS_MODULE void bist_link(struct bist_link *self, const struct bist_link_in *in);

#endif
