// SPDX-License-Identifier: Apache-2.0
/* Forwarding where the output itself is not reset. */
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

struct child_forward_unreset_in {
    u4 go;
};
struct child_forward_unreset_out {
    u4 y;
};
struct child_forward_unreset {
    struct child_forward_unreset_out out;
    struct child one;
};

HLS_RESET void child_forward_unreset_reset(struct child_forward_unreset *self)
{
    child_reset(&self->one);
}

HLS_MODULE void child_forward_unreset(struct child_forward_unreset *self,
                                      const struct child_forward_unreset_in *in)
{
    child(&self->one, &(struct child_in){in->go});
    self->out.y = self->one.out.q;
}
