// SPDX-License-Identifier: Apache-2.0
/*
 * spi.h - master of a serial peripheral (SPI mode 0, most significant bit first): a byte out and a byte back at a time.
 *
 * - A half of a bit takes `half` + 1 clocks; it is looked at when the half begins.
 * - mosi changes while sclk is 0 and is held while it is 1. miso is taken in the clock that raises sclk.
 * - cs, which is 1 where the peripheral is selected, rises with the first bit and falls behind the byte that says `last`; sclk rises a half later, and no byte begins within a
 *   half of the fall.
 * - The byte that came back is offered until it is taken; only then does the next one begin.
 */
#ifndef SPI_H
#define SPI_H

#include "lib/stream.h"

enum spi_at { SPI_IDLE, SPI_LOW, SPI_HIGH, SPI_GIVE, SPI_REST };

HLS_STREAM(spi_send, u8, tdata, u1, tlast);
HLS_STREAM(spi_back, u8, tdata);

struct spi_in {
    u8 half; /* clocks of half a bit, less one */
    u1 miso;
    struct spi_send_forward send;
    struct spi_back_back back;
};

struct spi_out {
    u1 cs, sclk, mosi;
    struct spi_send_back send;
    struct spi_back_forward back;
};

struct spi {
    struct spi_out out;
    enum spi_at at;
    u8 left; /* clocks of this half */
    u4 bits; /* sent of this byte */
    u8 byte; /* what is to be sent, above what has come */
    u1 last;
    struct spi_send_check send_check;
    struct spi_back_check back_check;
};

HLS_RESET void spi_reset(struct spi *self);
HLS_MODULE void spi(struct spi *self, const struct spi_in *in);

#endif
