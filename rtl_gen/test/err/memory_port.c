// SPDX-License-Identifier: Apache-2.0
/* A memory among the output ports. */
#include "hls.h"

struct memory_port_in {
    u1 go;
};
struct memory_port_out {
    u8 y;
    u48 buffer[64] HLS_BRAM;
};
struct memory_port {
    struct memory_port_out out;
};

HLS_RESET void memory_port_reset(struct memory_port *self)
{
    *self = (struct memory_port){0};
}

HLS_MODULE void memory_port(struct memory_port *self, const struct memory_port_in *in)
{
    self->out.y += in->go;
}
