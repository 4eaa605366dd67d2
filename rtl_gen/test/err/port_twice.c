// SPDX-License-Identifier: Apache-2.0
/* An input and an output port of one name. */
#include "hls.h"

struct port_twice_in {
    u1 go;
    u8 y;
};
struct port_twice_out {
    u8 y;
};
struct port_twice {
    struct port_twice_out out;
};

HLS_RESET void port_twice_reset(struct port_twice *self)
{
    *self = (struct port_twice){0};
}

HLS_MODULE void port_twice(struct port_twice *self, const struct port_twice_in *in)
{
    self->out.y = in->y + in->go;
}
