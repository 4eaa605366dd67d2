// SPDX-License-Identifier: Apache-2.0
/* What clang refuses goes through as clang says it. */
#include "hls.h"

struct clang_error_in {
    u1 go;
};
struct clang_error_out {
    u8 y;
};
struct clang_error {
    struct clang_error_out out;
};

HLS_RESET void clang_error_reset(struct clang_error *self)
{
    *self = (struct clang_error){0};
}

HLS_MODULE void clang_error(struct clang_error *self, const struct clang_error_in *in)
{
    self->out.y += in->missing;
}
