// SPDX-License-Identifier: Apache-2.0
/* Constant values of an array of 158 bits: clang 19 copies 152 bytes to its 120. */
#include "hls.h"

struct wide_values_in {
    u2 i;
};
struct wide_values_out {
    u8 y;
};
struct wide_values {
    struct wide_values_out out;
};

HLS_RESET void wide_values_reset(struct wide_values *self)
{
    *self = (struct wide_values){0};
}

HLS_MODULE void wide_values(struct wide_values *self, const struct wide_values_in *in)
{
    uint(158) x[5] = {123456789};

    self->out.y = (u8)x[in->i];
}
