// SPDX-License-Identifier: Apache-2.0
/* A Verilog keyword as a port. */
#include "hls.h"

struct keyword_port_in {
    u1 go, input;
};
struct keyword_port_out {
    u8 y;
};
struct keyword_port {
    struct keyword_port_out out;
};

HLS_RESET void keyword_port_reset(struct keyword_port *self)
{
    *self = (struct keyword_port){0};
}

HLS_MODULE void keyword_port(struct keyword_port *self, const struct keyword_port_in *in)
{
    self->out.y += in->go;
}
