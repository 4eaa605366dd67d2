// SPDX-License-Identifier: Apache-2.0
/* Floating point arithmetic. */
#include "hls.h"

struct value_float_in {
    u1 go;
};
struct value_float_out {
    u8 y;
};
struct value_float {
    struct value_float_out out;
};

HLS_RESET void value_float_reset(struct value_float *self)
{
    *self = (struct value_float){0};
}

HLS_MODULE void value_float(struct value_float *self, const struct value_float_in *in)
{
    float x = self->out.y;
    self->out.y = x * 1.5f + in->go;
}
