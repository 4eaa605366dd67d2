// SPDX-License-Identifier: Apache-2.0
/* A child called under a condition. */
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

struct child_condition_in {
    u4 go;
};
struct child_condition_out {
    u8 y;
};
struct child_condition {
    struct child_condition_out out;
    struct child one;
};

HLS_RESET void child_condition_reset(struct child_condition *self)
{
    self->out.y = 0;
    child_reset(&self->one);
}

HLS_MODULE void child_condition(struct child_condition *self, const struct child_condition_in *in)
{
    if (in->go == 3) {
        child(&self->one, &(struct child_in){in->go});
    }
    self->out.y++;
}
