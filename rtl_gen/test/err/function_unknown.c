// SPDX-License-Identifier: Apache-2.0
/* A function without a body in the files. */
#include "hls.h"

u8 elsewhere(u8 n);

struct function_unknown_in {
    u1 go;
};
struct function_unknown_out {
    u8 y;
};
struct function_unknown {
    struct function_unknown_out out;
};

HLS_RESET void function_unknown_reset(struct function_unknown *self)
{
    *self = (struct function_unknown){0};
}

HLS_MODULE void function_unknown(struct function_unknown *self,
                                 const struct function_unknown_in *in)
{
    self->out.y = elsewhere(in->go);
}
