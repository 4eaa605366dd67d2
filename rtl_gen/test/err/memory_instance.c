// SPDX-License-Identifier: Apache-2.0
/* A memory mark on an instance. */
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

struct memory_instance_in {
    u1 go;
};
struct memory_instance_out {
    u8 y;
};
struct memory_instance {
    struct memory_instance_out out;
    struct child one[4] HLS_BRAM;
};

HLS_RESET void memory_instance_reset(struct memory_instance *self)
{
    *self = (struct memory_instance){0};
}

HLS_MODULE void memory_instance(struct memory_instance *self, const struct memory_instance_in *in)
{
    self->out.y += in->go;
}
