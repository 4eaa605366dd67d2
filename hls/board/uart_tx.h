// SPDX-License-Identifier: Apache-2.0
/*
 * uart_tx.h - ports and registers of a serial sender: start bit, eight data bits from the lowest on, stop bit.
 */
#ifndef UART_TX_H
#define UART_TX_H

#include "hls.h"

struct uart_tx_in {
    u16 bit_clocks; /* clocks of one bit less 1, at least 1; held */
    u1 valid;       /* a character, taken if ready was 1 before this clock */
    u8 character;
};

struct uart_tx_out {
    u1 tx; /* 1 when idle */
    u1 ready;
};

struct uart_tx {
    struct uart_tx_out out;
    u16 clocks; /* left of this bit */
    u4 bits;    /* left behind this one, stop bit included */
    u9 shift;   /* they, the next one lowest */
};

HLS_RESET void uart_tx_reset(struct uart_tx *self);
HLS_MODULE void uart_tx(struct uart_tx *self, const struct uart_tx_in *in);

#endif
