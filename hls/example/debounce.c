// SPDX-License-Identifier: Apache-2.0
/* debounce.c - believes a new level once it has lasted 16 clocks. */
#include "debounce.h"

void debounce_reset(struct debounce *self)
{
    *self = (struct debounce){.count = 15};
}

void debounce(struct debounce *self, const struct debounce_in *in)
{
    if (in->level == self->out.stable) {
        self->count = 15;
    } else if (self->count-- == 0) {
        self->out.stable = in->level;
        self->out.edges++;
        self->count = 15;
    }
}
