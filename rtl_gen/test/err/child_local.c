// SPDX-License-Identifier: Apache-2.0
/* A module called on a local variable. */
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

struct child_local_in {
    u4 go;
};
struct child_local_out {
    u8 y;
};
struct child_local {
    struct child_local_out out;
};

HLS_RESET void child_local_reset(struct child_local *self)
{
    self->out.y = 0;
}

HLS_MODULE void child_local(struct child_local *self, const struct child_local_in *in)
{
    struct child local = {0};
    child(&local, &(struct child_in){in->go});
    self->out.y = local.out.q;
}
