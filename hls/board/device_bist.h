// SPDX-License-Identifier: Apache-2.0
/*
 * device_bist.h - ports and registers of the self-test of a device, a top for a board: proto's router with its two links
 * joined by a cable, a source and a checker at each of its two processor ports.
 */
#ifndef DEVICE_BIST_H
#define DEVICE_BIST_H

#include "board/bist_cable.h"
#include "board/bist_port.h"
#include "board/bist_regs.h"
#include "board/device_text.h"
#include "chip/device.h"

struct device_bist_in {
    u16 bit_clocks; /* clocks of a bit of the serial line, less 1, at least 3; held */
    u28 second;     /* clocks of a second, less 1; held */
    u1 rx;          /* serial line to us, of any clock */
};

struct device_bist_out {
    u1 tx;  /* serial line from us */
    u8 led; /* link 0 runs, link 1 runs, noise, lanes cut, lost, cut, wrong; every other second */
};

struct device_bist {
    struct device_bist_out out;
    u32 shown[BIST_VALUES];
    struct device device;
    struct bist_port ports[DEV_PROCESSORS];
    struct bist_cable cable[RTR_LINKS]; /* from that link */
    struct bist_regs regs;
    struct console console;
    struct device_text text;
};

HLS_RESET void device_bist_reset(struct device_bist *self);
HLS_MODULE void device_bist(struct device_bist *self, const struct device_bist_in *in);

#endif
