// SPDX-License-Identifier: Apache-2.0
/* An array whose size depends on an input. */
#include "hls.h"

struct array_variable_in {
    u1 go;
};
struct array_variable_out {
    u8 y;
};
struct array_variable {
    struct array_variable_out out;
};

HLS_RESET void array_variable_reset(struct array_variable *self)
{
    *self = (struct array_variable){0};
}

HLS_MODULE void array_variable(struct array_variable *self, const struct array_variable_in *in)
{
    u8 x[in->go + 1];
    x[0] = in->go;
    self->out.y = x[0];
}
