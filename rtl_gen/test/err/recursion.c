// SPDX-License-Identifier: Apache-2.0
/* A helper that calls itself. */
#include "hls.h"

static u8 count(u8 n)
{
    return n == 0 ? 0 : 1 + count(n & (n - 1));
}

struct recursion_in {
    u1 go;
};
struct recursion_out {
    u8 y;
};
struct recursion {
    struct recursion_out out;
};

HLS_RESET void recursion_reset(struct recursion *self)
{
    *self = (struct recursion){0};
}

HLS_MODULE void recursion(struct recursion *self, const struct recursion_in *in)
{
    self->out.y = count(self->out.y) + in->go;
}
