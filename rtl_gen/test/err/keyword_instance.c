// SPDX-License-Identifier: Apache-2.0
/* A Verilog keyword as an instance. */
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

struct keyword_instance_in {
    u1 go;
};
struct keyword_instance_out {
    u8 y;
};
struct keyword_instance {
    struct keyword_instance_out out;
    struct child cell;
};

HLS_RESET void keyword_instance_reset(struct keyword_instance *self)
{
    *self = (struct keyword_instance){0};
}

HLS_MODULE void keyword_instance(struct keyword_instance *self,
                                 const struct keyword_instance_in *in)
{
    child(&self->cell, &(struct child_in){in->go});
}
