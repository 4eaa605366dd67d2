// SPDX-License-Identifier: Apache-2.0
/* Two members whose flattened names are one. */
#include "hls.h"

struct flattened_twice_in {
    u1 go;
};
struct flattened_twice_out {
    u8 y;
};
struct flattened_twice {
    struct flattened_twice_out out;
    u4 a_b;
    struct {
        u4 b;
    } a;
};

HLS_RESET void flattened_twice_reset(struct flattened_twice *self)
{
    *self = (struct flattened_twice){0};
}

HLS_MODULE void flattened_twice(struct flattened_twice *self, const struct flattened_twice_in *in)
{
    self->out.y += in->go;
}
