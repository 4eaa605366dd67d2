// SPDX-License-Identifier: Apache-2.0
/* A write to an input through a cast. */
#include "hls.h"

struct input_written_in {
    u1 go;
};
struct input_written_out {
    u8 y;
};
struct input_written {
    struct input_written_out out;
};

HLS_RESET void input_written_reset(struct input_written *self)
{
    *self = (struct input_written){0};
}

HLS_MODULE void input_written(struct input_written *self, const struct input_written_in *in)
{
    ((struct input_written_in *)in)->go = 1;
    self->out.y += in->go;
}
