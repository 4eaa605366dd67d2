// SPDX-License-Identifier: Apache-2.0
/* A call through a function pointer. */
#include "hls.h"

static u8 up(u8 n)
{
    return n + 1;
}

static u8 down(u8 n)
{
    return n - 1;
}

struct function_pointer_in {
    u1 go;
};
struct function_pointer_out {
    u8 y;
};
struct function_pointer {
    struct function_pointer_out out;
};

HLS_RESET void function_pointer_reset(struct function_pointer *self)
{
    *self = (struct function_pointer){0};
}

HLS_MODULE void function_pointer(struct function_pointer *self,
                                 const struct function_pointer_in *in)
{
    u8 (*way)(u8) = in->go ? up : down;
    self->out.y = way(self->out.y);
}
