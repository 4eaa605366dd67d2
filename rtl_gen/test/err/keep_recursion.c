// SPDX-License-Identifier: Apache-2.0
/* Two HLS_KEEP functions that call each other: a module inside itself. */
#include "hls.h"

struct keep_recursion_in {
    u1 go;
};
struct keep_recursion_out {
    u8 y;
};
struct keep_recursion {
    struct keep_recursion_out out;
};

static u8 odd(u8 n);

HLS_KEEP static u8 even(u8 n)
{
    return n == 0 ? 1 : odd(n - 1);
}

HLS_KEEP static u8 odd(u8 n)
{
    return n == 0 ? 0 : even(n - 1);
}

HLS_RESET void keep_recursion_reset(struct keep_recursion *self)
{
    *self = (struct keep_recursion){0};
}

HLS_MODULE void keep_recursion(struct keep_recursion *self, const struct keep_recursion_in *in)
{
    self->out.y = even(self->out.y) + in->go;
}
