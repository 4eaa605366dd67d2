// SPDX-License-Identifier: Apache-2.0
/* A register of a child written. */
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

struct child_written_in {
    u4 go;
};
struct child_written_out {
    u8 y;
};
struct child_written {
    struct child_written_out out;
    struct child one;
};

HLS_RESET void child_written_reset(struct child_written *self)
{
    self->out.y = 0;
    child_reset(&self->one);
}

HLS_MODULE void child_written(struct child_written *self, const struct child_written_in *in)
{
    self->one.out.q = 3;
    child(&self->one, &(struct child_in){in->go});
    self->out.y++;
}
