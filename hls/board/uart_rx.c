// SPDX-License-Identifier: Apache-2.0
/*
 * uart_rx.c - a serial receiver: each bit is read once, in its middle.
 */
#include "board/uart_rx.h"

HLS_RESET void uart_rx_reset(struct uart_rx *self)
{
    *self = (struct uart_rx){.sampled = 3};
}

/* The bit in the middle of which we are. */
static inline void read_bit(struct uart_rx *self, u1 line)
{
    u1 is_start = self->bits == 10;
    u1 is_stop = self->bits == 1;

    self->bits--;
    if (is_start) {
        self->busy = !line; /* too short for a bit: noise */
    } else if (is_stop) {
        self->busy = 0;
        self->idle = line;
        self->out.valid = line;
    } else {
        self->out.character = (u8)((u8)line << 7 | self->out.character >> 1);
    }
}

HLS_MODULE void uart_rx(struct uart_rx *self, const struct uart_rx_in *in)
{
    u1 line = (u1)(self->sampled >> 1);

    self->sampled = (u2)((u2)(self->sampled << 1) | in->rx);
    self->out.valid = 0;
    if (!self->busy) {
        self->busy = self->idle && !line;
        self->idle |= line;
        self->bits = 10;
        self->clocks = in->bit_clocks >> 1;
    } else if (self->clocks != 0) {
        self->clocks--;
    } else {
        self->clocks = in->bit_clocks;
        read_bit(self, line);
    }
}
