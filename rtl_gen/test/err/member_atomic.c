// SPDX-License-Identifier: Apache-2.0
/* An atomic register. */
#include "hls.h"

struct member_atomic_in {
    u1 go;
};
struct member_atomic_out {
    u8 y;
};
struct member_atomic {
    struct member_atomic_out out;
    _Atomic unsigned count;
};

HLS_RESET void member_atomic_reset(struct member_atomic *self)
{
    *self = (struct member_atomic){0};
}

HLS_MODULE void member_atomic(struct member_atomic *self, const struct member_atomic_in *in)
{
    self->out.y += in->go;
}
