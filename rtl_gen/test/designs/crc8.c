// SPDX-License-Identifier: Apache-2.0
/*
 * crc8: x^8 + x^2 + x + 1 over a byte per clock, written bit by bit.
 */
#include "hls.h"

struct crc8_in {
    u1 valid, first;
    u8 data;
};
struct crc8_out {
    u8 crc;
    u1 zero; /* data and check sequence together leave zero */
};
struct crc8 {
    struct crc8_out out;
};

static u8 crc8_byte(u8 crc, u8 data)
{
    crc ^= data;
    for (int i = 0; i < 8; i++) {
        crc = crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1;
    }
    return crc;
}

HLS_RESET void crc8_reset(struct crc8 *self)
{
    *self = (struct crc8){.out.crc = 0xff};
}

HLS_MODULE void crc8(struct crc8 *self, const struct crc8_in *in)
{
    if (in->valid) {
        self->out.crc = crc8_byte(in->first ? (u8)0xff : self->out.crc, in->data);
        self->out.zero = self->out.crc == 0;
    }
}
