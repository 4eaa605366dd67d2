// SPDX-License-Identifier: Apache-2.0
/* An instance with the name of a port. */
#include "hls.h"

struct child_in {
    u4 d;
};
struct child_out {
    u4 q;
};
struct child {
    struct child_out out;
    u4 hidden;
};

HLS_RESET void child_reset(struct child *self)
{
    *self = (struct child){0};
}

HLS_MODULE void child(struct child *self, const struct child_in *in)
{
    self->out.q = self->hidden;
    self->hidden = in->d;
}

struct instance_as_port_in {
    u1 go;
};
struct instance_as_port_out {
    u8 y, one;
};
struct instance_as_port {
    struct instance_as_port_out out;
    struct child one;
};

HLS_RESET void instance_as_port_reset(struct instance_as_port *self)
{
    *self = (struct instance_as_port){0};
}

HLS_MODULE void instance_as_port(struct instance_as_port *self,
                                 const struct instance_as_port_in *in)
{
    child(&self->one, &(struct child_in){in->go});
}
