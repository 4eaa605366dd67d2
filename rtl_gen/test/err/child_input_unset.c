// SPDX-License-Identifier: Apache-2.0
/* A child's input that is not set. */
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

struct child_input_unset_in {
    u4 go;
};
struct child_input_unset_out {
    u8 y;
};
struct child_input_unset {
    struct child_input_unset_out out;
    struct child one;
};

HLS_RESET void child_input_unset_reset(struct child_input_unset *self)
{
    self->out.y = 0;
    child_reset(&self->one);
}

HLS_MODULE void child_input_unset(struct child_input_unset *self,
                                  const struct child_input_unset_in *in)
{
    struct child_in to;
    if (in->go == 3) {
        to.d = 1;
    }
    child(&self->one, &to);
    self->out.y++;
}
