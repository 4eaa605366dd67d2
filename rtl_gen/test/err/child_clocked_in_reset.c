// SPDX-License-Identifier: Apache-2.0
/* A module called by the reset function. */
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

struct child_clocked_in_reset_in {
    u4 go;
};
struct child_clocked_in_reset_out {
    u8 y;
};
struct child_clocked_in_reset {
    struct child_clocked_in_reset_out out;
    struct child one;
};

HLS_RESET void child_clocked_in_reset_reset(struct child_clocked_in_reset *self)
{
    self->out.y = 0;
    child_reset(&self->one);
    child(&self->one, &(struct child_in){3});
}

HLS_MODULE void child_clocked_in_reset(struct child_clocked_in_reset *self,
                                       const struct child_clocked_in_reset_in *in)
{
    child(&self->one, &(struct child_in){in->go});
    self->out.y++;
}
