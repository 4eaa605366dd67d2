// SPDX-License-Identifier: Apache-2.0
/*
 * bist_regs.h - ports and registers of what a self-test shows of itself on the register bus, and of its control.
 *
 * Address 1 is CONTROL, to be written: bits as in enum bist_control. Bits 0 to 7 of it mean what CONTROL of a link
 * means by them, so that one write goes to the links as well. Address 0x10 + i is value i.
 */
#ifndef BIST_REGS_H
#define BIST_REGS_H

#include "hls.h"

#define BIST_VALUES      16
#define BIST_REG_CONTROL 0x01
#define BIST_REG_VALUES  0x10

enum bist_control {
    BIST_CLEAR = 1 << 2,    /* counters */
    BIST_FLIP = 1 << 8,     /* one wrong bit on the cable */
    BIST_NOISE = 1 << 9,    /* wrong bits now and then, or no longer */
    BIST_CUT_AT = 10,       /* bits 10 to 12: a lane of the cable is cut, or mended */
    BIST_TRAFFIC = 1 << 13, /* sources stop, or go on */
};

struct bist_regs_in {
    u28 second; /* clocks of one, less 1; held */
    struct reg_request bus;
    u32 value[BIST_VALUES];
};

struct bist_regs_out {
    u1 tick; /* for one clock: a second is over */
    u32 seconds;
    u1 clear; /* for one clock */
    u1 flip;  /* for one clock */
    u1 noise;
    u3 cut;
    u1 run;
    struct reg_reply bus;
};

struct bist_regs {
    struct bist_regs_out out;
    u28 clocks; /* of this second */
};

HLS_RESET void bist_regs_reset(struct bist_regs *self);
HLS_MODULE void bist_regs(struct bist_regs *self, const struct bist_regs_in *in);

#endif
