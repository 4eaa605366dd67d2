// SPDX-License-Identifier: Apache-2.0
/* Ports with the names of the structs of all. */
#include "hls.h"

struct sv_ports_in {
    u4 in;
};
struct sv_ports_out {
    u1 out;
};
struct sv_ports {
    struct sv_ports_out out;
};

HLS_RESET void sv_ports_reset(struct sv_ports *self)
{
    *self = (struct sv_ports){0};
}

HLS_MODULE void sv_ports(struct sv_ports *self, const struct sv_ports_in *in)
{
    self->out.out = in->in == 3;
}
