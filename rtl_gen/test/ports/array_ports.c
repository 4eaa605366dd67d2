// SPDX-License-Identifier: Apache-2.0
/*
 * array_ports: arrays of scalars and arrays of structs as ports; each scalar field becomes one
 * vector, element 0 at the low end.
 */
#include "hls.h"

struct array_ports_flit {
    u1 valid;
    u7 tag;
};
struct array_ports_in {
    u5 add[4];
    struct array_ports_flit rx[3];
    u2 turn;
};
struct array_ports_out {
    u5 level[4];
    struct array_ports_flit tx[3];
    u2 valids;
};
struct array_ports {
    struct array_ports_out out;
};

HLS_RESET void array_ports_reset(struct array_ports *self)
{
    *self = (struct array_ports){.out.level = {3, 1, 4, 1}, .out.tx[2].tag = 99};
}

HLS_MODULE void array_ports(struct array_ports *self, const struct array_ports_in *in)
{
    for (int i = 0; i < 4; i++) {
        self->out.level[i] ^= in->add[(i + in->turn) & 3];
    }
    self->out.valids = 0;
    for (int i = 0; i < 3; i++) {
        self->out.tx[i] = in->rx[2 - i];
        if (self->out.tx[i].valid) {
            self->out.tx[i].tag += self->out.level[i];
            self->out.valids++;
        }
    }
}
