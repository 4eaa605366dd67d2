// SPDX-License-Identifier: Apache-2.0
/* A fill with a byte that is not a constant. */
#include "hls.h"

struct value_fill_in {
    u8 byte_in;
};
struct value_fill_out {
    u8 y;
};
struct value_fill {
    struct value_fill_out out;
};

HLS_RESET void value_fill_reset(struct value_fill *self)
{
    *self = (struct value_fill){0};
}

HLS_MODULE void value_fill(struct value_fill *self, const struct value_fill_in *in)
{
    u8 x[4] = {1, 2, 3, 4};
    __builtin_memset(x, in->byte_in, 4);
    self->out.y = x[3];
}
