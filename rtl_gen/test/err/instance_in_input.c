// SPDX-License-Identifier: Apache-2.0
/* A module among the inputs. */
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

struct instance_in_input_in {
    u1 go;
    struct child one;
};
struct instance_in_input_out {
    u8 y;
};
struct instance_in_input {
    struct instance_in_input_out out;
};

HLS_RESET void instance_in_input_reset(struct instance_in_input *self)
{
    *self = (struct instance_in_input){0};
}

HLS_MODULE void instance_in_input(struct instance_in_input *self,
                                  const struct instance_in_input_in *in)
{
    self->out.y += in->go;
}
