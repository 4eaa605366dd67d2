// SPDX-License-Identifier: Apache-2.0
/*
 * mean_serial.h - mean at the serial line of a board: the characters of a line are samples, the answer is a character, their mean.
 *
 * A line ends with a carriage return or a line feed; an empty one has no answer. LEDs show the last answer.
 */
#ifndef MEAN_SERIAL_H
#define MEAN_SERIAL_H

#include "board/uart_rx.h"
#include "board/uart_tx.h"
#include "example/mean.h"

struct mean_serial_in {
    u16 bit_clocks; /* clocks of a bit of the line, less 1, at least 3; held */
    u28 second;     /* of a second, less 1: a board tells every top */
    u1 rx;
};

struct mean_serial_out {
    u1 tx;
    u8 led;
};

struct mean_serial {
    struct mean_serial_out out;
    u1 have; /* a character of this line waits for the next one: only that says whether it is the last */
    u8 character;
    struct uart_rx receiver;
    struct uart_tx sender;
    struct mean mean;
};

HLS_RESET void mean_serial_reset(struct mean_serial *self);
HLS_MODULE void mean_serial(struct mean_serial *self, const struct mean_serial_in *in);

#endif
