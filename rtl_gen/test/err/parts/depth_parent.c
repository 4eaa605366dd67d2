// SPDX-License-Identifier: Apache-2.0
/* The same module, seen with 8 stages. */
#define DEPTH 8
#include "depth.h"

struct depth_parent_in {
    u8 d;
};
struct depth_parent {
    struct depth one;
};

HLS_RESET void depth_parent_reset(struct depth_parent *self)
{
    depth_reset(&self->one);
}

HLS_MODULE void depth_parent(struct depth_parent *self, const struct depth_parent_in *in)
{
    depth(&self->one, &(struct depth_in){in->d});
}
