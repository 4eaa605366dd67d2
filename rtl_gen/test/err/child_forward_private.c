// SPDX-License-Identifier: Apache-2.0
/* Forwarding into a private register. */
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

struct child_forward_private_in {
    u4 go;
};
struct child_forward_private_out {
    u8 y;
};
struct child_forward_private {
    struct child_forward_private_out out;
    struct child one;
    u4 copy;
};

HLS_RESET void child_forward_private_reset(struct child_forward_private *self)
{
    self->out.y = 0;
    self->copy = 0;
    child_reset(&self->one);
}

HLS_MODULE void child_forward_private(struct child_forward_private *self,
                                      const struct child_forward_private_in *in)
{
    child(&self->one, &(struct child_in){in->go});
    self->copy = self->one.out.q;
    self->out.y = self->copy;
}
