// SPDX-License-Identifier: Apache-2.0
/*
 * board.h - a top of a board by its pins, whatever it is made of: native model (board_native.c), Verilated Verilog or
 * netlist (board_verilated.cpp).
 */
#ifndef TB_BOARD_H
#define TB_BOARD_H

#ifdef __cplusplus
extern "C" {
#endif

struct board_pins {
    unsigned bit_clocks, second; /* to the top, each less 1 */
    unsigned rx;
    unsigned tx, led; /* from it */
};

/* After power-up and one clock of reset. */
void board_start(struct board_pins *pins);
void board_step(struct board_pins *pins);

#ifdef __cplusplus
}
#endif

#endif
