// SPDX-License-Identifier: Apache-2.0
/* A module with an instance of another file's module. */
#include "child.h"

struct parent_in {
    u4 d;
};
struct parent_out {
    u4 q;
};
struct parent {
    struct parent_out out;
    struct child one;
};

HLS_RESET void parent_reset(struct parent *self)
{
    self->out.q = 0;
    child_reset(&self->one);
}

HLS_MODULE void parent(struct parent *self, const struct parent_in *in)
{
    self->out.q = self->one.out.q;
    child(&self->one, &(struct child_in){in->d});
}
