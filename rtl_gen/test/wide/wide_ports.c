// SPDX-License-Identifier: Apache-2.0
/*
 * wide_ports: ports, arrays of ports and registers far wider than 64 bits, with values crossing
 * every word boundary.
 */
#include "hls.h"

struct wide_ports_in {
    uint(130) a[3];
    uint(65) b;
    u2 at;
};
struct wide_ports_out {
    uint(512) line;
    uint(130) picked[2];
    uint(65) sum;
    u1 above;
};
struct wide_ports {
    struct wide_ports_out out;
};

HLS_RESET void wide_ports_reset(struct wide_ports *self)
{
    *self = (struct wide_ports){.out.line = ~(uint(512))0 / 7, .out.picked[1] = 5};
}

HLS_MODULE void wide_ports(struct wide_ports *self, const struct wide_ports_in *in)
{
    uint(130) picked = in->at < 3 ? in->a[in->at] : (uint(130))in->b << 65 | in->b;
    self->out.above = picked > self->out.picked[0];
    self->out.picked[1] ^= self->out.picked[0] * 5;
    self->out.picked[0] = picked;
    self->out.sum = self->out.sum + in->b + self->out.above;
    self->out.line =
        (self->out.line << 131 | self->out.line >> 381) ^ picked ^ (uint(512))in->b << 447;
}
