// SPDX-License-Identifier: Apache-2.0
/* A value that is not set on one way, in an array where clang does not look. */
#include "hls.h"

struct value_uninitialised_in {
    u1 go;
    u2 at;
};
struct value_uninitialised_out {
    u8 y;
};
struct value_uninitialised {
    struct value_uninitialised_out out;
};

HLS_RESET void value_uninitialised_reset(struct value_uninitialised *self)
{
    *self = (struct value_uninitialised){0};
}

HLS_MODULE void value_uninitialised(struct value_uninitialised *self,
                                    const struct value_uninitialised_in *in)
{
    u8 x[4];
    x[in->at] = 3;
    self->out.y = x[0] + in->go;
}
