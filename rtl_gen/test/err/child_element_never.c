// SPDX-License-Identifier: Apache-2.0
/* One element of an array of children that is never called. */
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

struct child_element_never_in {
    u4 go;
};
struct child_element_never_out {
    u8 y;
};
struct child_element_never {
    struct child_element_never_out out;
    struct child one[4];
};

HLS_RESET void child_element_never_reset(struct child_element_never *self)
{
    self->out.y = 0;
    for (unsigned i = 0; i < 4; i++) {
        child_reset(&self->one[i]);
    }
}

HLS_MODULE void child_element_never(struct child_element_never *self,
                                    const struct child_element_never_in *in)
{
    for (unsigned i = 0; i < 3; i++) {
        child(&self->one[i], &(struct child_in){in->go});
    }
    self->out.y++;
}
