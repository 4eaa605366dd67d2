// SPDX-License-Identifier: Apache-2.0
/*
 * crc20: 20 check bits over 48 data bits per clock, written bit by bit, lowest bit first: a linear
 * function that comes out as one XOR of some bits per check bit.
 */
#include "hls.h"

struct crc20_in {
    u48 data;
    u1 first;
};
struct crc20_out {
    u20 crc;
};
struct crc20 {
    struct crc20_out out;
};

static u20 crc20_word(u20 crc, u48 data)
{
    for (int i = 0; i < 48; i++) {
        u1 feedback = (u1)crc ^ (u1)(data >> i);
        crc >>= 1;
        if (feedback) {
            crc ^= 0xc1acf;
        }
    }
    return crc;
}

HLS_RESET void crc20_reset(struct crc20 *self)
{
    *self = (struct crc20){0};
}

HLS_MODULE void crc20(struct crc20 *self, const struct crc20_in *in)
{
    self->out.crc = crc20_word(in->first ? (u20)0 : self->out.crc, in->data);
}
