// SPDX-License-Identifier: Apache-2.0
/* A child chosen by an input. */
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

struct child_variable_in {
    u4 go;
};
struct child_variable_out {
    u8 y;
};
struct child_variable {
    struct child_variable_out out;
    struct child one[4];
};

HLS_RESET void child_variable_reset(struct child_variable *self)
{
    self->out.y = 0;
    for (unsigned i = 0; i < 4; i++) {
        child_reset(&self->one[i]);
    }
}

HLS_MODULE void child_variable(struct child_variable *self, const struct child_variable_in *in)
{
    child(&self->one[in->go & 3], &(struct child_in){in->go});
}
