// SPDX-License-Identifier: Apache-2.0
/*
 * board_native.c - the native model of a top, by its pins. TOP is its name; its header comes by -include.
 */
#include "tb/blocks/board/board.h"

#define PASTE(a, b)  PASTE_(a, b)
#define PASTE_(a, b) a##b

static struct TOP model;

static void show(struct board_pins *pins)
{
    pins->tx = model.out.tx;
    pins->led = model.out.led;
}

void board_start(struct board_pins *pins)
{
    PASTE(TOP, _reset)(&model);
    show(pins);
}

void board_step(struct board_pins *pins)
{
    const struct PASTE(TOP, _in)
        in = {.bit_clocks = (u16)pins->bit_clocks, .second = (u28)pins->second, .rx = pins->rx & 1};
    TOP(&model, &in);
    show(pins);
}
