// SPDX-License-Identifier: Apache-2.0
/* A child's output read after its call, for more than a copy to an output. */
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

struct child_read_after_in {
    u4 go;
};
struct child_read_after_out {
    u8 y;
};
struct child_read_after {
    struct child_read_after_out out;
    struct child one;
};

HLS_RESET void child_read_after_reset(struct child_read_after *self)
{
    self->out.y = 0;
    child_reset(&self->one);
}

HLS_MODULE void child_read_after(struct child_read_after *self,
                                 const struct child_read_after_in *in)
{
    child(&self->one, &(struct child_in){in->go});
    self->out.y = self->one.out.q + 1;
}
