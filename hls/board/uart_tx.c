// SPDX-License-Identifier: Apache-2.0
/*
 * uart_tx.c - a serial sender.
 */
#include "board/uart_tx.h"

HLS_RESET void uart_tx_reset(struct uart_tx *self)
{
    *self = (struct uart_tx){.out = {.tx = 1, .ready = 1}};
}

HLS_MODULE void uart_tx(struct uart_tx *self, const struct uart_tx_in *in)
{
    u1 taken = in->valid && self->out.ready;

    if (taken) {
        self->out.tx = 0;
        self->shift = (u9)((u9)1 << 8 | in->character);
        self->bits = 9;
        self->clocks = in->bit_clocks;
        self->out.ready = 0;
    } else if (self->clocks != 0) {
        self->clocks--;
    } else if (self->bits != 0) {
        self->out.tx = (u1)self->shift;
        self->shift >>= 1;
        self->bits--;
        self->clocks = in->bit_clocks;
    } else {
        self->out.ready = 1;
    }
}
