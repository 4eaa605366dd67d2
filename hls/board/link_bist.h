// SPDX-License-Identifier: Apache-2.0
/*
 * link_bist.h - ports and registers of the self-test of a link, a top for a board: two LCBs back to back.
 */
#ifndef LINK_BIST_H
#define LINK_BIST_H

#include "board/bist_cable.h"
#include "board/bist_link.h"
#include "board/bist_regs.h"
#include "board/link_text.h"

struct link_bist_in {
    u16 bit_clocks; /* clocks of a bit of the serial line, less 1, at least 3; held */
    u28 second;     /* clocks of a second, less 1; held */
    u1 rx;          /* serial line to us, of any clock */
};

struct link_bist_out {
    u1 tx;  /* serial line from us */
    u8 led; /* a runs, b runs, noise, lanes cut, lost, cut, wrong; every other second */
};

struct link_bist {
    struct link_bist_out out;
    u32 shown[BIST_VALUES];
    struct bist_link ends[2];
    struct bist_cable cable[2]; /* from that end */
    struct bist_regs regs;
    struct console console;
    struct link_text text;
};

HLS_RESET void link_bist_reset(struct link_bist *self);
HLS_MODULE void link_bist(struct link_bist *self, const struct link_bist_in *in);

#endif
