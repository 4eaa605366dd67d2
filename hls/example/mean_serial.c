// SPDX-License-Identifier: Apache-2.0
/* mean_serial.c - characters to samples and back. */
#include "example/mean_serial.h"

HLS_RESET void mean_serial_reset(struct mean_serial *self)
{
    *self = (struct mean_serial){.out.tx = 1};
    uart_rx_reset(&self->receiver);
    uart_tx_reset(&self->sender);
    mean_reset(&self->mean);
}

HLS_MODULE void mean_serial(struct mean_serial *self, const struct mean_serial_in *in)
{
    u8 came = self->receiver.out.character;
    u1 comes = self->receiver.out.valid, ends = came == '\r' || came == '\n';
    struct sample answer = sample_of(self->mean.out.m_axis);
    u1 answers = self->mean.out.m_axis.tvalid && self->sender.out.ready;
    const struct uart_rx_in rx = {.bit_clocks = in->bit_clocks, .rx = in->rx};
    const struct uart_tx_in tx = {
        .bit_clocks = in->bit_clocks, .valid = answers, .character = (u8)answer.tdata};
    struct mean_in mean_in = {.m_axis.tready = self->sender.out.ready};

    /* mean takes a sample before a line of 115,200 bits a second has another one. */
    mean_in.s_axis = sample_offer((struct sample){.tdata = self->character, .tlast = ends});
    mean_in.s_axis.tvalid = comes && self->have;
    hls_assume(!mean_in.s_axis.tvalid || self->mean.out.s_axis.tready);
    if (comes) {
        self->have = !ends;
        self->character = came;
    }
    if (answers) {
        self->out.led = (u8)answer.tdata;
    }
    uart_rx(&self->receiver, &rx);
    uart_tx(&self->sender, &tx);
    mean(&self->mean, &mean_in);
    self->out.tx = self->sender.out.tx;
}
