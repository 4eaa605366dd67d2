// SPDX-License-Identifier: Apache-2.0
/*
 * uart_rx.h - ports and registers of a serial receiver: start bit, eight data bits from the lowest on, stop bit.
 *
 * The line comes from outside and is taken into our clock here. A character whose stop bit is 0 is dropped, and the
 * next start bit is waited for once the line was 1 again: a line that hangs at 0 says nothing.
 */
#ifndef UART_RX_H
#define UART_RX_H

#include "hls.h"

struct uart_rx_in {
    u16 bit_clocks; /* clocks of one bit less 1, at least 3; held */
    u1 rx;          /* of any clock */
};

struct uart_rx_out {
    u1 valid; /* for one clock: a character */
    u8 character;
};

struct uart_rx {
    struct uart_rx_out out;
    u2 sampled; /* the line, two clocks to settle */
    u1 idle;    /* the line was 1 since the last character */
    u1 busy;    /* within a character */
    u16 clocks; /* until the middle of the next bit */
    u4 bits;    /* left, start and stop bit included */
};

HLS_RESET void uart_rx_reset(struct uart_rx *self);
HLS_MODULE void uart_rx(struct uart_rx *self, const struct uart_rx_in *in);

#endif
