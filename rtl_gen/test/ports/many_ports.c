// SPDX-License-Identifier: Apache-2.0
/*
 * many_ports: several output ports of different widths, each a register of its own, one of them
 * a slow copy of another.
 */
#include "hls.h"

struct many_ports_in {
    u8 data;   /* a new byte */
    u1 strobe; /* data is valid */
    u2 lane;   /* which accumulator takes it */
};
struct many_ports_out {
    u1 parity;      /* over all bytes so far */
    u8 last;        /* the newest byte */
    u8 before_last; /* and the one before */
    u11 sum0;       /* lanes 0 and 1 together */
    u17 sum2;       /* lane 2, with a rotated byte */
    u33 product3;   /* lane 3, multiplied up */
};
struct many_ports {
    struct many_ports_out out;
};

HLS_RESET void many_ports_reset(struct many_ports *self)
{
    *self = (struct many_ports){.out.product3 = 1};
}

HLS_MODULE void many_ports(struct many_ports *self, const struct many_ports_in *in)
{
    if (in->strobe) {
        self->out.before_last = self->out.last;
        self->out.last = in->data;
        for (int i = 0; i < 8; i++) {
            self->out.parity ^= in->data >> i & 1;
        }
        if (in->lane < 2) {
            self->out.sum0 += in->data;
        } else if (in->lane == 2) {
            self->out.sum2 += (u16)in->data << 3 | in->data >> 5;
        } else {
            self->out.product3 = self->out.product3 * ((u33)in->data | 1) + 12345;
        }
    }
}
