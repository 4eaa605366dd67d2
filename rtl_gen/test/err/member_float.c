// SPDX-License-Identifier: Apache-2.0
/* Floating point as a register. */
#include "hls.h"

struct member_float_in {
    u1 go;
};
struct member_float_out {
    u8 y;
};
struct member_float {
    struct member_float_out out;
    float gain;
};

HLS_RESET void member_float_reset(struct member_float *self)
{
    *self = (struct member_float){0};
}

HLS_MODULE void member_float(struct member_float *self, const struct member_float_in *in)
{
    self->out.y += in->go;
}
