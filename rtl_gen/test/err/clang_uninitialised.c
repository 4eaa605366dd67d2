// SPDX-License-Identifier: Apache-2.0
/* clang finds a variable without a value. */
#include "hls.h"

struct clang_uninitialised_in {
    u1 go;
};
struct clang_uninitialised_out {
    u8 y;
};
struct clang_uninitialised {
    struct clang_uninitialised_out out;
};

HLS_RESET void clang_uninitialised_reset(struct clang_uninitialised *self)
{
    *self = (struct clang_uninitialised){0};
}

HLS_MODULE void clang_uninitialised(struct clang_uninitialised *self,
                                    const struct clang_uninitialised_in *in)
{
    u8 x;
    self->out.y += x + in->go;
}
