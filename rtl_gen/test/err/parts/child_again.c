// SPDX-License-Identifier: Apache-2.0
/* The child a second time. */
#include "child.h"

void child_reset(struct child *self)
{
    *self = (struct child){0};
}

void child(struct child *self, const struct child_in *in)
{
    self->out.q = self->hidden;
    self->hidden = in->d;
}
