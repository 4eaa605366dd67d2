// SPDX-License-Identifier: Apache-2.0
/* Forwarding under a condition. */
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

struct child_forward_if_in {
    u4 go;
};
struct child_forward_if_out {
    u8 y;
};
struct child_forward_if {
    struct child_forward_if_out out;
    struct child one;
};

HLS_RESET void child_forward_if_reset(struct child_forward_if *self)
{
    self->out.y = 0;
    child_reset(&self->one);
}

HLS_MODULE void child_forward_if(struct child_forward_if *self,
                                 const struct child_forward_if_in *in)
{
    child(&self->one, &(struct child_in){in->go});
    if (in->go) {
        self->out.y = self->one.out.q;
    }
}
