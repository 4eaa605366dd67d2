// SPDX-License-Identifier: Apache-2.0
/* Two helpers that call each other. */
#include "hls.h"

static u8 odd(u8 n);

static u8 even(u8 n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static u8 odd(u8 n)
{
    return n == 0 ? 0 : even(n - 1);
}

struct recursion_mutual_in {
    u1 go;
};
struct recursion_mutual_out {
    u8 y;
};
struct recursion_mutual {
    struct recursion_mutual_out out;
};

HLS_RESET void recursion_mutual_reset(struct recursion_mutual *self)
{
    *self = (struct recursion_mutual){0};
}

HLS_MODULE void recursion_mutual(struct recursion_mutual *self,
                                 const struct recursion_mutual_in *in)
{
    self->out.y = even(self->out.y) + in->go;
}
