// SPDX-License-Identifier: Apache-2.0
/*
 * board_verilated.cpp - a top's Verilog, or its netlist, by its pins. Verilator has made the class Vboard of it.
 */
#include "tb/blocks/board/board.h"

#include "Vboard.h"
#include "verilated.h"

#include <cstdlib>

static Vboard *top;

// The runtime is compiled with VL_USER_FINISH; what calls $finish has said why.
void vl_finish(const char *, int, const char *)
{
    exit(1);
}

static void clock(board_pins *pins)
{
    top->clk = 1;
    top->eval();
    top->clk = 0;
    top->eval();
    pins->tx = top->tx;
    pins->led = top->led;
}

void board_start(board_pins *pins)
{
    top = new Vboard;
    top->bit_clocks = pins->bit_clocks;
    top->second = pins->second;
    top->rx = 1;
    top->clk = 0;
    top->eval();
    top->rst = 1;
    clock(pins);
    top->rst = 0;
}

void board_step(board_pins *pins)
{
    top->rx = pins->rx;
    clock(pins);
}
