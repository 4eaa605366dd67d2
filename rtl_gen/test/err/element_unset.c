// SPDX-License-Identifier: Apache-2.0
/* An index that may name an element without a value: the place is the read, and the element is named. */
#include "hls.h"

struct element_unset_in {
    u8 a, b;
    u2 at;
};
struct element_unset_out {
    u8 y, z;
};
struct element_unset {
    struct element_unset_out out;
};

HLS_RESET void element_unset_reset(struct element_unset *self)
{
    *self = (struct element_unset){0};
}

HLS_MODULE void element_unset(struct element_unset *self, const struct element_unset_in *in)
{
    u8 t[2][2];
    t[0][0] = in->a;
    t[0][1] = in->b;
    t[1][0] = 1;
    self->out.y = t[0][in->at & 1];
    self->out.z = t[in->at >> 1][in->at & 1];
}
