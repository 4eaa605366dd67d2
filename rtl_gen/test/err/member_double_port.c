// SPDX-License-Identifier: Apache-2.0
/* Floating point as a port. */
#include "hls.h"

struct member_double_port_in {
    u1 go;
    double level;
};
struct member_double_port_out {
    u8 y;
};
struct member_double_port {
    struct member_double_port_out out;
};

HLS_RESET void member_double_port_reset(struct member_double_port *self)
{
    *self = (struct member_double_port){0};
}

HLS_MODULE void member_double_port(struct member_double_port *self,
                                   const struct member_double_port_in *in)
{
    self->out.y += in->go;
}
