// SPDX-License-Identifier: Apache-2.0
/* A child that is never called. */
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

struct child_never_in {
    u4 go;
};
struct child_never_out {
    u8 y;
};
struct child_never {
    struct child_never_out out;
    struct child one;
};

HLS_RESET void child_never_reset(struct child_never *self)
{
    self->out.y = 0;
    child_reset(&self->one);
}

HLS_MODULE void child_never(struct child_never *self, const struct child_never_in *in)
{
    self->out.y = self->one.out.q + in->go;
}
