// SPDX-License-Identifier: Apache-2.0
/* clang finds a variable without a value on one way. */
#include "hls.h"

struct clang_sometimes_in {
    u1 go;
};
struct clang_sometimes_out {
    u8 y;
};
struct clang_sometimes {
    struct clang_sometimes_out out;
};

HLS_RESET void clang_sometimes_reset(struct clang_sometimes *self)
{
    *self = (struct clang_sometimes){0};
}

HLS_MODULE void clang_sometimes(struct clang_sometimes *self, const struct clang_sometimes_in *in)
{
    u8 x;
    if (in->go) {
        x = 3;
    }
    self->out.y += x;
}
