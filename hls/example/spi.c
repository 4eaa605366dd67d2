// SPDX-License-Identifier: Apache-2.0
/* spi.c - master of a serial peripheral: a process of five states. */
#include "spi.h"

HLS_RESET void spi_reset(struct spi *self)
{
    *self = (struct spi){.at = SPI_IDLE, .out.send.tready = 1};
}

HLS_MODULE void spi(struct spi *self, const struct spi_in *in)
{
    spi_send_assume(&self->send_check, &in->send, &self->out.send);
    spi_back_assert(&self->back_check, &self->out.back, &in->back);

    HLS_PROCESS(self->at, SPI_IDLE, SPI_LOW, SPI_HIGH, SPI_GIVE, SPI_REST);
    for (;;) {
        HLS_WAIT_UNTIL(SPI_IDLE, in->send.tvalid);
        self->out.send.tready = 0;
        self->out.cs = 1;
        self->byte = in->send.tdata;
        self->last = in->send.tlast;
        for (self->bits = 0; self->bits != 8; self->bits++) {
            self->out.mosi = (u1)(self->byte >> 7);
            self->left = in->half;
            do {
                HLS_WAIT(SPI_LOW);
            } while (self->left-- != 0);
            self->out.sclk = 1;
            self->byte = (u8)(self->byte << 1 | in->miso);
            self->left = in->half;
            do {
                HLS_WAIT(SPI_HIGH);
            } while (self->left-- != 0);
            self->out.sclk = 0;
        }
        self->out.back = spi_back_offer((struct spi_back){self->byte});
        HLS_WAIT_UNTIL(SPI_GIVE, in->back.tready);
        self->out.back.tvalid = 0;
        if (self->last) {
            self->out.cs = 0;
            self->left = in->half;
            do {
                HLS_WAIT(SPI_REST);
            } while (self->left-- != 0);
        }
        self->out.send.tready = 1;
    }
}
