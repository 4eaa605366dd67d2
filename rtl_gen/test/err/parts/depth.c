// SPDX-License-Identifier: Apache-2.0
/* The module with 4 stages. */
#define DEPTH 4
#include "depth.h"

void depth_reset(struct depth *self)
{
    *self = (struct depth){0};
}

void depth(struct depth *self, const struct depth_in *in)
{
    self->out.q = self->stage[3];
    for (unsigned i = 3; i > 0; i--) {
        self->stage[i] = self->stage[i - 1];
    }
    self->stage[0] = in->d;
}
